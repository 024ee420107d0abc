#pragma once
// A tensor with numbers, as inputs, outputs and comparisons see it.

#include <cstddef>
#include <vector>

#include "ir/element_type.h"
#include "ir/literal.h"

namespace shardwright::exec {

/// Row-major data in buffers' form (`ir::storage_bytes` an element).
struct Tensor {
    ir::TensorType type;
    std::vector<std::byte> data;

    static Tensor zeros(const ir::TensorType& type);
    static Tensor from_literal(const ir::Literal& literal);  ///< not for elided ones
    std::int64_t element_count() const { return type.element_count(); }
    double at(std::int64_t index) const { return ir::element_as_double(data, type.element, index); }
};

}  // namespace shardwright::exec
