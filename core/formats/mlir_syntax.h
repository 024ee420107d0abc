#pragma once
// What the parser leaves behind: MLIR's generic form of a module in a few contiguous tables.
//
// Every spelling of an operation (pretty, quoted, fully generic) ends as the same `RawOp`; the
// importer (mlir_import.h) knows only this. Names and bodies are views into the source text.

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/ids.h"
#include "formats/mlir_operations.h"
#include "formats/mlir_source.h"
#include "ir/module.h"

namespace shardwright::formats::mlir {

struct AttrTag;
struct RawOpTag;
struct RawRegionTag;
struct LocationTag;
using AttrId = Id<AttrTag>;
using RawOpId = Id<RawOpTag>;
using RawRegionId = Id<RawRegionTag>;
using LocationId = Id<LocationTag>;

/// A stretch of one of the tables.
struct Range {
    std::uint32_t begin = 0, count = 0;
};

enum class TypeKind : std::uint8_t {
    kTensor,    ///< `tensor<…>` with static dims, or a token
    kScalar,    ///< `i64`, `f32`, `index` (as i64)
    kFunction,  ///< `(…) -> …`
    kOther,     ///< anything else: `!util.ptr<…>`, `tuple<…>`, `none`
};
struct ParsedType {
    TypeKind kind = TypeKind::kOther;
    ir::ElementType element = ir::ElementType::kS64;  ///< kScalar
    ir::TypeId tensor;                                ///< kTensor
    Range inputs, results;                            ///< kFunction, into `types`
    Pos pos = 0;
    std::string_view text;
};

enum class AttrKind : std::uint8_t {
    kUnit,
    kBool,
    kInt,
    kFloat,
    kString,
    kSymbol,
    kWord,      ///< a bare keyword of a pretty form: `LT`, `DEFAULT`
    kInts,      ///< `[1, 2]`, `array<i64: 1, 2>`: `range` into `ints`
    kArray,     ///< `range` into `attr_ids`
    kDict,      ///< `range` into `named`
    kType,      ///< `type` into `types`
    kDense,     ///< `dense<…> : type`, text between the angle brackets
    kResource,  ///< `dense_resource<name> : type`
    kDialect,   ///< `#dialect.name<…>`: the whole text, undecoded
    kAlias,     ///< `#name`
    kOpaque,    ///< known to exist, of no interest to us
};
struct Attr {
    AttrKind kind = AttrKind::kUnit;
    Pos pos = 0;
    std::string_view text;
    std::int64_t integer = 0;
    double real = 0;
    Range range;
    std::uint32_t type = UINT32_MAX;  ///< into `types`
};
struct NamedAttr {
    std::string_view name;
    AttrId value;
    std::string_view text = {};  ///< `name = value` as written, in dictionaries
};
using AttrList = InlineVector<NamedAttr, 6>;

/// One operation. Operands are numbers of the function's values; results are consecutive ones.
struct RawOp {
    const Operation* known = nullptr;  ///< what it is
    Pos pos = 0;
    std::uint32_t line = 0;
    Range operands;  ///< into `uses`
    std::uint32_t first_result = 0, result_count = 0;
    Range attrs;                        ///< into `named`
    Range regions;                      ///< into `region_ids`
    Range operand_types, result_types;  ///< into `types`; no operand types = not stated
    LocationId location;
};
struct RawRegion {
    std::uint32_t first_argument = 0, argument_count = 0;
    Range argument_types;  ///< into `types`
    Range ops;             ///< into `op_ids`
    Pos pos = 0;
};
/// A value's name: `%base` or `%base#number`.
struct ValueName {
    std::string_view base;
    std::uint32_t number = UINT32_MAX;  ///< UINT32_MAX: the only result of its name
};
struct RawFunction {
    std::string_view name;
    Pos pos = 0;
    bool is_private = false, has_body = false;
    RawRegionId body;
    Range values;  ///< into `values`: names of all values in it
    Range result_types;
    std::vector<Range> argument_attrs, result_attrs;  ///< each into `named`
    std::vector<LocationId> argument_locations;
    Range attrs;
    LocationId location;
};

/// Locations stay as text until somebody asks for a path: aliases may be defined after their use.
struct RawLocation {
    std::string_view text;  ///< between the parentheses of `loc(…)`, or `#loc3`
    Pos pos = 0;
};

/// Everything of one module's text.
struct Syntax {
    std::vector<ParsedType> types;
    std::vector<Attr> attrs;
    std::vector<AttrId> attr_ids;
    std::vector<NamedAttr> named;
    std::vector<std::int64_t> ints;
    std::vector<RawOp> ops;
    std::vector<RawOpId> op_ids;
    std::vector<RawRegion> regions;
    std::vector<RawRegionId> region_ids;
    std::vector<std::uint32_t> uses;
    std::vector<Pos> use_places;  ///< beside `uses`
    std::vector<ValueName> values;
    std::vector<RawLocation> locations;
    std::vector<RawFunction> functions;
    std::vector<RawOpId> top_level;  ///< operations of the module itself: sdy.mesh, globals
    std::unordered_map<std::string_view, AttrId> attr_aliases;
    std::unordered_map<std::string_view, std::string_view> location_aliases;
    std::unordered_map<std::string_view, std::uint32_t> type_aliases;
    std::unordered_map<std::string_view, std::string_view> resources;  ///< hex text
    std::string_view module_name;
    Range module_attrs;
    Pos pos = 0;

    std::span<const NamedAttr> attributes(Range r) const {
        return {named.data() + r.begin, r.count};
    }
    const Attr& attr(AttrId id) const { return attrs[id.index]; }
    /// The attribute `name` in `r`, aliases resolved; null when there is none.
    const Attr* find(Range r, std::string_view name) const;
    /// Follows `#alias`.
    const Attr& resolve(AttrId id) const;
};

}  // namespace shardwright::formats::mlir
