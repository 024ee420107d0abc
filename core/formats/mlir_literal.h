#pragma once
// The body of `dense<…>` to a constant's bytes.

#include <string_view>

#include "formats/mlir_source.h"
#include "ir/literal.h"

namespace shardwright::formats::mlir {

/// Decodes what stands between the angle brackets: nested lists, a splat, a hex blob, nothing (no
/// elements). `pos` is the place of `body` in the source; a fault is placed there, or at the
/// element.
///   decode_dense(source, "[[1, 2], [3, 4]]", pos, tensor<2x2xi32>)
Result<ir::Literal> decode_dense(const Source& source, std::string_view body, Pos pos,
                                 const ir::TensorType& type);
/// `dense_resource`'s blob: hex text whose first four bytes are an alignment.
Result<ir::Literal> decode_resource(const Source& source, std::string_view hex, Pos pos,
                                    const ir::TensorType& type);
/// One element (an attribute's number) as a splat.
ir::Literal splat_of_attribute(const ir::TensorType& type, double real, std::int64_t integer,
                               bool is_integer);

}  // namespace shardwright::formats::mlir
