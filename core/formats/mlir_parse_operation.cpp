// One operation in any spelling, down to its `RawOp`.
#include <fmt/format.h>

#include "formats/mlir_parser.h"

namespace shardwright::formats::mlir {

std::uint32_t Parser::define(std::string_view name, std::uint32_t count, Pos pos, bool& good) {
    const auto first = static_cast<std::uint32_t>(syntax_.values.size()) - values_base_;
    for (std::uint32_t i = 0; i < count; ++i)
        syntax_.values.push_back({name, count == 1 ? UINT32_MAX : i});
    good = name.empty() || count == 0 || names_.define(name, first, count);
    if (!good) fail(pos, fmt::format("value '%{}' is defined twice", name), "a new name");
    return first;
}

bool Parser::parse_use(Draft& draft) {
    if (!token_.is(TokenKind::kValue)) return unexpected("a value such as %0");
    const NameTable::Entry* entry = names_.find(token_.text);
    if (entry == nullptr)
        return fail(token_.pos,
                    fmt::format("value '%{}' is not defined", token_.text.substr(0, 60)),
                    "a value defined above in this function");
    const Pos pos = token_.pos;
    std::uint32_t value = entry->first;
    const std::uint32_t count = entry->count;
    const std::string_view name = token_.text;
    advance();
    if (token_.is(TokenKind::kHash) && token_.text[0] >= '0' && token_.text[0] <= '9') {
        std::uint64_t number = 0;
        for (const char c : token_.text.substr(0, 10))
            number = number * 10 + static_cast<std::uint64_t>(c - '0');
        if (number >= count)
            return fail(token_.pos, fmt::format("'%{}' has no result {}", name, token_.text),
                        fmt::format("a number below {}", count));
        value += static_cast<std::uint32_t>(number);
        advance();
    }
    draft.operands.push_back({value, pos});
    return true;
}

bool Parser::parse_uses(Draft& draft) {
    do {
        if (!parse_use(draft)) return false;
    } while (accept(','));
    return true;
}

bool Parser::parse_use_tuple(Draft& draft) {
    if (!expect('(')) return false;
    if (accept(')')) return true;
    return parse_uses(draft) && expect(')');
}

bool Parser::parse_signature(Draft& draft) {
    if (!expect(':')) return false;
    RawOp& op = draft.op;
    const bool tuple = token_.is('(');
    if (!(tuple ? parse_type_tuple(op.operand_types) : parse_type_list(op.operand_types)))
        return false;
    if (token_.is(TokenKind::kArrow)) {
        advance();
        if (token_.is('(')) return parse_type_tuple(op.result_types);
        std::uint32_t type = 0;
        if (!parse_type(type)) return false;
        op.result_types = {type, 1};
        return true;
    }
    if (tuple) return unexpected("'->'");
    // A plain list: one type for all (select: the last), or one for each result.
    if (op.known->form == Form::kPairwise) {
        op.result_types = op.operand_types;
    } else if (op.known->form != Form::kNoResult) {
        op.result_types = {op.operand_types.begin + op.operand_types.count - 1, 1};
    }
    op.operand_types = {};
    return true;
}

bool Parser::parse_tail(Draft& draft) {
    return parse_optional_dict(draft.attrs) && parse_signature(draft);
}

bool Parser::parse_generic(Draft& draft) {
    const Token name = token_;
    advance();
    draft.op.known = find_operation(name.text);
    if (draft.op.known == nullptr)
        return fail(name.pos, fmt::format("unknown operation '{}'", name.text.substr(0, 80)),
                    "an operation of StableHLO, MHLO, CHLO, Shardy or func");
    if (!parse_use_tuple(draft)) return false;
    if (token_.is('[')) return fail_unsupported(token_.pos, "operation with successor blocks");
    if (accept('<') && (!parse_dict(draft.attrs) || !expect('>'))) return false;
    if (accept('(')) {
        do {
            RawRegionId region;
            if (!parse_region(region)) return false;
            draft.regions.push_back(region);
        } while (accept(','));
        if (!expect(')')) return false;
    }
    if (!parse_optional_dict(draft.attrs)) return false;
    if (!expect(':')) return false;
    return parse_function_type(draft.op.operand_types, draft.op.result_types);
}

bool Parser::parse_pretty(Draft& draft) {
    const Token name = token_;
    advance();
    draft.op.known = find_operation(name.text);
    if (draft.op.known == nullptr)
        return fail(name.pos, fmt::format("unknown operation '{}'", name.text.substr(0, 80)),
                    "an operation of StableHLO, MHLO, CHLO, Shardy or func");
    switch (draft.op.known->form) {
        case Form::kList:
        case Form::kPairwise:
        case Form::kNoResult:
            return parse_list(draft);
        case Form::kCompare:
            return parse_compare(draft);
        case Form::kSlice:
            return parse_slice(draft);
        case Form::kConvolution:
            return parse_convolution(draft);
        case Form::kReduce:
            return parse_reduce(draft);
        case Form::kWhile:
            return parse_while(draft);
        case Form::kCustomCall:
            return parse_custom_call(draft);
        case Form::kCall:
            return parse_call(draft);
        case Form::kComposite:
            return parse_composite(draft);
        case Form::kConstant:
            return parse_constant(draft);
        case Form::kCheckConstant:
            return parse_check_constant(draft);
        case Form::kReturn:
            return parse_return(draft);
        case Form::kGlobal:
            return parse_global(draft);
        case Form::kGlobalAddress:
            return parse_global_address(draft);
        case Form::kGlobalLoad:
            return parse_global_load(draft);
        case Form::kMesh:
            return parse_sdy_mesh(draft);
        case Form::kManual:
        case Form::kNamed:
            return parse_sdy_manual(draft);
        case Form::kSharded:
        case Form::kGroup:
        case Form::kBarrier:
        case Form::kEdge:
        case Form::kCollective:
            return parse_sdy(draft);
    }
    return false;
}

bool Parser::parse_operation(std::vector<RawOpId>& into) {
    Draft draft;
    RawOp& op = draft.op;
    struct Named {
        std::string_view name;
        std::uint32_t count;
        Pos pos;
    };
    InlineVector<Named, 4> results;
    if (token_.is(TokenKind::kValue)) {
        do {
            if (!token_.is(TokenKind::kValue)) return unexpected("a result's name");
            Named result{token_.text, 1, token_.pos};
            advance();
            if (accept(':')) {
                std::int64_t count = 0;
                const Pos pos = token_.pos;
                if (!parse_integer(count)) return false;
                if (count < 1 || count > 1'000'000)
                    return fail(pos, "impossible number of results", "1 to 1000000");
                result.count = static_cast<std::uint32_t>(count);
            }
            results.push_back(result);
        } while (accept(','));
        if (!expect('=')) return false;
    }
    op.pos = token_.pos;
    op.line = line_of(op.pos);
    if (token_.is(TokenKind::kString)) {
        if (!parse_generic(draft)) return false;
    } else if (token_.is(TokenKind::kWord)) {
        if (!parse_pretty(draft)) return false;
    } else {
        return unexpected("an operation");
    }
    if (!parse_optional_location(op.location)) return false;
    std::uint32_t named = 0;
    for (const Named& result : results) named += result.count;
    op.result_count = op.result_types.count;
    if (!results.empty() && named != op.result_count)
        return fail(
            results[0].pos,
            fmt::format("{} results are named and the operation has {}", named, op.result_count),
            "a name for each result");
    // The results come last: values of nested regions have been numbered meanwhile.
    op.first_result = static_cast<std::uint32_t>(syntax_.values.size()) - values_base_;
    bool good = true;
    for (const Named& result : results) {
        define(result.name, result.count, result.pos, good);
        if (!good) return false;
    }
    if (results.empty()) define({}, op.result_count, op.pos, good);
    op.operands = {static_cast<std::uint32_t>(syntax_.uses.size()),
                   static_cast<std::uint32_t>(draft.operands.size())};
    for (const Use& use : draft.operands) {
        syntax_.uses.push_back(use.value);
        syntax_.use_places.push_back(use.pos);
    }
    op.attrs = add_named(draft.attrs);
    op.regions = {static_cast<std::uint32_t>(syntax_.region_ids.size()),
                  static_cast<std::uint32_t>(draft.regions.size())};
    syntax_.region_ids.insert(syntax_.region_ids.end(), draft.regions.begin(), draft.regions.end());
    into.push_back(RawOpId(syntax_.ops.size()));
    syntax_.ops.push_back(op);
    return true;
}

}  // namespace shardwright::formats::mlir
