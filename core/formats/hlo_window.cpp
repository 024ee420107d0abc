// Windows and convolutions: `window={size=3x3 pad=1_1x1_1}`, `dim_labels=b01f_01io->b01f`.
#include <optional>

#include "formats/hlo_attributes.h"

namespace shardwright::formats::hlo {
namespace {

struct Window {
    ir::WindowAttributes sizes;
    InlineVector<bool, 6> reversal;
};

Result<Dims> parse_times(Cursor& cursor) {
    Dims out;
    do {
        SW_TRY(const std::int64_t n, cursor.expect_integer());
        out.push_back(n);
    } while (cursor.raw() == 'x' && cursor.eat('x'));
    return out;
}

Status parse_pads(Cursor& cursor, Dims& low, Dims& high) {
    do {
        SW_TRY(const std::int64_t before, cursor.expect_integer());
        SW_CHECK(cursor.expect('_'));
        SW_TRY(const std::int64_t after, cursor.expect_integer());
        low.push_back(before);
        high.push_back(after);
    } while (cursor.raw() == 'x' && cursor.eat('x'));
    return {};
}

Result<Window> parse_window(const Source& source, std::string_view text, std::size_t rank) {
    Window out;
    if (text.data() != nullptr) {
        Cursor cursor(source, text);
        SW_CHECK(cursor.expect('{'));
        while (!cursor.eat('}')) {
            const char* start = cursor.at();
            const std::string_view key = cursor.word();
            SW_CHECK(cursor.expect('='));
            if (key == "size") {
                SW_TRY(out.sizes.sizes, parse_times(cursor));
            } else if (key == "stride") {
                SW_TRY(out.sizes.strides, parse_times(cursor));
            } else if (key == "lhs_dilate") {
                SW_TRY(out.sizes.base_dilation, parse_times(cursor));
            } else if (key == "rhs_dilate") {
                SW_TRY(out.sizes.window_dilation, parse_times(cursor));
            } else if (key == "rhs_reversal") {
                SW_TRY(const Dims flags, parse_times(cursor));
                for (const std::int64_t flag : flags) out.reversal.push_back(flag != 0);
            } else if (key == "pad") {
                SW_CHECK(parse_pads(cursor, out.sizes.pad_low, out.sizes.pad_high));
            } else {
                return source.error(start, "unknown part of a window",
                                    "size, stride, pad, lhs_dilate, rhs_dilate or rhs_reversal");
            }
        }
    }
    const auto complete = [&](Dims& dims, std::int64_t value) {
        if (dims.empty()) dims.assign(rank, value);
        return dims.size() == rank;
    };
    if (out.reversal.empty()) out.reversal.assign(rank, false);
    ir::WindowAttributes& w = out.sizes;
    if (!complete(w.sizes, 1) || !complete(w.strides, 1) || !complete(w.base_dilation, 1) ||
        !complete(w.window_dilation, 1) || !complete(w.pad_low, 0) || !complete(w.pad_high, 0) ||
        out.reversal.size() != rank)
        return source.error(text, "window of another rank",
                            std::to_string(rank) + " dimensions in each part");
    return out;
}

/// One of the three parts of dim_labels: where the two named and the spatial dimensions are.
struct Labels {
    std::int64_t first = -1, second = -1;
    Dims spatial;
};

std::optional<Labels> parse_labels(std::string_view text, char first, char second) {
    Labels out;
    const std::size_t spatial = text.size() >= 2 ? text.size() - 2 : 0;
    if (spatial > 10) return std::nullopt;  // one digit names a spatial dimension
    out.spatial.assign(spatial, -1);
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        std::int64_t* slot = nullptr;
        if (c == first) slot = &out.first;
        if (c == second) slot = &out.second;
        if (c >= '0' && c <= '9' && static_cast<std::size_t>(c - '0') < spatial)
            slot = &out.spatial[static_cast<std::size_t>(c - '0')];
        if (slot == nullptr || *slot != -1) return std::nullopt;
        *slot = static_cast<std::int64_t>(i);
    }
    if (out.first < 0 || out.second < 0) return std::nullopt;
    return out;
}

}  // namespace

Result<ir::WindowAttributes> AttributeReader::window(std::size_t rank) const {
    SW_TRY(Window w, parse_window(source_, instruction_.attribute("window"), rank));
    return std::move(w.sizes);
}

Result<ir::ConvolutionAttributes> AttributeReader::convolution() const {
    SW_TRY(const std::string_view text, required("dim_labels"));
    const std::size_t underscore = text.find('_');
    const std::size_t arrow = text.find("->");
    std::optional<Labels> lhs, rhs, result;
    if (underscore != std::string_view::npos && arrow != std::string_view::npos &&
        underscore < arrow) {
        lhs = parse_labels(text.substr(0, underscore), 'b', 'f');
        rhs = parse_labels(text.substr(underscore + 1, arrow - underscore - 1), 'i', 'o');
        result = parse_labels(text.substr(arrow + 2), 'b', 'f');
    }
    if (!lhs || !rhs || !result || lhs->spatial.size() != rhs->spatial.size() ||
        lhs->spatial.size() != result->spatial.size())
        return source_.error(text, "bad dim_labels", "a form such as b01f_01io->b01f");
    ir::ConvolutionAttributes out;
    out.lhs_batch = lhs->first;
    out.lhs_feature = lhs->second;
    out.lhs_spatial = lhs->spatial;
    out.rhs_input_feature = rhs->first;
    out.rhs_output_feature = rhs->second;
    out.rhs_spatial = rhs->spatial;
    out.result_batch = result->first;
    out.result_feature = result->second;
    out.result_spatial = result->spatial;
    SW_TRY(Window w, parse_window(source_, instruction_.attribute("window"), lhs->spatial.size()));
    out.strides = w.sizes.strides;
    out.pad_low = w.sizes.pad_low;
    out.pad_high = w.sizes.pad_high;
    out.lhs_dilation = w.sizes.base_dilation;
    out.rhs_dilation = w.sizes.window_dilation;
    out.window_reversal = w.reversal;
    SW_TRY(out.feature_groups, integer("feature_group_count", 1));
    SW_TRY(out.batch_groups, integer("batch_group_count", 1));
    SW_CHECK(precision(out.lhs_precision, out.rhs_precision));
    return out;
}

}  // namespace shardwright::formats::hlo
