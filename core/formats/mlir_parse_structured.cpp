// Pretty forms with a structure of their own: convolution, reduce, while, calls, globals.
#include <fmt/format.h>

#include "formats/mlir_parser.h"

namespace shardwright::formats::mlir {

bool Parser::parse_window(Draft& draft) {
    AttrList window;
    if (!parse_dict(window)) return false;
    for (const NamedAttr& entry : window) {
        const std::string_view key = entry.name;
        draft.set(key == "stride"       ? "window_strides"
                  : key == "pad"        ? "padding"
                  : key == "lhs_dilate" ? "lhs_dilation"
                  : key == "rhs_dilate" ? "rhs_dilation"
                  : key == "reverse"    ? "window_reversal"
                                        : key,
                  entry.value);
    }
    return true;
}

bool Parser::parse_convolution(Draft& draft) {
    if (!parse_use_tuple(draft) || !expect_word("dim_numbers") || !expect('=')) return false;
    Attr dims;
    dims.kind = AttrKind::kDialect;
    dims.pos = token_.pos;
    std::string_view part;
    for (int i = 0; i < 3; ++i) {
        if (i == 1 && !expect_word("x")) return false;
        if (i == 2 && !expect_arrow()) return false;
        if (!token_.is('[')) return unexpected("'['");
        if (!balanced(part)) return false;
    }
    dims.text = source_.text.substr(
        dims.pos,
        static_cast<std::size_t>(part.data() + part.size() - (source_.text.data() + dims.pos)));
    draft.set("dimension_numbers", add(dims));
    if (accept(',')) {
        if (!expect_word("window") || !expect('=') || !parse_window(draft)) return false;
    }
    return parse_tail(draft);
}

bool Parser::parse_reducer_of_one(Draft& draft, Pos pos, std::string_view name, AttrList attrs) {
    const Operation* known = find_operation(name);
    if (known == nullptr)
        return fail(pos, fmt::format("unknown operation '{}'", name.substr(0, 80)),
                    "a combining operation such as stablehlo.add");
    const std::size_t inputs = draft.operands.size() / 2;
    if (inputs != 1 || draft.op.operand_types.count != 2)
        return fail(pos, "'applies' combines one input", "a reducer region for several inputs");
    const ParsedType element = syntax_.types[draft.op.operand_types.begin + 1];
    RawRegion region;
    region.pos = pos;
    const auto type = static_cast<std::uint32_t>(syntax_.types.size());
    syntax_.types.push_back(element);
    const Argument arguments[] = {{{}, type, pos}, {{}, type, pos}};
    if (!define_arguments(region, arguments)) return false;
    const auto make = [&](const Operation* what, std::initializer_list<std::uint32_t> operands,
                          bool has_result) {
        RawOp op;
        op.known = what;
        op.pos = pos;
        op.line = line_;
        op.operands = {static_cast<std::uint32_t>(syntax_.uses.size()),
                       static_cast<std::uint32_t>(operands.size())};
        for (const std::uint32_t operand : operands) {
            syntax_.uses.push_back(operand);
            syntax_.use_places.push_back(pos);
        }
        bool good = true;
        op.first_result = define({}, has_result ? 1 : 0, pos, good);
        op.result_count = has_result ? 1 : 0;
        op.result_types = {type, op.result_count};
        op.attrs = has_result ? add_named(attrs) : Range{};
        syntax_.ops.push_back(op);
        return op;
    };
    const std::uint32_t a = region.first_argument;
    const RawOp combine = make(known, {a, a + 1}, true);
    make(find_operation("stablehlo.return"), {combine.first_result}, false);
    region.ops = {static_cast<std::uint32_t>(syntax_.op_ids.size()), 2};
    syntax_.op_ids.push_back(RawOpId(syntax_.ops.size() - 2));
    syntax_.op_ids.push_back(RawOpId(syntax_.ops.size() - 1));
    draft.regions.push_back(add_region(region));
    return true;
}

bool Parser::parse_reducer_arguments(Arguments& firsts, Arguments& seconds) {
    do {
        Arguments pair;
        const Pos pos = token_.pos;
        if (!parse_arguments(pair)) return false;
        if (pair.size() != 2)
            return fail(pos, fmt::format("reducer group of {} arguments", pair.size()),
                        "two arguments for each input");
        firsts.push_back(pair[0]);
        seconds.push_back(pair[1]);
    } while (token_.is('('));
    return true;
}

bool Parser::parse_reduce(Draft& draft) {
    if (token_.is(TokenKind::kValue)) return parse_list(draft);
    InlineVector<Use, 6> inits;
    do {  // (%input init: %init)
        if (!expect('(') || !parse_use(draft) || !expect_word("init") || !expect(':')) return false;
        if (!parse_use(draft)) return false;
        inits.push_back(draft.operands.back());
        draft.operands.pop_back();
        if (!expect(')')) return false;
    } while (accept(','));
    draft.operands.insert(draft.operands.end(), inits.begin(), inits.end());
    std::string_view combiner;
    Pos combiner_pos = 0;
    AttrList combiner_attrs;
    if (accept_word("applies")) {
        if (!token_.is(TokenKind::kWord)) return unexpected("an operation's name");
        combiner = token_.text;
        combiner_pos = token_.pos;
        advance();
        if (!parse_optional_dict(combiner_attrs)) return false;
    }
    if (!expect_word("across") || !expect_word("dimensions") || !expect('=')) return false;
    const Pos pos = token_.pos;
    std::vector<std::int64_t> dims;
    if (!parse_ints(dims)) return false;
    draft.set("dimensions", add_ints(pos, dims));
    if (!parse_tail(draft)) return false;
    if (!combiner.empty())
        return parse_reducer_of_one(draft, combiner_pos, combiner, combiner_attrs);
    if (!expect_word("reducer")) return false;
    Arguments arguments, seconds;
    if (!parse_reducer_arguments(arguments, seconds)) return false;
    arguments.insert(arguments.end(), seconds.begin(), seconds.end());
    RawRegionId region;
    if (!parse_region(region, arguments)) return false;
    draft.regions.push_back(region);
    return true;
}

bool Parser::parse_while(Draft& draft) {
    Arguments arguments;
    if (!expect('(')) return false;
    if (!accept(')')) {
        do {  // %iterArg = %init
            if (!token_.is(TokenKind::kValue)) return unexpected("an argument such as %iterArg");
            arguments.push_back({token_.text, 0, token_.pos});
            advance();
            if (!expect('=') || !parse_use(draft)) return false;
        } while (accept(','));
        if (!expect(')')) return false;
    }
    RawOp& op = draft.op;
    if (!arguments.empty()) {
        const Pos pos = token_.pos;
        if (!expect(':') || !parse_type_list(op.operand_types)) return false;
        if (op.operand_types.count != arguments.size())
            return fail(
                pos,
                fmt::format("{} types for {} values", op.operand_types.count, arguments.size()),
                "one type for each value");
        for (std::size_t i = 0; i < arguments.size(); ++i)
            arguments[i].type = op.operand_types.begin + static_cast<std::uint32_t>(i);
    }
    op.result_types = op.operand_types;
    if (accept_word("attributes") && !parse_dict(draft.attrs)) return false;
    for (const std::string_view word : {"cond", "do"}) {
        RawRegionId region;
        if (!expect_word(word) || !parse_region(region, arguments)) return false;
        draft.regions.push_back(region);
    }
    return true;
}

bool Parser::parse_custom_call(Draft& draft) {
    if (!token_.is(TokenKind::kSymbol)) return unexpected("the target's name, as in @Sharding");
    Attr target;
    target.kind = AttrKind::kString;
    target.pos = token_.pos;
    target.text = token_.text;
    draft.set("call_target_name", add(target));
    advance();
    return parse_use_tuple(draft) && parse_tail(draft);
}

bool Parser::parse_call(Draft& draft) {
    if (!token_.is(TokenKind::kSymbol)) return unexpected("the called function, as in @f");
    AttrId callee;
    if (!parse_attribute(callee)) return false;
    draft.set("callee", callee);
    return parse_use_tuple(draft) && parse_tail(draft);
}

bool Parser::parse_composite(Draft& draft) {
    AttrId name;
    if (!token_.is(TokenKind::kString)) return unexpected("the composite's name in quotes");
    if (!parse_attribute(name)) return false;
    draft.set("name", name);
    if (token_.is('(')) {
        if (!parse_use_tuple(draft)) return false;
    } else if (token_.is(TokenKind::kValue) && !parse_uses(draft)) {
        return false;
    }
    return parse_tail(draft);
}

bool Parser::parse_global(Draft& draft) {
    while (token_.is(TokenKind::kWord)) advance();  // private, mutable
    Attr name;
    if (!token_.is(TokenKind::kSymbol)) return unexpected("the global's name, as in @w");
    name.kind = AttrKind::kString;
    name.pos = token_.pos;
    name.text = token_.text;
    draft.set("sym_name", add(name));
    advance();
    AttrId value;
    if (accept('(')) {  // ml_program: (value) : type
        if (!parse_attribute(value) || !expect(')')) return false;
        draft.set("value", value);
    }
    if (!parse_optional_dict(draft.attrs)) return false;
    std::uint32_t type = 0;
    if (accept(':') && !parse_type(type)) return false;
    if (accept('=')) {
        if (!parse_attribute(value)) return false;
        draft.set("value", value);
        if (accept(':') && !parse_type(type)) return false;
    }
    return true;
}

bool Parser::parse_global_address(Draft& draft) {
    accept_word("immutable");
    AttrId name;
    if (!token_.is(TokenKind::kSymbol)) return unexpected("the global's name, as in @w");
    if (!parse_attribute(name)) return false;
    draft.set("global", name);
    if (!parse_optional_dict(draft.attrs) || !expect(':')) return false;
    std::uint32_t type = 0;
    if (!parse_type(type)) return false;
    draft.op.result_types = {type, 1};
    return true;
}

bool Parser::parse_global_load(Draft& draft) {
    accept_word("immutable");
    if (!parse_use(draft)) return false;
    return parse_tail(draft);
}

}  // namespace shardwright::formats::mlir
