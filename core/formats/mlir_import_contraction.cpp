// Dimension numbers of dot and convolution in all their spellings.
#include <fmt/format.h>

#include <charconv>

#include "formats/mlir_import.h"
#include "formats/mlir_lexer.h"

namespace shardwright::formats::mlir {

bool decode_dot(OpReader& r, ir::Module& module, ir::Attributes& out);
bool decode_convolution(OpReader& r, std::size_t rank, ir::Attributes& out);

bool decode_dot(OpReader& r, ir::Module& module, ir::Attributes& out) {
    ir::DotAttributes a;
    const std::pair<std::string_view, Dims*> fields[] = {
        {"lhs_batching_dimensions", &a.lhs_batch},
        {"rhs_batching_dimensions", &a.rhs_batch},
        {"lhs_contracting_dimensions", &a.lhs_contracting},
        {"rhs_contracting_dimensions", &a.rhs_contracting}};
    const Attr* numbers = r.find("dot_dimension_numbers");
    for (const auto& [name, dims] : fields)
        if (!(numbers != nullptr ? r.field(*numbers, name, *dims) : r.dims(name, *dims)))
            return false;
    if (!r.precisions(a.lhs_precision, a.rhs_precision)) return false;
    if (const Attr* algorithm = r.find("algorithm");
        algorithm != nullptr && algorithm->kind == AttrKind::kDialect)
        a.algorithm = module.intern(angle_body(algorithm->text));
    out = std::move(a);
    return true;
}

namespace {

using Spatial = InlineVector<std::pair<std::int64_t, std::int64_t>, 4>;

/// One of the three lists of `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`.
bool read_list(OpReader& r, Lexer& lexer, Pos base, char first, char second, std::int64_t& a,
               std::int64_t& b, Dims& spatial) {
    Token token = lexer.next();
    while (!token.is('[')) {
        if (token.is(TokenKind::kEnd))
            return r.fail(base, "malformed dimension numbers", "[b, 0, f]x[0, i, o]->[b, 0, f]");
        token = lexer.next();
    }
    a = b = -1;
    std::int64_t position = 0;
    for (token = lexer.next(); !token.is(']'); token = lexer.next()) {
        if (token.is(TokenKind::kEnd)) return r.fail(base, "malformed dimension numbers", "']'");
        if (token.is(',')) continue;
        if (token.is('?')) {  // an extra dim: neither batch nor spatial
            return r.fail(base, "dimension of unknown meaning", "b, f, i, o or a number");
        }
        if (token.is(TokenKind::kInteger)) {
            std::size_t index = 0;
            std::from_chars(token.text.data(), token.text.data() + token.text.size(), index);
            if (index > 64)
                return r.fail(base, "malformed dimension numbers", "a spatial dimension");
            if (spatial.size() <= index) spatial.resize(index + 1, -1);
            spatial[index] = position++;
        } else if (token.is(TokenKind::kWord) && token.text.size() == 1 && token.text[0] == first) {
            a = position++;
        } else if (token.is(TokenKind::kWord) && token.text.size() == 1 &&
                   token.text[0] == second) {
            b = position++;
        } else {
            return r.fail(base, "malformed dimension numbers",
                          fmt::format("{}, {} or a number", first, second));
        }
    }
    const bool complete =
        a >= 0 && b >= 0 && std::find(spatial.begin(), spatial.end(), -1) == spatial.end();
    return complete || r.fail(base, "incomplete dimension numbers", "each dimension once");
}

bool raw_numbers(OpReader& r, const Attr& attr, ir::ConvolutionAttributes& a) {
    return r.field(attr, "input_batch_dimension", a.lhs_batch) &&
           r.field(attr, "input_feature_dimension", a.lhs_feature) &&
           r.field(attr, "input_spatial_dimensions", a.lhs_spatial) &&
           r.field(attr, "kernel_input_feature_dimension", a.rhs_input_feature) &&
           r.field(attr, "kernel_output_feature_dimension", a.rhs_output_feature) &&
           r.field(attr, "kernel_spatial_dimensions", a.rhs_spatial) &&
           r.field(attr, "output_batch_dimension", a.result_batch) &&
           r.field(attr, "output_feature_dimension", a.result_feature) &&
           r.field(attr, "output_spatial_dimensions", a.result_spatial);
}

bool numbers(OpReader& r, ir::ConvolutionAttributes& a) {
    const Attr* attr = r.find("dimension_numbers");
    if (attr == nullptr) return r.fail("convolution without 'dimension_numbers'", "that attribute");
    if (attr->kind == AttrKind::kDict ||
        attr->text.find("input_batch_dimension") != std::string_view::npos)
        return raw_numbers(r, *attr, a);
    const std::string_view text = attr->text.starts_with('#') ? angle_body(attr->text) : attr->text;
    Lexer lexer(text, 0, static_cast<Pos>(text.size()));
    return read_list(r, lexer, attr->pos, 'b', 'f', a.lhs_batch, a.lhs_feature, a.lhs_spatial) &&
           read_list(r, lexer, attr->pos, 'i', 'o', a.rhs_input_feature, a.rhs_output_feature,
                     a.rhs_spatial) &&
           read_list(r, lexer, attr->pos, 'b', 'f', a.result_batch, a.result_feature,
                     a.result_spatial);
}

}  // namespace

bool decode_convolution(OpReader& r, std::size_t rank, ir::Attributes& out) {
    ir::ConvolutionAttributes a;
    if (!numbers(r, a)) return false;
    const std::size_t spatial = rank >= 2 ? rank - 2 : 0;
    a.strides.assign(spatial, 1);
    a.lhs_dilation = a.rhs_dilation = a.strides;
    a.pad_low.assign(spatial, 0);
    a.pad_high = a.pad_low;
    Dims reversal(spatial, 0);
    std::vector<std::vector<std::int64_t>> padding;
    if (!r.dims("window_strides", a.strides) || !r.dims("lhs_dilation", a.lhs_dilation) ||
        !r.dims("rhs_dilation", a.rhs_dilation) || !r.dims("window_reversal", reversal) ||
        !r.rows("padding", padding) || !r.integer("feature_group_count", a.feature_groups) ||
        !r.integer("batch_group_count", a.batch_groups) ||
        !r.precisions(a.lhs_precision, a.rhs_precision))
        return false;
    if (r.has("padding")) {
        a.pad_low.clear();
        a.pad_high.clear();
        for (const auto& row : padding) {
            if (row.size() != 2)
                return r.fail(r.find("padding")->pos, "malformed padding", "pairs of low and high");
            a.pad_low.push_back(row[0]);
            a.pad_high.push_back(row[1]);
        }
    }
    for (const std::int64_t flag : reversal) a.window_reversal.push_back(flag != 0);
    out = std::move(a);
    return true;
}

}  // namespace shardwright::formats::mlir
