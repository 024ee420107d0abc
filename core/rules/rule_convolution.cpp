// convolution: batch, features, feature groups, batch groups; spatial dims as windows.
#include <algorithm>

#include "rules/families.h"

namespace shardwright::rules {
namespace {

/// A convolution with its defaults filled in.
struct Convolution {
    const ir::ConvolutionAttributes& a;
    RuleBuilder& b;

    static std::int64_t at(const Dims& list, std::size_t i, std::int64_t otherwise) {
        return i < list.size() ? list[i] : otherwise;
    }
    Place lhs(std::int64_t d) const { return {0, static_cast<std::size_t>(d)}; }
    Place rhs(std::int64_t d) const { return {1, static_cast<std::size_t>(d)}; }
    Place result(std::int64_t d) const { return {b.result(), static_cast<std::size_t>(d)}; }
    std::int64_t kernel(std::size_t i) const { return b.size(rhs(a.rhs_spatial[i])); }
    std::int64_t output(std::size_t i) const { return b.size(result(a.result_spatial[i])); }
    bool unpadded(std::size_t i) const {
        return at(a.pad_low, i, 0) == 0 && at(a.pad_high, i, 0) == 0 &&
               at(a.lhs_dilation, i, 1) == 1 && at(a.rhs_dilation, i, 1) == 1;
    }
    /// One tap, nothing moved: the spatial dim is a batch dim.
    bool is_pointwise(std::size_t i) const {
        return kernel(i) == 1 && at(a.strides, i, 1) == 1 && unpadded(i);
    }
    /// One output, every input under one tap: the spatial dim is contracted.
    bool is_contracted(std::size_t i) const {
        const bool reversed = i < a.window_reversal.size() && a.window_reversal[i];
        return output(i) == 1 && unpadded(i) && !reversed &&
               kernel(i) == b.size(lhs(a.lhs_spatial[i]));
    }
    bool is_dot() const {
        for (std::size_t i = 0; i < a.lhs_spatial.size(); ++i)
            if (!is_pointwise(i) && !is_contracted(i)) return false;
        return a.feature_groups == 1 && a.batch_groups == 1;
    }
    /// Small against the image it slides over; the kernel of a filter gradient is as large.
    bool has_small_kernel() const {
        for (std::size_t i = 0; i < a.lhs_spatial.size(); ++i)
            if (kernel(i) >= output(i) && kernel(i) != 1) return false;
        return true;
    }
};

/// A factor of `size` that is the next minor part of each place.
void part(RuleBuilder& b, FactorKind kind, std::int64_t size, Travel travel,
          std::initializer_list<Place> places) {
    if (size == 1) return;
    const std::uint16_t f = b.factor(kind, size, travel);
    for (const Place& p : places) b.put(p, f, size);
}

void spatial_dims(const Convolution& c, bool dot) {
    RuleBuilder& b = c.b;
    const Travel free = dot ? kSecond : Travel{kForward, kBoth, 1, 1};
    for (std::size_t i = 0; i < c.a.lhs_spatial.size(); ++i) {
        const Place lhs = c.lhs(c.a.lhs_spatial[i]), rhs = c.rhs(c.a.rhs_spatial[i]);
        const Place result = c.result(c.a.result_spatial[i]);
        if (c.is_pointwise(i)) {
            b.tie(FactorKind::kPassThrough, {lhs, result}, free);
        } else if (c.is_contracted(i)) {
            b.tie(FactorKind::kReduction, {lhs, rhs}, dot ? kSiblings : kNowhere);
        } else {
            Travel window = kShardyOnly;
            if (c.has_small_kernel()) window.gspmd = kForward;
            b.tie(FactorKind::kPermutation, {lhs, result}, window);
            b.tie(FactorKind::kNeedReplication, {rhs}, kNowhere);
        }
    }
}

}  // namespace

void convolution_rule(RuleBuilder& b) {
    const Convolution c{b.module().attributes<ir::ConvolutionAttributes>(b.op()), b};
    const ir::ConvolutionAttributes& a = c.a;
    b.set_preference(Preference::kContraction);
    const bool dot = c.is_dot();
    const bool grouped = a.feature_groups > 1 || a.batch_groups > 1;
    const Travel batch = dot ? kSecond : Travel{kForward, kBoth, 1, 1};
    const Travel feature = grouped ? kShardyOnly : batch;
    const Travel contracted = dot ? kSiblings : kShardyOnly;

    const Place lhs_batch = c.lhs(a.lhs_batch), lhs_feature = c.lhs(a.lhs_feature);
    const Place rhs_in = c.rhs(a.rhs_input_feature), rhs_out = c.rhs(a.rhs_output_feature);
    const Place result_batch = c.result(a.result_batch),
                result_feature = c.result(a.result_feature);
    const std::int64_t groups = std::max<std::int64_t>(1, a.feature_groups * a.batch_groups);

    // Groups are the major parts of the dims that they cut; at most one of the two kinds is used.
    part(b, FactorKind::kPassThrough, a.batch_groups, feature,
         {lhs_batch, rhs_out, result_feature});
    part(b, FactorKind::kPassThrough, a.feature_groups, feature,
         {lhs_feature, rhs_out, result_feature});
    part(b, FactorKind::kPassThrough, b.size(result_batch), batch, {lhs_batch, result_batch});
    part(b, FactorKind::kReduction, b.size(rhs_in), contracted, {lhs_feature, rhs_in});
    part(b, FactorKind::kPassThrough, b.size(rhs_out) / groups, feature, {rhs_out, result_feature});
    spatial_dims(c, dot);
}

}  // namespace shardwright::rules
