#pragma once
// Values of HLO constants: `1.5`, `{ {1, 2}, {3, 4} }`, `(1, -2)` of complex type, `{...}`.

#include "formats/hlo_cursor.h"
#include "formats/hlo_syntax.h"
#include "ir/literal.h"

namespace shardwright::formats::hlo {

/// Parses the literal of the tensor `shape` at the cursor. Memory grows with the text alone, never
/// with the stated shape. Uniform values become splats; `{...}` an elided literal.
Result<ir::Literal> parse_literal(Cursor& cursor, const ir::TensorType& type);

}  // namespace shardwright::formats::hlo
