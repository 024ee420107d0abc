#pragma once
// A constant's value as MLIR text: what stands between `dense<` and `>`.

#include <string>

#include "ir/literal.h"

namespace shardwright::formats::mlir {

/// `dense<[1, 2]> : tensor<2xi32>`, `dense<0.0> : tensor<f32>`, `dense<"0x…">` when long,
/// `dense_resource<__elided__>` when the value is not known. Reads back bit for bit.
std::string dense_text(const ir::Literal& literal);

}  // namespace shardwright::formats::mlir
