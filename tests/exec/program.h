#pragma once
// Small programs built by hand, run, and read back as numbers.

#include <QDebug>
#include <functional>
#include <vector>

#include "exec/execute.h"
#include "ir/builder.h"

namespace shardwright::test {

using Numbers = std::vector<double>;

/// Adds an operation with one result.
inline ir::ValueId one(ir::Builder& b, ir::OpKind kind, std::vector<ir::ValueId> operands,
                       ir::Attributes attributes, std::vector<ir::RegionId> regions = {}) {
    return b.module().result(b.add_op(kind, operands, std::move(attributes), {}, regions));
}

inline exec::Tensor tensor(ir::ElementType element, Dims dims, const Numbers& numbers) {
    exec::Tensor t{{element, std::move(dims)}, {}};
    for (const double x : numbers) ir::append_element(t.data, element, x);
    return t;
}

inline Numbers numbers(const exec::Tensor& t) {
    Numbers all;
    for (std::int64_t i = 0; i < t.element_count(); ++i) all.push_back(t.at(i));
    return all;
}

/// Builds a function over the inputs' types, evaluates it on one device, and gives its results.
inline exec::Outputs evaluate(
    const std::vector<exec::Tensor>& inputs,
    const std::function<std::vector<ir::ValueId>(ir::Builder&, const std::vector<ir::ValueId>&)>&
        make) {
    ir::Module module;
    ir::Builder b(module);
    std::vector<ir::TensorType> types;
    for (const exec::Tensor& t : inputs) types.push_back(t.type);
    const ir::RegionId body = b.begin_function("main", types);
    std::vector<ir::ValueId> arguments;
    for (std::size_t i = 0; i < inputs.size(); ++i) arguments.push_back(module.argument(body, i));
    const std::vector<ir::ValueId> results = make(b, arguments);
    b.ret(results);
    auto outputs = exec::evaluate(module, 0, inputs, {});
    if (!outputs.ok()) {
        qWarning("%s", outputs.error().text().c_str());
        return {};
    }
    return *std::move(outputs);
}

/// The first result's numbers.
inline Numbers value_of(
    const std::vector<exec::Tensor>& inputs,
    const std::function<ir::ValueId(ir::Builder&, const std::vector<ir::ValueId>&)>& make) {
    const exec::Outputs outputs =
        evaluate(inputs, [&](ir::Builder& b, const std::vector<ir::ValueId>& arguments) {
            return std::vector<ir::ValueId>{make(b, arguments)};
        });
    return outputs.values.empty() ? Numbers() : numbers(outputs.values[0]);
}

}  // namespace shardwright::test
