#include "ir/builder.h"

#include <cassert>
#include <cstdio>
#include <cstdlib>

namespace shardwright::ir {

RegionId Builder::begin_function(std::string_view name, std::span<const TensorType> arguments) {
    region_ = make_region(arguments);
    module_.add_function(name, region_);
    return region_;
}

RegionId Builder::make_region(std::span<const TensorType> arguments) {
    const RegionId region = module_.add_region();
    std::vector<TypeId> types;
    types.reserve(arguments.size());
    for (const TensorType& t : arguments) types.push_back(module_.intern_type(t));
    module_.set_arguments(region, types);
    return region;
}

Result<OpId> Builder::try_add(OpKind kind, std::span<const ValueId> operands, Attributes attributes,
                              std::span<const TensorType> stated,
                              std::span<const RegionId> regions) {
    SW_TRY(const std::vector<TensorType> types,
           infer_types(module_, OpSignature{kind, operands, attributes, regions}, stated));
    InlineVector<TypeId, 4> ids;
    for (const TensorType& t : types) ids.push_back(module_.intern_type(t));
    const OpId id =
        module_.add_op(region_, kind, operands, view(ids), std::move(attributes), regions);
    if (scope_.index != 0) module_.set_scope(id, scope_);
    if (line_ != 0) module_.set_line(id, line_);
    if (origin_.valid()) module_.set_origin(id, origin_);
    return id;
}

OpId Builder::add_op(OpKind kind, std::span<const ValueId> operands, Attributes attributes,
                     std::span<const TensorType> stated, std::span<const RegionId> regions) {
    Result<OpId> op = try_add(kind, operands, std::move(attributes), stated, regions);
    if (!op.ok()) {  // our own mistake: say which before stopping
        std::fprintf(stderr, "builder: %s: %s\n", std::string(ir::name(kind)).c_str(),
                     op.error().text().c_str());
        std::abort();
    }
    return *op;
}

ValueId Builder::add(OpKind kind, std::initializer_list<ValueId> operands, Attributes attributes) {
    return module_.result(add_op(kind, {operands.begin(), operands.size()}, std::move(attributes)));
}

ValueId Builder::add(OpKind kind, std::initializer_list<ValueId> operands, Attributes attributes,
                     const TensorType& stated) {
    return module_.result(
        add_op(kind, {operands.begin(), operands.size()}, std::move(attributes), {&stated, 1}));
}

OpId Builder::ret(std::span<const ValueId> values) {
    const OpId id = module_.add_op(region_, OpKind::kReturn, values, {});
    for (std::size_t i = 0; i < module_.functions().size(); ++i)
        if (module_.functions()[i].body == region_)
            module_.function(i).results.resize(values.size());
    return id;
}

ValueId Builder::constant(Literal literal) {
    const TensorType type = literal.type;
    const LiteralId id = module_.add_literal(std::move(literal));
    return add(OpKind::kConstant, {}, ConstantAttributes{id}, type);
}

ValueId Builder::splat(const TensorType& type, double value) {
    return constant(Literal::splat_of(type, value));
}

ValueId Builder::scalar(ElementType element, double value) {
    return splat(TensorType{element, {}}, value);
}

ValueId Builder::iota(const TensorType& type, std::int64_t dim) {
    return add(OpKind::kIota, {}, DimAttributes{dim}, type);
}

ValueId Builder::convert(ValueId v, ElementType element) {
    TensorType to = type(v);
    if (to.element == element) return v;
    to.element = element;
    return add(OpKind::kConvert, {v}, {}, to);
}

ValueId Builder::reshape(ValueId v, std::span<const std::int64_t> dims) {
    TensorType to{type(v).element, Dims(dims.begin(), dims.end())};
    return to == type(v) ? v : add(OpKind::kReshape, {v}, {}, to);
}

ValueId Builder::broadcast(ValueId v, const TensorType& to, std::span<const std::int64_t> dims) {
    return add(OpKind::kBroadcastInDim, {v}, DimsAttributes{Dims(dims.begin(), dims.end())}, to);
}

ValueId Builder::transpose(ValueId v, std::span<const std::int64_t> permutation) {
    return add(OpKind::kTranspose, {v},
               DimsAttributes{Dims(permutation.begin(), permutation.end())});
}

ValueId Builder::compare(ValueId a, ValueId b, Direction direction) {
    return add(OpKind::kCompare, {a, b}, CompareAttributes{direction, CompareType::kDefault});
}

ValueId Builder::select(ValueId predicate, ValueId on_true, ValueId on_false) {
    return add(OpKind::kSelect, {predicate, on_true, on_false});
}

ValueId Builder::dot(ValueId lhs, ValueId rhs, DotAttributes attributes, ElementType result) {
    // The result's shape is inferred; only its element type is ours to choose.
    const ValueId operands[] = {lhs, rhs};
    const Attributes held = attributes;
    auto types = infer_types(module_, OpSignature{OpKind::kDotGeneral, operands, held, {}});
    assert(types.ok());
    TensorType to = types->front();
    to.element = result;
    return add(OpKind::kDotGeneral, {lhs, rhs}, std::move(attributes), to);
}

ValueId Builder::slice(ValueId v, const SliceAttributes& attributes) {
    return add(OpKind::kSlice, {v}, attributes);
}

ValueId Builder::concatenate(std::span<const ValueId> values, std::int64_t dim) {
    return module_.result(add_op(OpKind::kConcatenate, values, DimAttributes{dim}));
}

RegionId Builder::combiner_region(OpKind combiner, ElementType element) {
    const TensorType scalar_type{element, {}};
    const TensorType arguments[] = {scalar_type, scalar_type};
    const RegionId region = make_region(arguments);
    const RegionId outer = region_;
    region_ = region;
    const ValueId value = add(combiner, {module_.argument(region, 0), module_.argument(region, 1)});
    ret({&value, 1});
    region_ = outer;
    return region;
}

ValueId Builder::reduce(ValueId v, ValueId init, std::span<const std::int64_t> dims,
                        OpKind combiner) {
    const RegionId region = combiner_region(combiner, type(v).element);
    const ValueId operands[] = {v, init};
    return module_.result(add_op(OpKind::kReduce, operands,
                                 DimsAttributes{Dims(dims.begin(), dims.end())}, {}, {&region, 1}));
}

}  // namespace shardwright::ir
