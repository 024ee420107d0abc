// Modules, functions, aliases, resources.
#include <fmt/format.h>

#include "formats/mlir_parser.h"

namespace shardwright::formats::mlir {

bool Parser::parse_top_level() {
    while (!token_.is(TokenKind::kEnd)) {
        if (token_.is_word("module") || token_.is_word("builtin.module") ||
            (token_.is(TokenKind::kString) && token_.text == "builtin.module")) {
            if (seen_module_)
                return fail(token_.pos, "a second module in one piece of text",
                            "modules to be separated by a line '// -----'");
            seen_module_ = true;
            if (!parse_module(token_.is(TokenKind::kString))) return false;
        } else if (!parse_module_items()) {
            return false;
        } else if (token_.is('}')) {
            return unexpected("a function or a module");
        }
    }
    return true;
}

bool Parser::parse_module(bool generic) {
    if (too_deep()) return false;
    const Nested nested(*this);
    syntax_.pos = token_.pos;
    advance();
    AttrList attrs;
    if (generic) {
        Draft draft;
        if (!parse_use_tuple(draft)) return false;
        if (accept('<') && (!parse_dict(attrs) || !expect('>'))) return false;
        if (!expect('(')) return false;
    } else {
        if (token_.is(TokenKind::kSymbol)) {
            syntax_.module_name = token_.text;
            advance();
        }
        if (accept_word("attributes") && !parse_dict(attrs)) return false;
    }
    const Pos open = token_.pos;
    if (!expect('{')) return false;
    if (token_.is(TokenKind::kBlock)) {
        advance();
        if (!expect(':')) return false;
    }
    while (!token_.is('}')) {
        if (token_.is(TokenKind::kEnd)) {
            return fail(token_.pos,
                        "the module that began in line " +
                            std::to_string(source_.at(open, "").line) + " is not finished",
                        "'}'");
        }
        if (token_.is_word("module") || token_.is_word("builtin.module")) {
            if (!parse_module(false)) return false;
        } else if (!parse_module_items()) {
            return false;
        }
    }
    advance();
    if (generic) {
        Range inputs, results;
        if (!expect(')') || !parse_optional_dict(attrs) || !expect(':') ||
            !parse_function_type(inputs, results))
            return false;
    }
    LocationId location;
    if (!parse_optional_location(location)) return false;
    for (const NamedAttr& attr : attrs)
        if (attr.name == "sym_name") syntax_.module_name = syntax_.attr(attr.value).text;
    syntax_.module_attrs = add_named(attrs);
    return true;
}

// One item of a module: a function, an alias, a mesh, a global, a resource section.
bool Parser::parse_module_items() {
    if (token_.is(TokenKind::kHash) || token_.is(TokenKind::kBang)) return parse_alias();
    if (token_.is(TokenKind::kOpenResources)) return parse_resources();
    if (token_.is_word("func.func") || token_.is_word("func")) return parse_function();
    if (token_.is(TokenKind::kString) && token_.text == "func.func")
        return parse_generic_function();
    if (token_.is('}') || token_.is(TokenKind::kEnd)) return true;
    const Pos pos = token_.pos;
    std::vector<RawOpId> ops;
    values_base_ = static_cast<std::uint32_t>(syntax_.values.size());
    const std::size_t mark = names_.mark();
    if (!parse_operation(ops)) return false;
    names_.leave(mark);
    const Lower lower = syntax_.ops[ops.back().index].known->lower;
    if (lower != Lower::kMesh && lower != Lower::kGlobal)
        return fail(pos, "operation outside a function", "func.func, sdy.mesh or a global");
    syntax_.top_level.push_back(ops.back());
    return true;
}

bool Parser::parse_alias() {
    const Token name = token_;
    advance();
    if (!expect('=')) return false;
    if (name.is(TokenKind::kBang)) {
        std::uint32_t type = 0;
        if (!parse_type(type)) return false;
        syntax_.type_aliases[name.text] = type;
        return true;
    }
    if (token_.is_word("loc")) {
        LocationId location;
        if (!parse_optional_location(location)) return false;
        syntax_.location_aliases[name.text] = syntax_.locations[location.index].text;
        return true;
    }
    AttrId value;
    if (!parse_attribute(value)) return false;
    syntax_.attr_aliases[name.text] = value;
    return true;
}

// {-# dialect_resources: { builtin: { name: "0x…" } }, external_resources: { … } #-}
bool Parser::parse_resources() {
    const Pos open = token_.pos;
    advance();
    int depth = 0;
    while (!token_.is(TokenKind::kCloseResources)) {
        if (token_.is(TokenKind::kEnd)) return fail(open, "unfinished resource section", "'#-}'");
        if (token_.is('{')) ++depth;
        if (token_.is('}')) --depth;
        const Token key = token_;
        advance();
        if (depth != 2 || !(key.is(TokenKind::kWord) || key.is(TokenKind::kString))) continue;
        if (!token_.is(':')) continue;
        advance();
        if (token_.is(TokenKind::kString)) {
            syntax_.resources[key.text] = token_.text;
            advance();
        }
    }
    advance();
    return true;
}

void Parser::begin_function(RawFunction& function) {
    values_base_ = static_cast<std::uint32_t>(syntax_.values.size());
    function.values.begin = values_base_;
}

void Parser::end_function(RawFunction& function) {
    function.values.count = static_cast<std::uint32_t>(syntax_.values.size()) - values_base_;
    syntax_.functions.push_back(std::move(function));
}

bool Parser::parse_function_arguments(RawFunction& function, Arguments& arguments) {
    if (!expect('(')) return false;
    if (accept(')')) return true;
    do {
        Argument argument;
        argument.pos = token_.pos;
        if (token_.is(TokenKind::kValue)) {  // a declaration has types alone
            argument.name = token_.text;
            advance();
            if (!expect(':')) return false;
        }
        if (!parse_type(argument.type)) return false;
        AttrList attrs;
        LocationId location;
        if (!parse_optional_dict(attrs) || !parse_optional_location(location)) return false;
        arguments.push_back(argument);
        function.argument_attrs.push_back(add_named(attrs));
        function.argument_locations.push_back(location);
    } while (accept(','));
    return expect(')');
}

bool Parser::parse_function_results(RawFunction& function) {
    if (!token_.is(TokenKind::kArrow)) return true;
    advance();
    InlineVector<ParsedType, 4> types;
    if (!token_.is('(')) {
        types.emplace_back();
        if (!parse_type_into(types.back())) return false;
        function.result_attrs.emplace_back();
    } else {
        advance();
        if (!accept(')')) {
            do {
                types.emplace_back();
                if (!parse_type_into(types.back())) return false;
                AttrList attrs;
                if (!parse_optional_dict(attrs)) return false;
                function.result_attrs.push_back(add_named(attrs));
            } while (accept(','));
            if (!expect(')')) return false;
        }
    }
    function.result_types = {static_cast<std::uint32_t>(syntax_.types.size()),
                             static_cast<std::uint32_t>(types.size())};
    syntax_.types.insert(syntax_.types.end(), types.begin(), types.end());
    return true;
}

bool Parser::parse_function() {
    RawFunction function;
    function.pos = token_.pos;
    advance();
    while (token_.is(TokenKind::kWord)) {
        function.is_private = function.is_private || token_.text == "private";
        advance();
    }
    if (!token_.is(TokenKind::kSymbol)) return unexpected("the function's name, as in @main");
    function.name = token_.text;
    function.pos = token_.pos;
    advance();
    begin_function(function);
    Arguments arguments;
    if (!parse_function_arguments(function, arguments)) return false;
    if (!parse_function_results(function)) return false;
    AttrList attrs;
    if (accept_word("attributes") && !parse_dict(attrs)) return false;
    function.attrs = add_named(attrs);
    if (token_.is('{')) {
        function.has_body = true;
        if (!parse_region(function.body, arguments)) return false;
    }
    if (!parse_optional_location(function.location)) return false;
    end_function(function);
    return true;
}

void Parser::dict_list(const Attr* array, std::vector<Range>& out, std::size_t count) {
    out.assign(count, Range{});
    if (array == nullptr || array->kind != AttrKind::kArray) return;
    for (std::size_t i = 0; i < count && i < array->range.count; ++i) {
        const Attr& entry = syntax_.resolve(syntax_.attr_ids[array->range.begin + i]);
        if (entry.kind == AttrKind::kDict) out[i] = entry.range;
    }
}

bool Parser::parse_generic_function() {
    RawFunction function;
    function.pos = token_.pos;
    advance();
    begin_function(function);
    AttrList attrs;
    if (!expect('(') || !expect(')')) return false;
    if (accept('<') && (!parse_dict(attrs) || !expect('>'))) return false;
    if (!expect('(') || !parse_region(function.body)) return false;
    if (!expect(')') || !parse_optional_dict(attrs) || !expect(':')) return false;
    Range inputs, results;
    if (!parse_function_type(inputs, results)) return false;
    if (!parse_optional_location(function.location)) return false;
    function.attrs = add_named(attrs);
    const Attr* name = syntax_.find(function.attrs, "sym_name");
    if (name == nullptr || name->kind != AttrKind::kString)
        return fail(function.pos, "function without a name", "sym_name = \"…\"");
    function.name = name->text;
    const Attr* visibility = syntax_.find(function.attrs, "sym_visibility");
    function.is_private = visibility != nullptr && visibility->text == "private";
    const RawRegion& body = syntax_.regions[function.body.index];
    function.has_body = body.ops.count > 0;
    const Attr* type = syntax_.find(function.attrs, "function_type");
    if (type == nullptr || type->kind != AttrKind::kType ||
        syntax_.types[type->type].kind != TypeKind::kFunction)
        return fail(function.pos, "function without a type", "function_type = (…) -> …");
    function.result_types = syntax_.types[type->type].results;
    dict_list(syntax_.find(function.attrs, "arg_attrs"), function.argument_attrs,
              body.argument_count);
    dict_list(syntax_.find(function.attrs, "res_attrs"), function.result_attrs,
              function.result_types.count);
    function.argument_locations.resize(body.argument_count);
    end_function(function);
    return true;
}

}  // namespace shardwright::formats::mlir
