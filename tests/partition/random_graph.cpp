#include "random_graph.h"

#include "ir/uses.h"

namespace shardwright::test {
namespace {

using namespace ir;
using E = ElementType;

class Grower {
  public:
    Grower(Case& c, std::uint64_t seed) : b_(c.module), random_(seed) {}

    void run(int ops) {
        std::vector<TensorType> types;
        for (int i = 0; i < 3; ++i) types.push_back(random_type(i == 2 ? E::kS32 : E::kF32));
        types.push_back({E::kS32, {}});
        const RegionId body = b_.begin_function("main", types);
        for (std::size_t i = 0; i < types.size(); ++i) values_.push_back(m().argument(body, i));
        index_ = values_.back();
        values_.pop_back();
        for (int i = 0; i < ops; ++i) step();
        const Uses uses(m());
        std::vector<ValueId> results;
        for (const ValueId v : values_)
            if (uses.of(v).empty()) results.push_back(v);
        b_.ret(results);
    }

  private:
    Module& m() { return b_.module(); }
    std::int64_t pick(std::int64_t n) {
        return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(n));
    }
    ValueId any() {
        return values_[static_cast<std::size_t>(pick(static_cast<std::int64_t>(values_.size())))];
    }
    TensorType random_type(E element) {
        TensorType type{element, {}};
        const std::int64_t rank = 1 + pick(3);
        const std::int64_t sizes[] = {1, 2, 3, 4, 5, 6, 7, 8, 12, 16};
        for (std::int64_t d = 0; d < rank; ++d) type.dims.push_back(sizes[pick(10)]);
        return type;
    }
    bool is_float(ValueId v) { return ir::is_float(b_.type(v).element); }
    /// A value of this type: one that there is, or one made from nothing.
    ValueId like(const TensorType& type) {
        for (int i = 0; i < 4; ++i)
            if (const ValueId v = any(); b_.type(v) == type) return v;
        if (type.rank() > 0 && pick(2) == 0)
            return b_.iota(type, pick(static_cast<std::int64_t>(type.rank())));
        return b_.splat(type, static_cast<double>(pick(3)));
    }
    /// Keeps floats small, so that differences are those of rounding.
    ValueId bounded(ValueId v) { return is_float(v) ? b_.add(OpKind::kTanh, {v}) : v; }

    void step() {
        const ValueId v = any();
        const TensorType type = b_.type(v);
        const auto rank = static_cast<std::int64_t>(type.rank());
        ValueId made;
        switch (pick(15)) {
            case 0:
                made = b_.add(is_float(v) ? OpKind::kTanh : OpKind::kNegate, {v});
                break;
            case 1:
                made = b_.add(pick(2) == 0 ? OpKind::kAdd : OpKind::kMultiply, {v, like(type)});
                break;
            case 2: {
                const ValueId other = like(type);
                made = b_.select(b_.compare(v, other, ir::Direction::kLt), other, v);
                break;
            }
            case 3:
                made = transposed(v);
                break;
            case 4:
                made = reshaped(v);
                break;
            case 5:
            case 6:
                made = reduced(v);
                break;
            case 7:
            case 8:
                made = multiplied(v);
                break;
            case 9: {
                TensorType to = type;
                to.dims.insert(to.dims.begin() + pick(rank + 1), 1 + pick(6));
                if (to.rank() > 4) return;
                made = spread(v, to);
                break;
            }
            case 10:
                made = rank == 0 ? v : sliced(v);
                break;
            case 11: {
                if (rank == 0) return;
                const ValueId both[] = {v, like(type)};
                made = b_.concatenate(both, pick(rank));
                break;
            }
            case 12:
                made = updated(v);
                break;
            case 13:
                made = b_.convert(v, is_float(v) ? E::kBF16 : E::kF32);
                break;
            default: {
                if (rank == 0) return;
                PadAttributes pad{Dims(type.rank(), 0), Dims(type.rank(), 0), Dims(type.rank(), 0)};
                const auto d = static_cast<std::size_t>(pick(rank));
                pad.low[d] = pick(3);
                pad.high[d] = pick(3);
                pad.interior[d] = pick(2);
                made = b_.add(OpKind::kPad, {v, b_.scalar(type.element, 1)}, pad);
            }
        }
        if (made.valid() && b_.type(made).element_count() <= 4096) values_.push_back(made);
    }

