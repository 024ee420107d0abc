#pragma once
// input -> dot(weight) -> add(bias) -> maximum -> dot(weight 2): the model of the window's tests.

#include "ir/builder.h"
#include "session/session.h"

namespace shardwright::test {

struct TwoLayers {
    ir::ValueId input, weight, product, sum, activation, output;
};

inline plan::Plan plan_on(const char* mesh) {
    plan::Plan plan;
    plan.mesh = mesh;
    return plan;
}

inline views::ModelPtr two_layers(TwoLayers& names) {
    using namespace ir;
    Module m;
    Builder b(m);
    const TensorType x{ElementType::kF32, {64, 32}}, w1{ElementType::kF32, {32, 128}},
        bias{ElementType::kF32, {64, 128}}, w2{ElementType::kF32, {128, 16}};
    const TensorType types[] = {x, w1, bias, w2};
    const RegionId body = b.begin_function("main", types);
    names.input = m.argument(body, 0);
    names.weight = m.argument(body, 1);
    DotAttributes dot;
    dot.lhs_contracting = {1};
    dot.rhs_contracting = {0};
    b.set_scope("jit(f)/first/dot_general");
    names.product = b.dot(names.input, names.weight, dot, ElementType::kF32);
    b.set_scope("jit(f)/first/add");
    names.sum = b.add(OpKind::kAdd, {names.product, m.argument(body, 2)});
    b.set_scope("jit(f)/first/max");
    names.activation =
        b.add(OpKind::kMaximum, {names.sum, b.splat({ElementType::kF32, {64, 128}}, 0)});
    b.set_scope("jit(f)/second/dot_general");
    names.output = b.dot(names.activation, m.argument(body, 3), dot, ElementType::kF32);
    const ValueId results[] = {names.output};
    b.ret(results);
    const std::pair<ValueId, const char*> texts[] = {
        {names.input, "x"},   {names.weight, "w1"},       {m.argument(body, 2), "bias"},
        {names.product, "h"}, {names.sum, "h_biased"},    {names.activation, "a"},
        {names.output, "y"},  {m.argument(body, 3), "w2"}};
    for (const auto& [value, text] : texts) m.set_name(value, text);
    return std::make_shared<const plan::Model>(std::move(m));
}

}  // namespace shardwright::test
