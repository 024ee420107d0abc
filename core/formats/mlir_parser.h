#pragma once
// Text to `Syntax`: one pass, recursive descent with a bounded depth, one error.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/mlir_lexer.h"
#include "formats/mlir_names.h"
#include "formats/mlir_syntax.h"

namespace shardwright::formats::mlir {

/// Parses one module. All `bool` functions return false after recording the first error; parsing
/// then unwinds. Tensor types are interned in `module`.
class Parser {
  public:
    Parser(const Source& source, ir::Module& module, Syntax& syntax);
    /// Reads everything up to the source's end. Several top-level modules are an error here: the
    /// caller splits them.
    Status parse();

  private:
    // --- tokens (mlir_parser.cpp) ---
    void advance() {
        last_end_ = lexer_.pos();
        token_ = lexer_.next();
    }
    bool fail(Pos pos, std::string what, std::string expected = {});
    bool fail_unsupported(Pos pos, std::string what);
    /// "found X, expected Y" at the current token.
    bool unexpected(std::string expected);
    bool expect(char c);
    bool accept(char c);
    bool accept_word(std::string_view word);
    bool expect_word(std::string_view word);
    bool expect_arrow();
    std::uint32_t line_of(Pos pos);
    /// Moves reading to `pos`, dropping the looked-ahead token.
    void reread_from(Pos pos) {
        lexer_.seek(pos);
        advance();
    }
    /// Takes a balanced stretch that opens at the current token; its text with brackets.
    bool balanced(std::string_view& text);
    struct Nested {
        explicit Nested(Parser& p) : parser(p) { ++parser.depth_; }
        ~Nested() { --parser.depth_; }
        Nested(const Nested&) = delete;
        Nested& operator=(const Nested&) = delete;
        Parser& parser;
    };
    bool too_deep();

    // --- types (mlir_parse_type.cpp) ---
    bool parse_type(std::uint32_t& type);
    bool parse_type_into(ParsedType& type);
    bool parse_tensor(ParsedType& type);
    /// `t, t, …` without parentheses, at least one.
    bool parse_type_list(Range& range);
    /// `(t, …)`, perhaps empty.
    bool parse_type_tuple(Range& range);
    /// `(…) -> (…)` or `(…) -> t`.
    bool parse_function_type(Range& inputs, Range& results);

    // --- attributes (mlir_parse_attribute.cpp) ---
    bool parse_attribute(AttrId& id);
    bool parse_number(AttrId& id, bool negative, Pos start, bool may_have_type = true);
    bool parse_array(AttrId& id);
    bool parse_dense_array(AttrId& id);
    bool parse_dense(AttrId& id, bool is_resource);
    /// `{a = 1, b}` appended to `out`.
    bool parse_dict(AttrList& out);
    /// The same if there is one here.
    bool parse_optional_dict(AttrList& out);
    AttrId add(Attr attr);
    AttrId add_ints(Pos pos, const std::vector<std::int64_t>& ints);
    Range add_named(const AttrList& attrs);
    /// A list of integers in brackets: `[0, 1]`.
    bool parse_ints(std::vector<std::int64_t>& ints);
    bool parse_integer(std::int64_t& value);

    // --- locations (mlir_parser.cpp) ---
    bool parse_optional_location(LocationId& id);

    // --- operations (mlir_parse_operation.cpp) ---
    struct Use {
        std::uint32_t value;
        Pos pos;
    };
    /// An operation while it is being read.
    struct Draft {
        RawOp op;
        InlineVector<Use, 6> operands;
        AttrList attrs;
        InlineVector<RawRegionId, 2> regions;
        void set(std::string_view name, AttrId value) { attrs.push_back({name, value, {}}); }
    };
    bool parse_operation(std::vector<RawOpId>& into);
    bool parse_generic(Draft& draft);
    bool parse_pretty(Draft& draft);
    bool parse_use(Draft& draft);
    bool parse_uses(Draft& draft);       ///< `%a, %b`, at least one
    bool parse_use_tuple(Draft& draft);  ///< `(%a, %b)`
    /// `: t`, `: t, t`, `: t -> t` or `: (t) -> t`.
    bool parse_signature(Draft& draft);
    /// `{attributes} : signature`.
    bool parse_tail(Draft& draft);
    std::uint32_t define(std::string_view name, std::uint32_t count, Pos pos, bool& good);

    // --- regions (mlir_parse_region.cpp) ---
    struct Argument {
        std::string_view name;
        std::uint32_t type = 0;
        Pos pos = 0;
    };
    using Arguments = std::vector<Argument>;
    /// `{ … }` whose block may begin with `^bb0(%a: t):`; `given` are arguments named before it.
    bool parse_region(RawRegionId& id, std::span<const Argument> given = {});
    /// `(%a: t, %b: t)`, with locations and attributes skipped.
    bool parse_arguments(Arguments& arguments);
    bool parse_operations(RawRegion& region);
    bool define_arguments(RawRegion& region, std::span<const Argument> arguments);
    RawRegionId add_region(const RawRegion& region);

    // --- pretty forms by family (mlir_parse_list.cpp, mlir_parse_structured.cpp, …) ---
    bool parse_list(Draft& draft);
    bool parse_keyed(Draft& draft);
    bool parse_keyed_value(AttrId& id);
    bool parse_pair(Draft& draft, std::string_view first, std::string_view second);
    bool parse_slice(Draft& draft);
    bool parse_compare(Draft& draft);
    bool parse_constant(Draft& draft);
    bool parse_check_constant(Draft& draft);
    bool parse_return(Draft& draft);
    bool parse_convolution(Draft& draft);
    bool parse_window(Draft& draft);
    bool parse_reduce(Draft& draft);
    bool parse_reducer_arguments(Arguments& firsts, Arguments& seconds);
    bool parse_reducer_of_one(Draft& draft, Pos pos, std::string_view name, AttrList attrs);
    bool parse_while(Draft& draft);
    bool parse_custom_call(Draft& draft);
    bool parse_call(Draft& draft);
    bool parse_composite(Draft& draft);
    bool parse_global(Draft& draft);
    bool parse_global_address(Draft& draft);
    bool parse_global_load(Draft& draft);
    bool parse_sdy(Draft& draft);
    bool parse_sdy_manual(Draft& draft);
    bool parse_sdy_mesh(Draft& draft);
    /// A bracketed stretch kept as text under the name `attr`.
    bool parse_text(Draft& draft, std::string_view attr);
    bool parse_keyed_text(Draft& draft, std::string_view key, bool required);

    // --- module level (mlir_parse_module.cpp) ---
    bool parse_top_level();
    bool parse_module(bool generic);
    bool parse_module_items();
    bool parse_alias();
    bool parse_resources();
    bool parse_function();
    bool parse_generic_function();
    bool parse_function_arguments(RawFunction& function, Arguments& arguments);
    bool parse_function_results(RawFunction& function);
    void begin_function(RawFunction& function);
    void end_function(RawFunction& function);
    void dict_list(const Attr* array, std::vector<Range>& out, std::size_t count);

    const Source& source_;
    ir::Module& module_;
    Syntax& syntax_;
    Lexer lexer_;
    Token token_;
    Pos last_end_ = 0;  ///< end of the token before `token_`
    NameTable names_;
    std::uint32_t values_base_ = 0;
    int depth_ = 0;
    Pos line_pos_ = 0;
    std::uint32_t line_ = 1;
    bool seen_module_ = false;
    std::optional<Diagnostic> error_;
};

}  // namespace shardwright::formats::mlir