    ValueId transposed(ValueId v) {
        Dims order;
        for (std::size_t d = 0; d < b_.type(v).rank(); ++d)
            order.push_back(static_cast<std::int64_t>(d));
        std::shuffle(order.begin(), order.end(), random_);
        return b_.transpose(v, view(order));
    }
    ValueId reshaped(ValueId v) {
        Dims dims = b_.type(v).dims;
        if (dims.size() > 1 && pick(2) == 0) {
            const auto d =
                static_cast<std::size_t>(pick(static_cast<std::int64_t>(dims.size()) - 1));
            dims[d] *= dims[d + 1];
            dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(d) + 1);
        } else {
            for (std::size_t d = 0; d < dims.size(); ++d)
                for (const std::int64_t part : {4, 2, 3})
                    if (dims[d] % part == 0 && dims.size() < 4) {
                        dims[d] /= part;
                        dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(d), part);
                        return b_.reshape(v, view(dims));
                    }
        }
        return b_.reshape(v, view(dims));
    }
    ValueId reduced(ValueId v) {
        Dims dims;
        for (std::size_t d = 0; d < b_.type(v).rank(); ++d)
            if (pick(2) == 0) dims.push_back(static_cast<std::int64_t>(d));
        const E element = b_.type(v).element;
        const bool sum = pick(2) == 0;
        const ValueId init = b_.scalar(element, static_cast<double>(pick(3)) - 1);
        return bounded(b_.reduce(v, init, view(dims), sum ? OpKind::kAdd : OpKind::kMaximum));
    }
    ValueId multiplied(ValueId v) {
        const TensorType& type = b_.type(v);
        if (type.rank() == 0) return v;
        DotAttributes d;
        const auto contracted =
            static_cast<std::size_t>(pick(static_cast<std::int64_t>(type.rank())));
        TensorType other{type.element, {type.dims[contracted], 1 + pick(7)}};
        d.lhs_contracting = {static_cast<std::int64_t>(contracted)};
        d.rhs_contracting = {0};
        for (std::size_t b = 0; b < type.rank(); ++b)
            if (b != contracted && pick(3) == 0) {
                d.lhs_batch = {static_cast<std::int64_t>(b)};
                d.rhs_batch = {2};
                other.dims.push_back(type.dims[b]);
                break;
            }
        return bounded(b_.dot(v, like(other), d, type.element));
    }
    ValueId spread(ValueId v, const TensorType& to) {
        Dims dims;
        std::size_t next = 0;
        const Dims from = b_.type(v).dims;
        for (std::size_t d = 0; d < to.rank() && next < from.size(); ++d)
            if (to.dims[d] == from[next] && to.rank() - d >= from.size() - next) {
                dims.push_back(static_cast<std::int64_t>(d));
                ++next;
            }
        return next == from.size() ? b_.broadcast(v, to, view(dims)) : v;
    }
    ValueId sliced(ValueId v) {
        const Dims dims = b_.type(v).dims;
        SliceAttributes a{Dims(dims.size(), 0), dims, Dims(dims.size(), 1)};
        const auto d = static_cast<std::size_t>(pick(static_cast<std::int64_t>(dims.size())));
        a.start[d] = pick(dims[d]);
        a.limit[d] = a.start[d] + 1 + pick(dims[d] - a.start[d]);
        a.strides[d] = 1 + pick(2);
        return b_.slice(v, a);
    }
    /// A dynamic slice, or the same written back elsewhere.
    ValueId updated(ValueId v) {
        const TensorType type = b_.type(v);
        if (type.rank() == 0) return v;
        DynamicSliceAttributes a{type.dims};
        const auto d = static_cast<std::size_t>(pick(static_cast<std::int64_t>(type.rank())));
        a.sizes[d] = 1 + pick(type.dims[d]);
        const ValueId zero = b_.scalar(E::kS32, 0);
        std::vector<ValueId> operands{v};
        for (std::size_t i = 0; i < type.rank(); ++i) operands.push_back(i == d ? index_ : zero);
        const ValueId part = m().result(b_.add_op(OpKind::kDynamicSlice, operands, a));
        if (pick(2) == 0) return part;
        operands.insert(operands.begin() + 1, part);
        operands[2 + d] = b_.scalar(E::kS32, static_cast<double>(pick(type.dims[d] + 2)) - 1);
        return m().result(b_.add_op(OpKind::kDynamicUpdateSlice, operands));
    }

    Builder b_;
    std::mt19937_64 random_;
    std::vector<ValueId> values_;
    ValueId index_;
};

}  // namespace

void random_graph(Case& c, std::uint64_t seed, int ops) {
    Grower(c, seed).run(ops);
}

}  // namespace shardwright::test
