#pragma once
// The attributes of operations: one plain struct a family, held in one variant. No string maps.

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/ids.h"
#include "base/inline_vector.h"
#include "base/interner.h"
#include "ir/element_type.h"
#include "sharding/sharding.h"

namespace shardwright::ir {

struct LiteralTag;
using LiteralId = Id<LiteralTag>;

struct ConstantAttributes {
    LiteralId literal;
};
/// broadcast_in_dim (operand dim -> result dim), transpose (permutation), reverse, reduce
/// (reduced dims), map.
struct DimsAttributes {
    Dims dims;
};
/// iota, concatenate, get_dimension_size.
struct DimAttributes {
    std::int64_t dim = 0;
};
struct SliceAttributes {
    Dims start, limit, strides;
};
struct DynamicSliceAttributes {
    Dims sizes;
};
struct PadAttributes {
    Dims low, high, interior;
};

enum class Direction : std::uint8_t { kEq, kNe, kGe, kGt, kLe, kLt };
enum class CompareType : std::uint8_t { kDefault, kFloat, kTotalOrder, kSigned, kUnsigned };
struct CompareAttributes {
    Direction direction = Direction::kEq;
    CompareType type = CompareType::kDefault;
};

enum class Precision : std::uint8_t { kDefault, kHigh, kHighest };
struct DotAttributes {
    Dims lhs_batch, rhs_batch, lhs_contracting, rhs_contracting;
    Precision lhs_precision = Precision::kDefault, rhs_precision = Precision::kDefault;
    NameId algorithm{0};  ///< text of StableHLO's `algorithm`, kept for the writer; "" = none
};
struct ConvolutionAttributes {
    // Dimension numbers: which dim is which. Spatial lists are in the order of the window.
    std::int64_t lhs_batch = 0, lhs_feature = 0;
    Dims lhs_spatial;
    std::int64_t rhs_input_feature = 0, rhs_output_feature = 0;
    Dims rhs_spatial;
    std::int64_t result_batch = 0, result_feature = 0;
    Dims result_spatial;
    Dims strides, pad_low, pad_high, lhs_dilation, rhs_dilation;
    InlineVector<bool, 6> window_reversal;
    std::int64_t feature_groups = 1, batch_groups = 1;
    Precision lhs_precision = Precision::kDefault, rhs_precision = Precision::kDefault;
};
/// reduce_window and select_and_scatter (dilations only in the former).
struct WindowAttributes {
    Dims sizes, strides, base_dilation, window_dilation, pad_low, pad_high;
};
struct GatherAttributes {
    Dims offset_dims, collapsed_slice_dims, operand_batching_dims, start_indices_batching_dims;
    Dims start_index_map;
    std::int64_t index_vector_dim = 0;
    Dims slice_sizes;
    bool indices_sorted = false;
};
struct ScatterAttributes {
    Dims update_window_dims, inserted_window_dims, input_batching_dims,
        scatter_indices_batching_dims;
    Dims scatter_dims_to_operand_dims;
    std::int64_t index_vector_dim = 0;
    bool indices_sorted = false, unique_indices = false;
};
struct SortAttributes {
    std::int64_t dim = 0;
    bool stable = false;
};
/// Over the last dim: values and s32 indices.
struct TopKAttributes {
    std::int64_t k = 0;
    bool largest = true;
};
enum class FftType : std::uint8_t { kFft, kIfft, kRfft, kIrfft };
struct FftAttributes {
    FftType type = FftType::kFft;
    Dims length;
};
struct CholeskyAttributes {
    bool lower = true;
};
enum class Transpose : std::uint8_t { kNone, kTranspose, kAdjoint };
struct TriangularSolveAttributes {
    bool left_side = true, lower = true, unit_diagonal = false;
    Transpose transpose = Transpose::kNone;
};
struct BatchNormAttributes {
    double epsilon = 0;
    std::int64_t feature = 0;
};
enum class RngDistribution : std::uint8_t { kUniform, kNormal };
struct RngAttributes {
    RngDistribution distribution = RngDistribution::kUniform;
};
enum class RngAlgorithm : std::uint8_t { kDefault, kThreeFry, kPhilox };
struct RngBitGeneratorAttributes {
    RngAlgorithm algorithm = RngAlgorithm::kDefault;
};
struct ReducePrecisionAttributes {
    std::int32_t exponent_bits = 8, mantissa_bits = 23;
};

struct CustomCallAttributes {
    NameId target;
    NameId backend_config{0};  ///< raw text
    NameId extra{0};           ///< other attributes as the file wrote them, for the writer
    std::int32_t api_version = 0;
    bool has_side_effect = false;
};

using sharding::Reduction;
/// How the participants of a collective of the *input* are numbered (StableHLO's group kinds).
enum class GroupMode : std::uint8_t {
    kMeshAxes,
    kCrossReplica,
    kCrossPartition,
    kCrossReplicaAndPartition,
    kFlattenedIds
};
/// Why a collective exists; an index into the partitioner's list of causes.
struct CauseTag;
using CauseId = Id<CauseTag>;

/// all_gather, all_reduce, all_to_all, reduce_scatter, collective_permute, collective_broadcast and
/// axis_index. Groups are `axes` of the module's mesh (`mode == kMeshAxes`), or explicit.
struct CollectiveAttributes {
    GroupMode mode = GroupMode::kMeshAxes;
    mesh::AxisList axes;
    sharding::MeshId mesh{0};
    std::int64_t dim =
        -1;  ///< all_gather: gathered dim; reduce_scatter: scattered dim; all_to_all: split dim
    std::int64_t concat_dim = -1;           ///< all_to_all
    Reduction reduction = Reduction::kSum;  ///< all_reduce, reduce_scatter without a region
    // collective_permute: device i along `axes` sends to i + shift (mod size if wrap).
    // With `permute_to` set instead: a re-ordering of the mesh, from the order `axes` to the order
    // `permute_to` (both cover the same devices): the device at index i along `axes` receives from
    // the device at index i along `permute_to`.
    std::int64_t shift = 0;
    bool wrap = false;
    mesh::AxisList permute_to;
    std::vector<std::vector<std::int64_t>> groups;  ///< explicit groups, or pairs for a permute
    std::int64_t channel = 0;
    CauseId cause;
};

/// manual_computation: one region over local shapes; `in`/`out` one sharding an operand/result.
struct ManualAttributes {
    std::vector<sharding::Sharding> in, out;
    mesh::AxisList axes;
    sharding::MeshId mesh{0};
};
/// sharding_constraint and reshard.
struct ShardingAttributes {
    sharding::Sharding sharding;
    Dims unspecified_dims;  ///< GSPMD: these dims may still be refined
};
struct GroupAttributes {
    std::int64_t group = 0;
};
enum class BarrierDirection : std::uint8_t { kForward, kBackward, kBoth, kNone };
struct BarrierAttributes {
    BarrierDirection allowed = BarrierDirection::kNone;
};
/// while: trip count when the file states it.
struct WhileAttributes {
    std::int64_t known_trip_count = -1;
};
struct NameAttributes {
    NameId name;
};

/// The checks of `check.expect_*` (operands: actual, expected; or a constant expected operand).
enum class CheckKind : std::uint8_t { kEq, kAlmostEq, kClose };
struct CheckAttributes {
    CheckKind kind = CheckKind::kEq;
    double tolerance = 1e-3;                ///< kAlmostEq
    std::int64_t min_ulp = 0, max_ulp = 3;  ///< kClose
};
/// interpreter.run_parallel: regions are the programs; `programs[replica][partition]` = region
/// index.
struct RunParallelAttributes {
    std::vector<std::vector<std::int32_t>> programs;
};

using AttributesVariant = std::variant<
    std::monostate, ConstantAttributes, DimsAttributes, DimAttributes, SliceAttributes,
    DynamicSliceAttributes, PadAttributes, CompareAttributes, DotAttributes, ConvolutionAttributes,
    WindowAttributes, GatherAttributes, ScatterAttributes, SortAttributes, TopKAttributes,
    FftAttributes, CholeskyAttributes, TriangularSolveAttributes, BatchNormAttributes,
    RngAttributes, RngBitGeneratorAttributes, ReducePrecisionAttributes, CustomCallAttributes,
    CollectiveAttributes, ManualAttributes, ShardingAttributes, GroupAttributes, BarrierAttributes,
    WhileAttributes, NameAttributes, CheckAttributes, RunParallelAttributes>;

/// The attributes of one operation: std::get, std::get_if and std::visit apply. Copying, moving and
/// destroying stand in attributes.cpp, once, because a variant of this many members is otherwise
/// compiled anew into every file that builds an operation.
class Attributes : public AttributesVariant {
  public:
    Attributes() noexcept;
    Attributes(const Attributes& other);
    Attributes(Attributes&& other) noexcept;
    Attributes& operator=(const Attributes& other);
    Attributes& operator=(Attributes&& other) noexcept;
    ~Attributes();
    /// From any member, implicitly, as the variant itself allows.
    template <typename T>
    requires(!std::is_same_v<std::remove_cvref_t<T>, Attributes>) Attributes(T&& member)
        : AttributesVariant(std::forward<T>(member)) {}
};

}  // namespace shardwright::ir
