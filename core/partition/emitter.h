#pragma once
// Appends operations to the per-device program. Result types are given, not inferred: the
// partitioner knows the local shapes. Every operation gets its source's scope, line and origin.

#include <initializer_list>
#include <map>
#include <span>
#include <vector>

#include "ir/module.h"
#include "partition/layout.h"

namespace shardwright::partition {

using ir::Attributes;
using ir::OpId;
using ir::OpKind;
using ir::RegionId;
using ir::TensorType;
using ir::ValueId;

/// What is stamped on new operations.
struct Stamp {
    NameId scope{0};
    std::uint32_t line = 0;
    OpId origin;
    ir::CauseId cause;  ///< for collectives
};

class Emitter {
  public:
    Emitter(ir::Module& program, ir::MeshId mesh) : program_(program), mesh_(mesh) {}
    ir::Module& program() { return program_; }
    const TensorType& type(ValueId v) const { return program_.type(v); }

    // --- where and why
    // -----------------------------------------------------------------------------
    RegionId region() const { return region_; }
    /// Goes on in another region; what was made for the old one is not used there.
    void set_region(RegionId region);
    Stamp stamp;

    // --- operations
    // --------------------------------------------------------------------------------
    OpId op(OpKind kind, std::span<const ValueId> operands, std::span<const TensorType> results,
            Attributes attributes = {}, std::span<const RegionId> regions = {});
    ValueId one(OpKind kind, std::initializer_list<ValueId> operands, const TensorType& result,
                Attributes attributes = {});
    ValueId constant(ir::Literal literal);
    ValueId splat(const TensorType& type, double value);
    ValueId s32(std::int64_t value);
    ValueId convert(ValueId v, ir::ElementType element);
    ValueId broadcast(ValueId v, const TensorType& type, Dims dims);

    // --- positions
    // ---------------------------------------------------------------------------------
    /// This device's linear index along the axes: s32 scalar.
    ValueId axis_index(const AxisList& axes);
    /// `axis_index(axes) * factor + offset`.
    ValueId position(const AxisList& axes, std::int64_t factor, std::int64_t offset = 0);

    // --- local data movement along one dimension
    // ----------------------------------------------------
    ValueId slice(ValueId v, std::size_t dim, std::int64_t begin, std::int64_t end);
    /// Padding (of undefined content) at the end up to `size`.
    ValueId pad_to(ValueId v, std::size_t dim, std::int64_t size);
    /// Shortens or pads at the end.
    ValueId resize(ValueId v, std::size_t dim, std::int64_t size);
    ValueId dynamic_slice(ValueId v, std::size_t dim, ValueId start, std::int64_t size);
    ValueId concatenate(std::span<const ValueId> values, std::size_t dim);
    /// `v` with `fill` (a scalar) at every place of `dim` whose global index is `size` or more.
    ValueId mask_padding(ValueId v, std::size_t dim, const AxisList& axes, std::int64_t size,
                         ValueId fill);

    // --- collectives (all with the stamp's cause)
    // ----------------------------------------------------
    ValueId all_gather(ValueId v, std::size_t dim, const AxisList& axes);
    ValueId all_reduce(ValueId v, const AxisList& axes, Reduction kind);
    ValueId reduce_scatter(ValueId v, std::size_t dim, const AxisList& axes, Reduction kind);
    ValueId all_to_all(ValueId v, std::size_t split, std::size_t concat, const AxisList& axes);
    /// Device i along `axes` sends to i + shift; those that receive nothing get zeros.
    ValueId shift(ValueId v, const AxisList& axes, std::int64_t shift);
    /// The device at index i along `to` receives from the device at index i along `from`.
    ValueId permute(ValueId v, const AxisList& from, const AxisList& to);

  private:
    ir::CollectiveAttributes collective(const AxisList& axes) const;

    ir::Module& program_;
    ir::MeshId mesh_;
    RegionId region_;
    std::vector<std::pair<AxisList, ValueId>> axis_indices_;  // made in this region
    std::map<std::int64_t, ValueId> s32_constants_;
};

}  // namespace shardwright::partition
