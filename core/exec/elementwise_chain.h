#pragma once
// Elementwise operations fused into one pass: every block of elements goes through all of them
// while it is in the cache, and what lies between two operations is never stored.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "exec/elementwise.h"

namespace shardwright::exec {

/// How a chain reads one of its inputs for the flat element index i of its result.
struct ChainInput {
    enum class Read : std::uint8_t {
        kFlat,      ///< element i
        kScalar,    ///< element 0
        kBroadcast  ///< the element that broadcast_in_dim puts at i
    };
    ir::ElementType element = ir::ElementType::kF32;
    Read read = Read::kFlat;
    /// kBroadcast: the result's index space, outermost first, with the input's stride (in elements;
    /// 0 where it repeats) along each of its dimensions. Adjacent dimensions are merged.
    std::vector<std::int64_t> sizes = {}, strides = {};
};

/// One operation of a chain.
struct ChainInstruction {
    Elementwise kernel;
    /// An input; from the number of inputs on a register; below zero the literal `literal_at`.
    int operand[3] = {};
    int result = -1;  ///< a register; -1: the chain's output

    /// Its own inverse: the place of a literal for an operand, the operand for a place.
    static constexpr int literal_at(int operand) { return -1 - operand; }
};

/// A constant whose elements are all equal.
struct ChainLiteral {
    ir::ElementType element = ir::ElementType::kF32;
    std::array<std::byte, 16> value = {};
    bool operator==(const ChainLiteral&) const = default;
};

struct ElementwiseChain {
    std::vector<ChainInput> inputs;
    std::vector<ChainLiteral> literals;
    std::vector<int> register_widths;    ///< bytes of an element in each register
    std::vector<ChainInstruction> code;  ///< the last one writes the output
    ir::ElementType out = ir::ElementType::kF32;
    std::int64_t elements = 0;  ///< of the result, on one device

    /// Every input is read at the index that is written: several devices' arrays that lie one after
    /// the other are one array.
    bool is_flat() const;
    /// Computes elements [begin, end) of the result on this thread. The output may be the memory of
    /// a flat input whose elements have the output's size.
    void run(const std::byte* const* in, std::byte* out, std::int64_t begin,
             std::int64_t end) const;
};

/// The reading of `operand` by a broadcast_in_dim: the operand's dimension d is the result's
/// dimension `dims[d]`.
ChainInput broadcast_input(const ir::TensorType& operand, const ir::TensorType& result,
                           std::span<const std::int64_t> dims);

}  // namespace shardwright::exec
