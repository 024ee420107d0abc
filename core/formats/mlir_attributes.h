#pragma once
// Attributes of one operation as numbers, whichever of MLIR's spellings they came in.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/inline_vector.h"
#include "formats/mlir_syntax.h"

namespace shardwright::formats::mlir {

/// Reads the attributes of `op`. The `bool` functions return false after recording an error; an
/// attribute that is absent leaves the value alone and is an error only for the `need_` functions.
class OpReader {
  public:
    OpReader(const Source& source, const Syntax& syntax, const ir::Module& module, const RawOp& op)
        : source_(source), syntax_(syntax), module_(module), op_(op) {}

    const Attr* find(std::string_view name) const { return syntax_.find(op_.attrs, name); }
    bool has(std::string_view name) const { return find(name) != nullptr; }
    /// `array<i64: 1, 2>`, `[1, 2]`, `dense<[1, 2]> : tensor<2xi64>` or a splat of it.
    bool dims(std::string_view name, Dims& out);
    bool need_dims(std::string_view name, Dims& out);
    bool integer(std::string_view name, std::int64_t& out);
    bool need_integer(std::string_view name, std::int64_t& out);
    bool number(std::string_view name, double& out);
    bool flag(std::string_view name, bool& out);
    /// The keyword of an enumeration: `#stablehlo<comparison_direction LT>`, `LT` or `"LT"`.
    bool word(std::string_view name, std::string_view& out);
    /// The text of a string attribute, escapes resolved; "" when absent.
    std::string string(std::string_view name) const;
    std::string_view symbol(std::string_view name) const;
    /// Rows of integers: `dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>` or `[[0, 1], [2, 3]]`.
    bool rows(std::string_view name, std::vector<std::vector<std::int64_t>>& out);
    /// A field `key = [1, 2]` or `key = 3` of `#stablehlo.gather<…>` or of a dictionary.
    bool field(const Attr& attr, std::string_view key, Dims& out);
    bool field(const Attr& attr, std::string_view key, std::int64_t& out);

    /// `precision_config`: one or two of DEFAULT, HIGH, HIGHEST.
    bool precisions(ir::Precision& lhs, ir::Precision& rhs);

    bool fail(Pos pos, std::string what, std::string expected = {});
    bool fail(std::string what, std::string expected = {}) {
        return fail(op_.pos, std::move(what), std::move(expected));
    }
    std::optional<Diagnostic>& error() { return error_; }
    const RawOp& op() const { return op_; }

  private:
    bool ints_of(const Attr& attr, Dims& out);

    const Source& source_;
    const Syntax& syntax_;
    const ir::Module& module_;
    const RawOp& op_;
    std::optional<Diagnostic> error_;
};

/// What stands between the outermost angle brackets of `#dialect.name<…>`.
std::string_view angle_body(std::string_view text);

}  // namespace shardwright::formats::mlir
