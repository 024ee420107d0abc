#pragma once
// Whether a tensor type can be worked with.

#include "base/result.h"
#include "ir/element_type.h"

namespace shardwright::ir {

/// Sizes of 0 or more, at most 2^62 bytes, at most 64 dimensions, no dimension on a token.
/// `infer_types` asks it of operands and results, the verifier also of arguments.
Status check_type(const TensorType& type);

}  // namespace shardwright::ir
