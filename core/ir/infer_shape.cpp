// Operations that move data without computing: reshapes, slices, pads.
#include "ir/infer_context.h"

namespace shardwright::ir::inference {
namespace {

Inferred bitcast_convert(const Context& c) {
    SW_CHECK(need_operands(c, 1));
    SW_TRY(TensorType to, need_stated(c));
    const TensorType& from = c.operand(0);
    const int from_bits = bit_width(from.element);
    const int to_bits = bit_width(to.element);
    SW_CHECK(need_element(c, from_bits > 0 && to_bits > 0, 0, "a tensor"));
    Dims expected = from.dims;
    if (from_bits > to_bits) {
        expected.push_back(from_bits / to_bits);
    } else if (from_bits < to_bits) {
        const std::int64_t parts = to_bits / from_bits;
        if (expected.empty() || expected.back() != parts)
            return bad_input(fmt::format("bitcast_convert of {} to {} elements", mlir_text(from),
                                         mlir_name(to.element)),
                             fmt::format("a last dimension of {}", parts));
        expected.pop_back();
    }
    if (to.dims != expected)
        return bad_input(fmt::format("the result of bitcast_convert has shape {}", text(to.dims)),
                         text(expected));
    return Types{to};
}

Inferred broadcast_in_dim(const Context& c) {
    SW_CHECK(need_operands(c, 1));
    SW_TRY(const DimsAttributes* a, need_attributes<DimsAttributes>(c));
    SW_TRY(TensorType to, need_stated(c));
    const TensorType& from = c.operand(0);
    SW_CHECK(need_element(c, from.element == to.element, 0,
                          fmt::format("{} elements as the result", mlir_name(to.element))));
    SW_CHECK(need_entries(c, a->dims.size(), from.rank(), "broadcast_dimensions"));
    SW_CHECK(need_unique_dims(c, view(a->dims), to.rank(), "broadcast dimension"));
    for (std::size_t i = 0; i < from.rank(); ++i) {
        const std::int64_t target = to.dims[static_cast<std::size_t>(a->dims[i])];
        if (from.dims[i] != 1 && from.dims[i] != target)
            return bad_input(
                fmt::format("dimension {} of broadcast_in_dim's operand has size {}", i,
                            from.dims[i]),
                fmt::format("1 or {}, the size of result dimension {}", target, a->dims[i]));
    }
    return Types{to};
}

Inferred concatenate(const Context& c) {
    SW_CHECK(need_operands_at_least(c, 1));
    SW_TRY(const DimAttributes* a, need_attributes<DimAttributes>(c));
    TensorType to = c.operand(0);
    SW_CHECK(need_dim(c, a->dim, to.rank(), "dimension"));
    const auto dim = static_cast<std::size_t>(a->dim);
    Checked total = to.dims[dim];
    for (std::size_t i = 1; i < c.operand_count(); ++i) {
        TensorType other = c.operand(i);
        if (other.rank() == to.rank()) {
            total = total + other.dims[dim];
            other.dims[dim] = to.dims[dim];
        }
        if (!(other == to))
            return bad_input(
                fmt::format("operand {} of concatenate is {}", i, mlir_text(c.operand(i))),
                fmt::format("{} but for dimension {}", mlir_text(c.operand(0)), dim));
    }
    if (total.overflow) return bad_input("the result of concatenate is too large");
    to.dims[dim] = total.value;
    return Types{to};
}

/// The indices behind the first operands: one integer scalar a dimension, all of one type.
Status need_start_indices(const Context& c, std::size_t first, std::size_t rank) {
    SW_CHECK(need_operands(c, first + rank));
    for (std::size_t i = first; i < c.operand_count(); ++i) {
        SW_CHECK(need_scalar_index(c, i));
        SW_CHECK(need_same_type(c, first, i));
    }
    return {};
}

Inferred dynamic_slice(const Context& c) {
    SW_CHECK(need_operands_at_least(c, 1));
    SW_TRY(const DynamicSliceAttributes* a, need_attributes<DynamicSliceAttributes>(c));
    const TensorType& from = c.operand(0);
    SW_CHECK(need_start_indices(c, 1, from.rank()));
    SW_CHECK(need_entries(c, a->sizes.size(), from.rank(), "slice_sizes"));
    for (std::size_t i = 0; i < from.rank(); ++i)
        if (a->sizes[i] < 0 || a->sizes[i] > from.dims[i])
            return bad_input(
                fmt::format("slice size {} of dimension {} of dynamic_slice", a->sizes[i], i),
                fmt::format("0 to {}", from.dims[i]));
    return Types{{from.element, a->sizes}};
}

Inferred dynamic_update_slice(const Context& c) {
    SW_CHECK(need_operands_at_least(c, 2));
    const TensorType& from = c.operand(0);
    const TensorType& update = c.operand(1);
    SW_CHECK(need_start_indices(c, 2, from.rank()));
    bool fits = update.element == from.element && update.rank() == from.rank();
    for (std::size_t i = 0; fits && i < from.rank(); ++i) fits = update.dims[i] <= from.dims[i];
    SW_CHECK(need_element(c, fits, 1, fmt::format("at most {}", mlir_text(from))));
    return Types{from};
}

Inferred pad(const Context& c) {
    SW_CHECK(need_operands(c, 2));
    SW_TRY(const PadAttributes* a, need_attributes<PadAttributes>(c));
    TensorType to = c.operand(0);
    SW_CHECK(need_scalar(c, 1));
    SW_CHECK(need_element(c, c.operand(1).element == to.element, 1,
                          fmt::format("{} elements as operand 0", mlir_name(to.element))));
    SW_CHECK(need_entries(c, a->low.size(), to.rank(), "edge_padding_low"));
    SW_CHECK(need_entries(c, a->high.size(), to.rank(), "edge_padding_high"));
    SW_CHECK(need_entries(c, a->interior.size(), to.rank(), "interior_padding"));
    for (std::size_t i = 0; i < to.rank(); ++i) {
        if (a->interior[i] < 0)
            return bad_input(fmt::format("interior padding {} of pad", a->interior[i]),
                             "0 or more");
        const std::int64_t gaps = std::max<std::int64_t>(to.dims[i] - 1, 0);
        const Checked size =
            Checked(gaps) * a->interior[i] + to.dims[i] + Checked(a->low[i]) + a->high[i];
        if (size.overflow) return bad_input("the result of pad is too large");
        if (size.value < 0)
            return bad_input(fmt::format("pad makes a size of {} of dimension {}", size.value, i),
                             "0 or more");
        to.dims[i] = size.value;
    }
    return Types{to};
}

Inferred reshape(const Context& c) {
    SW_CHECK(need_operands(c, 1));
    SW_TRY(TensorType to, need_stated(c));
    const TensorType& from = c.operand(0);
    if (to.element != from.element || to.element_count() != from.element_count())
        return bad_input(fmt::format("reshape of {} to {}", mlir_text(from), mlir_text(to)),
                         "the same element type and count");
    return Types{to};
}

Inferred reverse(const Context& c) {
    SW_CHECK(need_operands(c, 1));
    SW_TRY(const DimsAttributes* a, need_attributes<DimsAttributes>(c));
    SW_CHECK(need_unique_dims(c, view(a->dims), c.operand(0).rank(), "dimension"));
    return Types{c.operand(0)};
}

Inferred slice(const Context& c) {
    SW_CHECK(need_operands(c, 1));
    SW_TRY(const SliceAttributes* a, need_attributes<SliceAttributes>(c));
    TensorType to = c.operand(0);
    SW_CHECK(need_entries(c, a->start.size(), to.rank(), "start_indices"));
    SW_CHECK(need_entries(c, a->limit.size(), to.rank(), "limit_indices"));
    SW_CHECK(need_entries(c, a->strides.size(), to.rank(), "strides"));
    for (std::size_t i = 0; i < to.rank(); ++i) {
        const std::int64_t start = a->start[i], limit = a->limit[i], stride = a->strides[i];
        if (start < 0 || limit < start || limit > to.dims[i] || stride < 1)
            return bad_input(fmt::format("slice {}:{}:{} of dimension {} of size {}", start, limit,
                                         stride, i, to.dims[i]),
                             "0 <= start <= limit <= size and a stride of at least 1");
        to.dims[i] = limit == start ? 0 : (limit - start - 1) / stride + 1;
    }
    return Types{to};
}

Inferred transpose(const Context& c) {
    SW_CHECK(need_operands(c, 1));
    SW_TRY(const DimsAttributes* a, need_attributes<DimsAttributes>(c));
    TensorType to = c.operand(0);
    SW_CHECK(need_entries(c, a->dims.size(), to.rank(), "permutation"));
    SW_CHECK(need_unique_dims(c, view(a->dims), to.rank(), "permutation entry"));
    for (std::size_t i = 0; i < to.rank(); ++i)
        to.dims[i] = c.operand(0).dims[static_cast<std::size_t>(a->dims[i])];
    return Types{to};
}

Inferred dimension_size(const Context& c) {
    const bool set = c.op.kind == OpKind::kSetDimensionSize;
    SW_CHECK(need_operands(c, set ? 2 : 1));
    SW_TRY(const DimAttributes* a, need_attributes<DimAttributes>(c));
    SW_CHECK(need_dim(c, a->dim, c.operand(0).rank(), "dimension"));
    if (!set) return Types{{ElementType::kS32, {}}};
    SW_CHECK(need_element(c, c.operand(1) == TensorType{ElementType::kS32, {}}, 1, "tensor<i32>"));
    return Types{c.operand(0)};
}

}  // namespace

Inferred movement(const Context& c) {
    switch (c.op.kind) {
        case OpKind::kBitcastConvert:
            return bitcast_convert(c);
        case OpKind::kBroadcastInDim:
            return broadcast_in_dim(c);
        case OpKind::kConcatenate:
            return concatenate(c);
        case OpKind::kDynamicSlice:
            return dynamic_slice(c);
        case OpKind::kDynamicUpdateSlice:
            return dynamic_update_slice(c);
        case OpKind::kPad:
            return pad(c);
        case OpKind::kReshape:
            return reshape(c);
        case OpKind::kReverse:
            return reverse(c);
        case OpKind::kSlice:
            return slice(c);
        case OpKind::kTranspose:
            return transpose(c);
        default:
            return dimension_size(c);
    }
}

}  // namespace shardwright::ir::inference
