#pragma once
// `f32[2,3]{1,0:T(8,128)}` and tuples of such.

#include "formats/hlo_cursor.h"
#include "formats/hlo_syntax.h"

namespace shardwright::formats::hlo {

/// Parses the shape at the cursor. Dynamic dimensions, quantised and opaque types are refused as
/// unsupported; element counts that do not fit 60 bits are bad input.
Result<Shape> parse_shape(Cursor& cursor);

}  // namespace shardwright::formats::hlo
