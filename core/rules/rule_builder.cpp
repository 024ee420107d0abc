#include "rules/rule_builder.h"

#include <algorithm>
#include <cassert>

namespace shardwright::rules {

bool has(const Dims& list, std::int64_t dim) {
    return std::find(list.begin(), list.end(), dim) != list.end();
}

RuleBuilder::RuleBuilder(const ir::Module& module, ir::OpId op) : module_(module), op_(op) {
    const ir::Op& o = module.op(op);
    rule_.operands.resize(o.operand_count);
    rule_.results.resize(o.result_count);
    for (std::size_t t = 0; t < tensor_count(); ++t) mapping(t).resize(dims(t).size());
}

const Dims& RuleBuilder::dims(std::size_t tensor) const {
    const ir::ValueId value = tensor < operand_count()
                                  ? module_.operand(op_, tensor)
                                  : module_.result(op_, tensor - operand_count());
    return module_.type(value).dims;
}

TensorMapping& RuleBuilder::mapping(std::size_t tensor) {
    return tensor < operand_count() ? rule_.operands[tensor]
                                    : rule_.results[tensor - operand_count()];
}

std::uint16_t RuleBuilder::factor(FactorKind kind, std::int64_t size, Travel travel,
                                  ir::Reduction reduction) {
    Factor f;
    f.kind = kind;
    f.size = size;
    f.reduction = reduction;
    f.gspmd = travel.gspmd;
    f.shardy = travel.shardy;
    f.forward_level = travel.forward_level;
    f.backward_level = travel.backward_level;
    rule_.factors.push_back(f);
    assert(rule_.factors.size() < 0xFFFF);
    return static_cast<std::uint16_t>(rule_.factors.size() - 1);
}

void RuleBuilder::put(Place place, std::uint16_t factor, std::int64_t size) {
    Factor& f = rule_.factors[factor];
    f.size = std::max(f.size, size);
    mapping(place.tensor)[place.dim].push_back(DimFactor{factor, size});
}

void RuleBuilder::tie(FactorKind kind, std::span<const Place> places, Travel travel,
                      ir::Reduction reduction) {
    const auto counts = [&](const Place& p) { return size(p) != 1; };
    if (std::none_of(places.begin(), places.end(), counts)) return;
    const std::uint16_t f = factor(kind, 0, travel, reduction);
    for (const Place& p : places)
        if (counts(p)) put(p, f, size(p));
}

void RuleBuilder::tie_alike(std::size_t a, std::size_t b, Travel travel) {
    assert(dims(a).size() == dims(b).size());
    for (std::size_t d = 0; d < dims(a).size(); ++d)
        tie(FactorKind::kPassThrough, {{a, d}, {b, d}}, travel);
}

}  // namespace shardwright::rules
