// Types: tensors become ir types at once, everything else keeps its text.
#include <fmt/format.h>

#include "formats/mlir_parser.h"

namespace shardwright::formats::mlir {
namespace {

// More elements than any machine holds; keeps every later product inside 64 bits.
constexpr std::int64_t kMaxElements = std::int64_t{1} << 53;

}  // namespace

bool Parser::parse_type(std::uint32_t& type) {
    ParsedType parsed;
    if (!parse_type_into(parsed)) return false;
    type = static_cast<std::uint32_t>(syntax_.types.size());
    syntax_.types.push_back(parsed);
    return true;
}

bool Parser::parse_type_into(ParsedType& type) {
    if (too_deep()) return false;
    const Nested nested(*this);
    type.pos = token_.pos;
    if (token_.is_word("tensor")) return parse_tensor(type);
    if (token_.is('(')) {
        type.kind = TypeKind::kFunction;
        if (!parse_function_type(type.inputs, type.results)) return false;
        type.text = source_.text.substr(type.pos, token_.pos - type.pos);
        return true;
    }
    if (token_.is(TokenKind::kBang)) {
        const std::string_view name = token_.text;
        if (const auto alias = syntax_.type_aliases.find(name);
            alias != syntax_.type_aliases.end()) {
            advance();
            const Pos pos = type.pos;
            type = syntax_.types[alias->second];
            type.pos = pos;
            return true;
        }
        if (name == "quant.uniform" || name == "quant.calibrated" || name == "quant.any")
            return fail_unsupported(token_.pos, "quantised type");
        advance();
        if (name == "stablehlo.token" || name == "mhlo.token") {
            type.kind = TypeKind::kTensor;
            type.tensor = module_.intern_type({ir::ElementType::kToken, {}});
        }
    } else if (token_.is(TokenKind::kWord)) {
        const std::string_view name = token_.text;
        const auto element = name == "index" ? std::optional(ir::ElementType::kS64)
                                             : ir::parse_mlir_element_type(name);
        if (element) {
            type.kind = TypeKind::kScalar;
            type.element = *element;
        } else if (name != "complex" && name != "tuple" && name != "none" && name != "vector" &&
                   name != "memref") {
            return fail(token_.pos, fmt::format("unknown type '{}'", name.substr(0, 60)), "a type");
        }
        advance();
    } else {
        return unexpected("a type");
    }
    if (token_.is('<')) {
        std::string_view body;
        if (!balanced(body)) return false;
        type.text = source_.text.substr(
            type.pos,
            static_cast<std::size_t>(body.data() + body.size() - (source_.text.data() + type.pos)));
        if (type.text == "complex<f32>" || type.text == "complex<f64>") {
            type.kind = TypeKind::kScalar;
            type.element = *ir::parse_mlir_element_type(type.text);
        }
    } else {
        type.text = source_.text.substr(type.pos, token_.pos - type.pos);
    }
    return true;
}

bool Parser::parse_tensor(ParsedType& type) {
    advance();
    if (!token_.is('<')) return unexpected("'<' of a tensor type");
    // Dims and element type are read by character: `2x3xf32` is not made of MLIR's own tokens.
    const std::string_view text = source_.text;
    const Pos end = lexer_.end();
    Pos p = token_.pos + 1;
    ir::TensorType tensor;
    std::int64_t elements = 1;
    const auto blank = [&] {
        while (p < end && (text[p] == ' ' || text[p] == '\n' || text[p] == '\t' || text[p] == '\r'))
            ++p;
    };
    blank();
    while (p < end && ((text[p] >= '0' && text[p] <= '9') || text[p] == '?' || text[p] == '*')) {
        if (text[p] == '?') return fail_unsupported(p, "dynamic dimension");
        if (text[p] == '*') return fail_unsupported(p, "unranked tensor");
        const Pos start = p;
        std::int64_t size = 0;
        for (; p < end && text[p] >= '0' && text[p] <= '9'; ++p) {
            size = size * 10 + (text[p] - '0');
            if (size > kMaxElements) return fail(start, "dimension too large", "a size below 2^53");
        }
        if (size > 0 && elements > kMaxElements / size)
            return fail(start, "tensor too large", "fewer than 2^53 elements");
        if (size > 0) elements *= size;
        blank();
        if (p >= end || text[p] != 'x')
            return fail(p, "malformed tensor type", "'x' after a dimension");
        ++p;
        blank();
        if (tensor.dims.size() == 64) return fail(start, "tensor of more than 64 dimensions");
        tensor.dims.push_back(size);
    }
    const Pos element_pos = p;
    while (p < end && text[p] != '>' && text[p] != ',' && text[p] != '<' && text[p] != ' ') ++p;
    if (p < end && text[p] == '<') p = skip_balanced(text, p, end);
    const std::string_view name = text.substr(element_pos, p - element_pos);
    auto element = ir::parse_mlir_element_type(name);
    if (name == "index") element = ir::ElementType::kS64;
    if (!element) {
        if (name.starts_with("!quant.")) return fail_unsupported(element_pos, "quantised type");
        if (name.starts_with('!')) {
            const auto alias = syntax_.type_aliases.find(name.substr(1));
            if (alias != syntax_.type_aliases.end() &&
                syntax_.types[alias->second].kind == TypeKind::kScalar)
                element = syntax_.types[alias->second].element;
        }
        if (!element)
            return fail(element_pos, fmt::format("unknown element type '{}'", name.substr(0, 60)),
                        "an element type such as f32, bf16, i32, ui8, i1 or complex<f32>");
    }
    tensor.element = *element;
    blank();
    if (p < end && text[p] == ',') {
        // An encoding. Bounds come with dynamic dims only, so what is left does not concern us.
        Pos q = p;
        while (q < end && text[q] != '<' && text[q] != '>') ++q;
        if (q < end && text[q] == '<') q = skip_balanced(text, q, end);
        p = q;
        blank();
    }
    if (p >= end || text[p] != '>') return fail(p, "malformed tensor type", "'>'");
    type.kind = TypeKind::kTensor;
    type.tensor = module_.intern_type(tensor);
    type.text = text.substr(type.pos, p + 1 - type.pos);
    reread_from(p + 1);
    return true;
}

bool Parser::parse_type_list(Range& range) {
    InlineVector<ParsedType, 4> list;
    do {
        list.emplace_back();
        if (!parse_type_into(list.back())) return false;
    } while (accept(','));
    range = {static_cast<std::uint32_t>(syntax_.types.size()),
             static_cast<std::uint32_t>(list.size())};
    syntax_.types.insert(syntax_.types.end(), list.begin(), list.end());
    return true;
}

bool Parser::parse_type_tuple(Range& range) {
    if (!expect('(')) return false;
    range = {static_cast<std::uint32_t>(syntax_.types.size()), 0};
    if (accept(')')) return true;
    return parse_type_list(range) && expect(')');
}

bool Parser::parse_function_type(Range& inputs, Range& results) {
    if (!parse_type_tuple(inputs) || !expect_arrow()) return false;
    if (token_.is('(')) return parse_type_tuple(results);
    std::uint32_t type = 0;
    if (!parse_type(type)) return false;
    results = {type, 1};
    return true;
}

}  // namespace shardwright::formats::mlir
