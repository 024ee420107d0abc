#pragma once
// HLO text as written: computations of instructions, nothing resolved yet but operand names.
// The reader works in two steps: `parse_hlo_syntax` makes this form, `hlo_lower` the module.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "ir/element_type.h"

namespace shardwright::formats::hlo {

/// A tensor with its layout, or a tuple of shapes.
struct Shape {
    ir::TensorType tensor;
    InlineVector<std::int32_t, 4> minor_to_major;  ///< empty = the default, row-major
    bool is_tuple = false;
    std::vector<Shape> elements;
    std::uint32_t leaves = 1;  ///< tensors in it, nested tuples flattened

    /// Index of the first leaf of element `i` of a tuple.
    std::size_t leaf_offset(std::size_t i) const;
    void append_leaves(std::vector<const Shape*>& out) const;
};

/// `key=value`; both are views into the file's text, so that errors can tell their place.
struct Attribute {
    std::string_view key, value;
};

struct Instruction {
    std::string_view name, opcode;
    Shape shape;
    std::vector<std::uint32_t> operands;  ///< indices into the computation
    std::string_view argument;            ///< raw text between the parentheses
    std::vector<Attribute> attributes;
    std::uint32_t line = 0;
    std::int64_t parameter = -1;

    /// The value of `key`; empty (null data) when it is not there.
    std::string_view attribute(std::string_view key) const;
};

struct Computation {
    std::string_view name;
    std::vector<Instruction> instructions;
    std::vector<std::uint32_t> parameters;  ///< instruction index by parameter number
    std::uint32_t root = 0;
};

struct File {
    std::string_view title;
    std::vector<Attribute> header;
    std::vector<Computation> computations;
    std::size_t entry = 0;

    std::string_view header_attribute(std::string_view key) const;
};

/// Parses HLO text. Views in the result point into `text`.
Result<File> parse_hlo_syntax(std::string_view text, const std::string& file);

/// Tuples nest at most this deep, and so do calls when they are inlined.
inline constexpr int kMaxDepth = 200;

}  // namespace shardwright::formats::hlo
