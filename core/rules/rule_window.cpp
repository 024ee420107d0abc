// Operations that look at neighbours: slices, pads, concatenation, reversal, sliding windows.
#include "rules/families.h"

namespace shardwright::rules {
namespace {

constexpr FactorKind kind_of(bool untouched) {
    return untouched ? FactorKind::kPassThrough : FactorKind::kPermutation;
}

bool window_is_trivial(const ir::WindowAttributes& w, std::size_t d) {
    const auto at = [d](const Dims& list, std::int64_t otherwise) {
        return d < list.size() ? list[d] : otherwise;
    };
    return at(w.sizes, 1) == 1 && at(w.strides, 1) == 1 && at(w.base_dilation, 1) == 1 &&
           at(w.window_dilation, 1) == 1 && at(w.pad_low, 0) == 0 && at(w.pad_high, 0) == 0;
}

bool is_dilated(const ir::WindowAttributes& w) {
    for (const Dims* list : {&w.base_dilation, &w.window_dilation})
        for (const std::int64_t d : *list)
            if (d != 1) return true;
    return false;
}

}  // namespace

void slice_rule(RuleBuilder& b) {
    const auto& a = b.module().attributes<ir::SliceAttributes>(b.op());
    for (std::size_t d = 0; d < b.dims(0).size(); ++d) {
        const bool whole = a.start[d] == 0 && a.limit[d] == b.size({0, d}) &&
                           (d >= a.strides.size() || a.strides[d] == 1);
        b.tie(kind_of(whole), {{0, d}, {b.result(), d}}, kSecond);
    }
}

void pad_rule(RuleBuilder& b) {
    const auto& a = b.module().attributes<ir::PadAttributes>(b.op());
    for (std::size_t d = 0; d < b.dims(0).size(); ++d) {
        const bool none =
            a.low[d] == 0 && a.high[d] == 0 && (d >= a.interior.size() || a.interior[d] == 0);
        b.tie(kind_of(none), {{0, d}, {b.result(), d}}, kSecond);
    }
}

void concatenate_rule(RuleBuilder& b) {
    const auto joined =
        static_cast<std::size_t>(b.module().attributes<ir::DimAttributes>(b.op()).dim);
    constexpr Travel kOther{kBoth, kBoth, 0, 1};  // forward with the pass-through operations
    Places places;
    for (std::size_t d = 0; d < b.dims(b.result()).size(); ++d) {
        places.clear();
        for (std::size_t t = 0; t < b.tensor_count(); ++t) places.push_back({t, d});
        // One operand alone is an identity.
        const bool touched = d == joined && b.operand_count() > 1;
        b.tie(kind_of(!touched), view(places), touched ? kSecond : kOther);
    }
}

void reverse_rule(RuleBuilder& b) {
    const Dims& reversed = b.module().attributes<ir::DimsAttributes>(b.op()).dims;
    for (std::size_t d = 0; d < b.dims(0).size(); ++d)
        b.tie(kind_of(!has(reversed, static_cast<std::int64_t>(d))), {{0, d}, {b.result(), d}},
              kSecond);
}

void reduce_window_rule(RuleBuilder& b) {
    const auto& w = b.module().attributes<ir::WindowAttributes>(b.op());
    // (inputs..., inits...) -> results...
    const std::size_t inputs = b.result_count();
    Travel travel = kSecond;
    if (is_dilated(w)) travel.gspmd = kBlocked;
    Places places;
    for (std::size_t d = 0; d < b.dims(0).size(); ++d) {
        places.clear();
        for (std::size_t i = 0; i < inputs; ++i) places.push_back({i, d});
        for (std::size_t i = 0; i < inputs; ++i) places.push_back({b.result(i), d});
        b.tie(kind_of(window_is_trivial(w, d)), view(places), travel);
    }
}

void select_and_scatter_rule(RuleBuilder& b) {
    // (operand, source, init) -> result, shaped like the operand.
    const auto& w = b.module().attributes<ir::WindowAttributes>(b.op());
    for (std::size_t d = 0; d < b.dims(0).size(); ++d)
        b.tie(kind_of(window_is_trivial(w, d)), {{0, d}, {1, d}, {b.result(), d}}, kSecond);
}

}  // namespace shardwright::rules
