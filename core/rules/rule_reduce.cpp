// reduce, with any number of inputs.
#include "ir/builder.h"
#include "rules/families.h"

namespace shardwright::rules {

ir::Reduction region_reduction(const ir::Module& module, ir::RegionId region) {
    const std::optional<ir::OpKind> combiner = ir::simple_combiner(module, region);
    return combiner ? ir::to_reduction(*combiner) : ir::Reduction::kOther;
}

void reduce_rule(RuleBuilder& b) {
    const Dims& reduced = b.module().attributes<ir::DimsAttributes>(b.op()).dims;
    const ir::Op& op = b.module().op(b.op());
    const ir::Reduction reduction =
        op.region_count == 1 && b.result_count() == 1
            ? region_reduction(b.module(), b.module().region_of(b.op(), 0))
            : ir::Reduction::kOther;
    // (inputs..., inits...) -> results...; the inputs have one shape.
    const std::size_t inputs = b.result_count();
    Places places;
    std::size_t out = 0;
    for (std::size_t d = 0; d < b.dims(0).size(); ++d) {
        const bool goes = has(reduced, static_cast<std::int64_t>(d));
        places.clear();
        for (std::size_t i = 0; i < inputs; ++i) places.push_back({i, d});
        if (!goes) {
            for (std::size_t i = 0; i < inputs; ++i) places.push_back({b.result(i), out});
            ++out;
        }
        b.tie(goes ? FactorKind::kReduction : FactorKind::kPassThrough, view(places),
              goes ? kSiblings : kSecond, reduction);
    }
}

}  // namespace shardwright::rules
