#include "programs.h"

namespace shardwright::test {
namespace {

using namespace ir;
using E = ElementType;

/// Begins "main" with arguments of these types.
std::vector<ValueId> begin(Builder& b, const std::vector<TensorType>& types) {
    const RegionId body = b.begin_function("main", types);
    std::vector<ValueId> arguments;
    for (std::size_t i = 0; i < types.size(); ++i)
        arguments.push_back(b.module().argument(body, i));
    return arguments;
}
void end(Builder& b, std::vector<ValueId> results) {
    b.ret(results);
}

void elementwise(Case& c, std::int64_t n) {
    Builder b = c.build();
    const auto a = begin(b, {{E::kF32, {n, n + 1}}, {E::kF32, {n, n + 1}}});
    const ValueId sum = b.add(OpKind::kAdd, {a[0], a[1]});
    const ValueId t = b.add(OpKind::kTanh, {sum});
    const ValueId less = b.compare(a[0], t, ir::Direction::kLt);
    end(b, {b.select(less, sum, t), b.convert(t, E::kBF16), less});
}

void clamp_scalars(Case& c, std::int64_t n) {
    Builder b = c.build();
    const auto a = begin(b, {{E::kF32, {}}, {E::kF32, {n, 3}}, {E::kF32, {}}});
    end(b, {b.add(OpKind::kClamp, {a[0], a[1], a[2]})});
}

void broadcast(Case& c, std::int64_t n) {
    Builder b = c.build();
    const auto a = begin(b, {{E::kF32, {n}}, {E::kF32, {n, 1}}, {E::kF32, {}}});
    const std::int64_t second[] = {1}, both[] = {0, 1};
    end(b, {b.broadcast(a[0], {E::kF32, {4, n}}, second),
            b.broadcast(a[1], {E::kF32, {n, n + 2}}, both), b.broadcast(a[2], {E::kF32, {n}}, {})});
}

void transpose(Case& c, std::int64_t n) {
    Builder b = c.build();
    const auto a = begin(b, {{E::kS32, {n, 3, n + 4}}});
    const std::int64_t p[] = {2, 0, 1};
    end(b, {b.transpose(a[0], p)});
}

void reshape(Case& c, std::int64_t n) {
    Builder b = c.build();
    const auto a = begin(b, {{E::kS32, {n, 6, 4}}, {E::kS32, {8 * n}}});
    const std::int64_t merged[] = {6 * n, 4}, split[] = {2, n, 4}, odd[] = {n, 8, 3},
                       mixed[] = {4, 2, n};
    end(b, {b.reshape(a[0], merged), b.reshape(a[1], split), b.reshape(a[0], odd),
            b.reshape(a[1], mixed)});
}

void iota_and_constants(Case& c, std::int64_t n) {
    Builder b = c.build();
    const auto a = begin(b, {{E::kS32, {n, 7}}});
    const ValueId rows = b.iota({E::kS32, {n, 7}}, 0), columns = b.iota({E::kS8, {n, 7}}, 1);
    std::vector<std::byte> data;
    for (std::int64_t i = 0; i < n * 7; ++i) append_element_int(data, E::kS32, i * i);
    const ValueId dense = b.constant(Literal::dense({E::kS32, {n, 7}}, data));
    const ValueId three = b.splat({E::kS32, {n, 7}}, 3);
    const ValueId sum = b.add(OpKind::kAdd, {b.add(OpKind::kMultiply, {rows, three}), dense});
    end(b, {b.add(OpKind::kAdd, {sum, a[0]}), columns, b.iota({E::kF32, {n}}, 0), dense});
}

void dot(Case& c, std::int64_t n) {
    Builder b = c.build();
    const auto a = begin(b, {{E::kF32, {n, n + 3}}, {E::kF32, {n + 3, 6}}});
    DotAttributes d;
    d.lhs_contracting = {1};
    d.rhs_contracting = {0};
    end(b, {b.dot(a[0], a[1], d, E::kF32)});
}

void batched_dot(Case& c, std::int64_t n) {
    Builder b = c.build();
    const auto a = begin(b, {{E::kBF16, {2, n, 4, 3}}, {E::kBF16, {n, 4, 2, 5}}});
    DotAttributes d;
    d.lhs_batch = {0};
    d.rhs_batch = {2};
    d.lhs_contracting = {1, 2};
    d.rhs_contracting = {0, 1};
    end(b, {b.dot(a[0], a[1], d, E::kF32), b.dot(a[0], a[1], d, E::kBF16)});
}

void integer_dot(Case& c, std::int64_t n) {
    Builder b = c.build();
    const auto a = begin(b, {{E::kS32, {n, 9}}, {E::kS32, {4, 9}}});
    DotAttributes d;
    d.lhs_contracting = {1};
    d.rhs_contracting = {1};
    end(b, {b.dot(a[0], a[1], d, E::kS32)});
}

void reduce(Case& c, std::int64_t n) {
    Builder b = c.build();
    const auto a = begin(b, {{E::kF32, {n, 6, n + 2}}, {E::kF32, {}}, {E::kS32, {n, 5}}});
    const std::int64_t first[] = {0}, ends[] = {0, 2}, all[] = {0, 1, 2}, both[] = {0, 1};
    const ValueId zero = b.scalar(E::kF32, 0), ten = b.scalar(E::kS32, 10);
    end(b, {b.reduce(a[0], zero, first, OpKind::kAdd), b.reduce(a[0], a[1], ends, OpKind::kAdd),
            b.reduce(a[0], a[1], all, OpKind::kMaximum), b.reduce(a[2], ten, both, OpKind::kAdd),
            b.reduce(a[2], ten, first, OpKind::kMinimum),
            b.reduce(b.convert(a[0], E::kBF16), b.scalar(E::kBF16, 0), ends, OpKind::kAdd)});
}

void argmax(Case& c, std::int64_t n) {
    Builder b = c.build();
    const TensorType f{E::kF32, {}}, s{E::kS32, {}};
    const auto a = begin(b, {{E::kF32, {3, 8 * n}}});
    const TensorType arguments[] = {f, s, f, s};
    const RegionId region = b.make_region(arguments);
    const RegionId body = b.region();
    b.set_region(region);
    const auto arg = [&](std::size_t i) { return c.module.argument(region, i); };
    const ValueId more = b.compare(arg(0), arg(2), ir::Direction::kGe);
    const ValueId picked[] = {b.select(more, arg(0), arg(2)), b.select(more, arg(1), arg(3))};
    b.ret(picked);
    b.set_region(body);
    const ValueId operands[] = {a[0], b.iota({E::kS32, {3, 8 * n}}, 1), b.scalar(E::kF32, -1e30),
                                b.scalar(E::kS32, 0)};
    const OpId made = b.add_op(OpKind::kReduce, operands, DimsAttributes{{1}}, {}, {&region, 1});
    end(b, {c.module.result(made, 0), c.module.result(made, 1)});
}

void softmax(Case& c, std::int64_t n) {
    Builder b = c.build();
    const TensorType type{E::kF32, {n, 9}};
    const auto a = begin(b, {type});
    const std::int64_t last[] = {1}, rows[] = {0};
    const ValueId top = b.reduce(a[0], b.scalar(E::kF32, -1e30), last, OpKind::kMaximum);
    const ValueId shifted = b.add(OpKind::kSubtract, {a[0], b.broadcast(top, type, rows)});
    const ValueId e = b.add(OpKind::kExponential, {shifted});
    const ValueId sum = b.reduce(e, b.scalar(E::kF32, 0), last, OpKind::kAdd);
    end(b, {b.add(OpKind::kDivide, {e, b.broadcast(sum, type, rows)})});
}

void slices(Case& c, std::int64_t n) {
    Builder b = c.build();
    const auto a = begin(b, {{E::kS32, {n, 10}}, {E::kS32, {n, 4}}});
    const ValueId part = b.slice(a[0], SliceAttributes{{0, 1}, {n, 8}, {1, 2}});
    const ValueId parts[] = {a[0], a[1], part};
    const ValueId joined = b.concatenate(parts, 1);
    PadAttributes pad{{0, -1}, {0, 3}, {0, 1}};
    const ValueId padded = b.add(OpKind::kPad, {a[1], b.scalar(E::kS32, 7)}, pad);
    end(b, {part, joined, padded, b.add(OpKind::kReverse, {a[0]}, DimsAttributes{{1}})});
}

void dynamic_slices(Case& c, std::int64_t n) {
    Builder b = c.build();
    const auto a = begin(b, {{E::kS32, {6, n}}, {E::kS32, {2, n}}, {E::kS32, {}}});
    const ValueId zero = b.scalar(E::kS32, 0);
    const ValueId part =
        b.add(OpKind::kDynamicSlice, {a[0], a[2], zero}, DynamicSliceAttributes{{2, n}});
    const ValueId updated = b.add(OpKind::kDynamicUpdateSlice, {a[0], a[1], a[2], zero});
    const ValueId far = b.scalar(E::kS32, 5);
    const ValueId narrow =
        b.add(OpKind::kDynamicSlice, {a[0], zero, far}, DynamicSliceAttributes{{6, 2}});
    const ValueId clamped = b.add(OpKind::kDynamicUpdateSlice, {a[0], narrow, zero, far});
    end(b, {part, updated, narrow, clamped});
}

void embedding(Case& c, std::int64_t n) {
    Builder b = c.build();
    const auto a = begin(b, {{E::kF32, {4 * n, 6}}, {E::kS32, {n, 3}}, {E::kF32, {n, 3, 6}}});
    GatherAttributes g;
    g.offset_dims = {2};
    g.collapsed_slice_dims = {0};
    g.start_index_map = {0};
    g.index_vector_dim = 2;
    g.slice_sizes = {1, 6};
    const ValueId looked_up = b.add(OpKind::kGather, {a[0], a[1]}, g);
    ScatterAttributes s;
    s.update_window_dims = {2};
    s.inserted_window_dims = {0};
    s.scatter_dims_to_operand_dims = {0};
    s.index_vector_dim = 2;
    const RegionId add = b.combiner_region(OpKind::kAdd, E::kF32);
    const ValueId operands[] = {a[0], a[1], a[2]};
    const OpId added = b.add_op(OpKind::kScatter, operands, s, {}, {&add, 1});
    end(b, {looked_up, c.module.result(added)});
}

void sort(Case& c, std::int64_t n) {
    Builder b = c.build();
    const auto a = begin(b, {{E::kS32, {n, 6}}, {E::kF32, {n, 6}}});
    const TensorType s{E::kS32, {}}, f{E::kF32, {}};
    const TensorType arguments[] = {s, s, f, f};
    const RegionId region = b.make_region(arguments);
    const RegionId body = b.region();
    b.set_region(region);
    const ValueId less =
        b.compare(c.module.argument(region, 0), c.module.argument(region, 1), ir::Direction::kLt);
    b.ret({&less, 1});
    b.set_region(body);
    const OpId made = b.add_op(OpKind::kSort, a, SortAttributes{1, true}, {}, {&region, 1});
    end(b, {c.module.result(made, 0), c.module.result(made, 1)});
}

void loop(Case& c, std::int64_t n) {
    Builder b = c.build();
    const TensorType counter{E::kS32, {}}, matrix{E::kF32, {n, n}}, vector{E::kF32, {n}};
    const auto a = begin(b, {matrix, vector});
    const TensorType carried[] = {counter, matrix, vector};
    const RegionId body = b.region();
    const RegionId condition = b.make_region(carried), step = b.make_region(carried);
    b.set_region(condition);
    const ValueId more =
        b.compare(c.module.argument(condition, 0), b.scalar(E::kS32, 3), ir::Direction::kLt);
    b.ret({&more, 1});
    b.set_region(step);
    const ValueId i = c.module.argument(step, 0), m = c.module.argument(step, 1);
    DotAttributes d;
    d.lhs_contracting = {1};
    d.rhs_contracting = {0};
    const ValueId next[] = {b.add(OpKind::kAdd, {i, b.scalar(E::kS32, 1)}), m,
                            b.dot(m, c.module.argument(step, 2), d, E::kF32)};
    b.ret(next);
    b.set_region(body);
    const ValueId start[] = {b.scalar(E::kS32, 0), a[0], a[1]};
    const RegionId regions[] = {condition, step};
    const OpId made = b.add_op(OpKind::kWhile, start, WhileAttributes{}, {}, regions);
    end(b, {c.module.result(made, 0), c.module.result(made, 2)});
}

void branch(Case& c, std::int64_t n) {
    Builder b = c.build();
    const TensorType type{E::kF32, {n, 4}};
    const auto a = begin(b, {{E::kBool, {}}, type, type});
    const RegionId body = b.region();
    RegionId regions[2];
    for (std::size_t r = 0; r < 2; ++r) {
        regions[r] = b.make_region({});
        b.set_region(regions[r]);
        const ValueId v =
            r == 0 ? b.add(OpKind::kAdd, {a[1], a[2]}) : b.add(OpKind::kNegate, {a[2]});
        b.ret({&v, 1});
    }
    b.set_region(body);
    const OpId made = b.add_op(OpKind::kIf, {a.data(), 1}, {}, {}, regions);
    end(b, {c.module.result(made)});
}

void convolution(Case& c, std::int64_t n) {
    Builder b = c.build();
    const auto a = begin(b, {{E::kF32, {n, 6, 6, 4}}, {E::kF32, {3, 3, 4, 8}}});
    ConvolutionAttributes v;
    v.lhs_feature = v.result_feature = 3;
    v.lhs_spatial = v.result_spatial = {1, 2};
    v.rhs_spatial = {0, 1};
    v.rhs_input_feature = 2;
    v.rhs_output_feature = 3;
    v.strides = v.lhs_dilation = v.rhs_dilation = {1, 1};
    v.pad_low = v.pad_high = {1, 1};
    v.window_reversal = {false, false};
    end(b, {b.add(OpKind::kConvolution, {a[0], a[1]}, v)});
}

void depthwise_convolution(Case& c, std::int64_t n) {
    Builder b = c.build();
    const auto a = begin(b, {{E::kF32, {2, 16, 2 * n}}, {E::kF32, {4, 1, 2 * n}}});
    ConvolutionAttributes v;
    v.lhs_feature = v.result_feature = 2;
    v.lhs_spatial = v.result_spatial = {1};
    v.rhs_spatial = {0};
    v.rhs_input_feature = 1;
    v.rhs_output_feature = 2;
    v.strides = v.lhs_dilation = v.rhs_dilation = {1};
    v.pad_low = {3};
    v.pad_high = {0};
    v.window_reversal = {false};
    v.feature_groups = 2 * n;
    end(b, {b.add(OpKind::kConvolution, {a[0], a[1]}, v)});
}

void reduce_window(Case& c, std::int64_t n) {
    Builder b = c.build();
    const auto a = begin(b, {{E::kS32, {n, 12}}});
    WindowAttributes w{{1, 12}, {1, 1}, {1, 1}, {1, 1}, {0, 11}, {0, 0}};
    const RegionId add = b.combiner_region(OpKind::kAdd, E::kS32);
    const ValueId operands[] = {a[0], b.scalar(E::kS32, 0)};
    end(b, {c.module.result(b.add_op(OpKind::kReduceWindow, operands, w, {}, {&add, 1}))});
}

}  // namespace

const std::vector<Program>& programs() {
    static const std::vector<Program> all = {
        {"elementwise", elementwise},
        {"clamp by scalars", clamp_scalars},
        {"broadcast", broadcast},
        {"transpose", transpose},
        {"reshape", reshape},
        {"iota and constants", iota_and_constants},
        {"dot", dot},
        {"batched dot", batched_dot},
        {"integer dot", integer_dot},
        {"reduce", reduce},
        {"argmax", argmax},
        {"softmax", softmax},
        {"slice, concatenate, pad, reverse", slices},
        {"dynamic slices", dynamic_slices},
        {"embedding", embedding},
        {"sort", sort},
        {"while", loop},
        {"if", branch},
        {"convolution", convolution},
        {"depthwise convolution", depthwise_convolution},
        {"reduce_window", reduce_window},
    };
    return all;
}

}  // namespace shardwright::test
