#include "exec/tensor.h"

#include <cassert>

#include "exec/strided_copy.h"

namespace shardwright::exec {

Tensor Tensor::zeros(const ir::TensorType& type) {
    Tensor tensor{type, {}};
    tensor.data.resize(
        static_cast<std::size_t>(type.element_count() * ir::storage_bytes(type.element)));
    return tensor;
}

Tensor Tensor::from_literal(const ir::Literal& literal) {
    assert(literal.kind != ir::Literal::Kind::kElided);
    Tensor tensor = zeros(literal.type);
    if (literal.kind == ir::Literal::Kind::kDense)
        tensor.data.assign(literal.data().begin(), literal.data().end());
    else
        fill(ir::storage_bytes(literal.type.element), literal.data().data(), tensor.data.data(),
             literal.type.element_count());
    return tensor;
}

}  // namespace shardwright::exec
