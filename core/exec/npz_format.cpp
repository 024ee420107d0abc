#include "exec/npz_format.h"

namespace shardwright::exec {

using ir::ElementType;

namespace {

struct Code {
    ElementType type;
    std::string_view text;
};
// The first entry of a type is how it is written, all are read.
constexpr Code kCodes[] = {
    {ElementType::kBool, "|b1"},     {ElementType::kS8, "|i1"},   {ElementType::kS8, "<i1"},
    {ElementType::kS16, "<i2"},      {ElementType::kS32, "<i4"},  {ElementType::kS64, "<i8"},
    {ElementType::kU8, "|u1"},       {ElementType::kU8, "<u1"},   {ElementType::kU16, "<u2"},
    {ElementType::kU32, "<u4"},      {ElementType::kU64, "<u8"},  {ElementType::kF16, "<f2"},
    {ElementType::kF32, "<f4"},      {ElementType::kF64, "<f8"},  {ElementType::kC64, "<c8"},
    {ElementType::kC128, "<c16"},    {ElementType::kBF16, "|V2"}, {ElementType::kBF16, "<V2"},
    {ElementType::kF8E4M3FN, "|V1"},
};

}  // namespace

std::string code_of_element(ElementType type) {
    for (const Code& code : kCodes)
        if (code.type == type) return std::string(code.text);
    if (ir::is_float(type)) return "|V1";
    return ir::is_signed(type) ? "|i1" : "|u1";
}

std::optional<ElementType> element_of_code(std::string_view text) {
    for (const Code& code : kCodes)
        if (code.text == text) return code.type;
    return std::nullopt;
}

}  // namespace shardwright::exec
