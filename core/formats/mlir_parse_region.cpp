// Regions: one block, its arguments, its operations.
#include "formats/mlir_parser.h"

namespace shardwright::formats::mlir {

RawRegionId Parser::add_region(const RawRegion& region) {
    syntax_.regions.push_back(region);
    return RawRegionId(syntax_.regions.size() - 1);
}

bool Parser::define_arguments(RawRegion& region, std::span<const Argument> arguments) {
    region.argument_count = static_cast<std::uint32_t>(arguments.size());
    region.argument_types = {static_cast<std::uint32_t>(syntax_.types.size()),
                             region.argument_count};
    for (const Argument& argument : arguments) {
        const ParsedType type = syntax_.types[argument.type];
        syntax_.types.push_back(type);
    }
    region.first_argument = static_cast<std::uint32_t>(syntax_.values.size()) - values_base_;
    bool good = true;
    for (const Argument& argument : arguments) {
        define(argument.name, 1, argument.pos, good);
        if (!good) return false;
    }
    return true;
}

bool Parser::parse_arguments(Arguments& arguments) {
    if (!expect('(')) return false;
    if (accept(')')) return true;
    do {
        if (!token_.is(TokenKind::kValue)) return unexpected("an argument such as %arg0");
        Argument argument{token_.text, 0, token_.pos};
        advance();
        if (!expect(':') || !parse_type(argument.type)) return false;
        AttrList attrs;
        LocationId location;
        if (!parse_optional_dict(attrs) || !parse_optional_location(location)) return false;
        arguments.push_back(argument);
    } while (accept(','));
    return expect(')');
}

bool Parser::parse_operations(RawRegion& region) {
    std::vector<RawOpId> ops;
    while (!token_.is('}')) {
        if (token_.is(TokenKind::kEnd)) return unexpected("'}'");
        if (token_.is(TokenKind::kBlock))
            return fail_unsupported(token_.pos, "region of several blocks");
        if (!parse_operation(ops)) return false;
    }
    region.ops = {static_cast<std::uint32_t>(syntax_.op_ids.size()),
                  static_cast<std::uint32_t>(ops.size())};
    syntax_.op_ids.insert(syntax_.op_ids.end(), ops.begin(), ops.end());
    return true;
}

bool Parser::parse_region(RawRegionId& id, std::span<const Argument> given) {
    if (too_deep()) return false;
    const Nested nested(*this);
    RawRegion region;
    region.pos = token_.pos;
    if (!expect('{')) return false;
    const std::size_t mark = names_.mark();
    Arguments arguments(given.begin(), given.end());
    if (token_.is(TokenKind::kBlock)) {
        advance();
        if (token_.is('(') && !parse_arguments(arguments)) return false;
        if (!expect(':')) return false;
    }
    if (!define_arguments(region, arguments) || !parse_operations(region)) return false;
    names_.leave(mark);
    if (!expect('}')) return false;
    id = add_region(region);
    return true;
}

}  // namespace shardwright::formats::mlir
