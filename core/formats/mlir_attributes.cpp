#include "formats/mlir_attributes.h"

#include <fmt/format.h>

#include <charconv>

#include "formats/mlir_lexer.h"
#include "formats/mlir_literal.h"

namespace shardwright::formats::mlir {
namespace {

// Lists of dimension numbers are short; a splat must not be blown up into millions of them.
constexpr std::int64_t kMaxInts = 1 << 20;

}  // namespace

std::string_view angle_body(std::string_view text) {
    const std::size_t open = text.find('<');
    if (open == std::string_view::npos || !text.ends_with('>')) return text;
    return text.substr(open + 1, text.size() - open - 2);
}

bool OpReader::fail(Pos pos, std::string what, std::string expected) {
    if (!error_) error_ = source_.at(pos, std::move(what), std::move(expected));
    return false;
}

bool OpReader::ints_of(const Attr& attr, Dims& out) {
    if (attr.kind == AttrKind::kInts) {
        const auto first = syntax_.ints.begin() + attr.range.begin;
        out.assign(first, first + attr.range.count);
        return true;
    }
    if (attr.kind == AttrKind::kInt || attr.kind == AttrKind::kBool) {
        out.assign(1, attr.integer);
        return true;
    }
    if (attr.kind == AttrKind::kDense && syntax_.types[attr.type].kind == TypeKind::kTensor) {
        const ir::TensorType& type = module_.type(syntax_.types[attr.type].tensor);
        const std::int64_t count = type.element_count();
        if (count > kMaxInts ||
            !(ir::is_integer(type.element) || type.element == ir::ElementType::kBool))
            return fail(attr.pos, "malformed list of integers", "a short list of integers");
        auto literal = decode_dense(source_, attr.text, attr.pos, type);
        if (!literal.ok()) {
            if (!error_) error_ = std::move(literal).error();
            return false;
        }
        out.clear();
        const bool splat = literal->kind == ir::Literal::Kind::kSplat;
        for (std::int64_t i = 0; i < count; ++i)
            out.push_back(ir::element_as_int(literal->data(), type.element, splat ? 0 : i));
        return true;
    }
    if (attr.kind == AttrKind::kArray) {
        out.clear();
        for (std::uint32_t i = 0; i < attr.range.count; ++i) {
            const Attr& child = syntax_.resolve(syntax_.attr_ids[attr.range.begin + i]);
            if (child.kind != AttrKind::kBool && child.kind != AttrKind::kInt)
                return fail(child.pos, "malformed list", "integers");
            out.push_back(child.integer);
        }
        return true;
    }
    return fail(attr.pos, "malformed attribute", "a list of integers");
}

bool OpReader::dims(std::string_view name, Dims& out) {
    const Attr* attr = find(name);
    return attr == nullptr || ints_of(*attr, out);
}

bool OpReader::need_dims(std::string_view name, Dims& out) {
    if (!has(name))
        return fail(fmt::format("{} without '{}'", op_.known->name, name), "that attribute");
    return dims(name, out);
}

bool OpReader::integer(std::string_view name, std::int64_t& out) {
    const Attr* attr = find(name);
    if (attr == nullptr) return true;
    Dims list;
    if (!ints_of(*attr, list)) return false;
    if (list.size() != 1) return fail(attr->pos, "malformed attribute", "one integer");
    out = list[0];
    return true;
}

bool OpReader::need_integer(std::string_view name, std::int64_t& out) {
    if (!has(name))
        return fail(fmt::format("{} without '{}'", op_.known->name, name), "that attribute");
    return integer(name, out);
}

bool OpReader::number(std::string_view name, double& out) {
    const Attr* attr = find(name);
    if (attr == nullptr) return true;
    if (attr->kind != AttrKind::kFloat && attr->kind != AttrKind::kInt)
        return fail(attr->pos, "malformed attribute", "a number");
    out = attr->real;
    return true;
}

bool OpReader::flag(std::string_view name, bool& out) {
    const Attr* attr = find(name);
    if (attr == nullptr) return true;
    if (attr->kind == AttrKind::kUnit) {
        out = true;
        return true;
    }
    if (attr->kind != AttrKind::kBool && attr->kind != AttrKind::kInt)
        return fail(attr->pos, "malformed attribute", "true or false");
    out = attr->integer != 0;
    return true;
}

bool OpReader::word(std::string_view name, std::string_view& out) {
    const Attr* attr = find(name);
    if (attr == nullptr) return true;
    if (attr->kind == AttrKind::kWord || attr->kind == AttrKind::kString) {
        out = attr->text;
        return true;
    }
    if (attr->kind == AttrKind::kDialect) {  // #stablehlo<comparison_direction LT>, #mhlo.x<LT>
        std::string_view body = angle_body(attr->text);
        if (const std::size_t blank = body.rfind(' '); blank != std::string_view::npos)
            body.remove_prefix(blank + 1);
        out = body;
        return true;
    }
    return fail(attr->pos, "malformed attribute", "a keyword");
}

std::string OpReader::string(std::string_view name) const {
    const Attr* attr = find(name);
    if (attr == nullptr) return {};
    return attr->kind == AttrKind::kString ? unescape(attr->text) : std::string(attr->text);
}

std::string_view OpReader::symbol(std::string_view name) const {
    const Attr* attr = find(name);
    return attr == nullptr ? std::string_view() : attr->text;
}

bool OpReader::rows(std::string_view name, std::vector<std::vector<std::int64_t>>& out) {
    const Attr* attr = find(name);
    if (attr == nullptr) return true;
    out.clear();
    if (attr->kind == AttrKind::kDense) {
        const ParsedType& type = syntax_.types[attr->type];
        const Dims shape = type.kind == TypeKind::kTensor ? module_.type(type.tensor).dims : Dims{};
        if (shape.size() != 2) return fail(attr->pos, "malformed attribute", "rows of integers");
        if (shape[0] > kMaxInts) return fail(attr->pos, "too many rows", "fewer than 2^20");
        Dims all;
        if (!ints_of(*attr, all)) return false;
        const auto width = static_cast<std::size_t>(shape[1]);
        for (std::size_t r = 0; r < static_cast<std::size_t>(shape[0]); ++r) {
            auto& row = out.emplace_back();
            for (std::size_t i = 0; i < width; ++i) row.push_back(all[r * width + i]);
        }
        return true;
    }
    if (attr->kind == AttrKind::kInts && attr->range.count == 0) return true;
    if (attr->kind != AttrKind::kArray)
        return fail(attr->pos, "malformed attribute", "rows of integers");
    for (std::uint32_t i = 0; i < attr->range.count; ++i) {
        Dims row;
        if (!ints_of(syntax_.resolve(syntax_.attr_ids[attr->range.begin + i]), row)) return false;
        out.emplace_back(row.begin(), row.end());
    }
    return true;
}

bool OpReader::precisions(ir::Precision& lhs, ir::Precision& rhs) {
    const Attr* attr = find("precision_config");
    if (attr == nullptr || attr->kind != AttrKind::kArray) return true;
    ir::Precision* const sides[] = {&lhs, &rhs};
    for (std::uint32_t i = 0; i < attr->range.count && i < 2; ++i) {
        const std::string_view text = syntax_.resolve(syntax_.attr_ids[attr->range.begin + i]).text;
        *sides[i] = text.find("HIGHEST") != std::string_view::npos ? ir::Precision::kHighest
                    : text.find("HIGH") != std::string_view::npos  ? ir::Precision::kHigh
                                                                   : ir::Precision::kDefault;
    }
    return true;
}

bool OpReader::field(const Attr& attr, std::string_view key, Dims& out) {
    if (attr.kind == AttrKind::kDict) {
        const Attr* value = syntax_.find(attr.range, key);
        return value == nullptr || ints_of(*value, out);
    }
    if (attr.kind != AttrKind::kDialect)
        return fail(attr.pos, "malformed attribute", "#dialect.name<…>");
    const std::string_view body = angle_body(attr.text);
    const auto begin = static_cast<Pos>(body.data() - source_.text.data());
    Lexer lexer(source_.text, begin, begin + static_cast<Pos>(body.size()));
    for (Token token = lexer.next(); !token.is(TokenKind::kEnd); token = lexer.next()) {
        if (!token.is_word(key)) continue;
        token = lexer.next();
        if (!token.is('=')) continue;
        token = lexer.next();
        const bool is_list = token.is('[');
        if (is_list) token = lexer.next();
        out.clear();
        while (!token.is(']')) {
            const bool negative = token.is('-');
            if (negative) token = lexer.next();
            std::int64_t value = 0;
            if (!token.is(TokenKind::kInteger) ||
                std::from_chars(token.text.data(), token.text.data() + token.text.size(), value)
                        .ec != std::errc())
                return fail(token.pos, fmt::format("malformed '{}'", key), "an integer");
            out.push_back(negative ? -value : value);
            if (!is_list) return true;
            token = lexer.next();
            if (token.is(',')) token = lexer.next();
        }
        return true;
    }
    return true;
}

bool OpReader::field(const Attr& attr, std::string_view key, std::int64_t& out) {
    Dims list;
    if (!field(attr, key, list)) return false;
    if (!list.empty()) out = list[0];
    return true;
}

}  // namespace shardwright::formats::mlir
