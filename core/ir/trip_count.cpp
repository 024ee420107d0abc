#include "ir/trip_count.h"

#include <cstdlib>

namespace shardwright::ir {
namespace {

constexpr int kMaxDepth = 64;
constexpr std::int64_t kMaxMagnitude = std::int64_t{1} << 61;  // differences then never overflow

/// Whether a loop's region passes its argument through unchanged.
bool is_invariant(const Module& m, OpId loop, std::uint32_t index) {
    const RegionId body = m.region_of(loop, 1);
    return m.returned(body)[index] == m.argument(body, index);
}

/// The integer that `v` always holds, seen through copies and loop-invariant arguments.
std::optional<std::int64_t> constant_integer(const Module& m, ValueId v, int depth = 0) {
    if (depth > kMaxDepth) return std::nullopt;
    const TensorType& type = m.type(v);
    if (!is_integer(type.element) || type.element_count() != 1) return std::nullopt;
    const Value& value = m.value(v);
    if (!value.def.valid()) {
        const OpId loop = m.region(value.region).parent;
        if (!loop.valid() || m.op(loop).kind != OpKind::kWhile ||
            !is_invariant(m, loop, value.index))
            return std::nullopt;
        return constant_integer(m, m.operand(loop, value.index), depth + 1);
    }
    switch (m.op(value.def).kind) {
        case OpKind::kCopy:
        case OpKind::kConvert:
        case OpKind::kReshape:
            return constant_integer(m, m.operand(value.def, 0), depth + 1);
        case OpKind::kConstant:
            break;
        default:
            return std::nullopt;
    }
    const Literal& literal = m.literal(m.attributes<ConstantAttributes>(value.def).literal);
    if (literal.kind == Literal::Kind::kElided) return std::nullopt;
    const std::int64_t number = element_as_int(literal.data(), type.element, 0);
    if (number > kMaxMagnitude || number < -kMaxMagnitude) return std::nullopt;
    return number;
}

/// `v` with copies taken off.
ValueId behind_copies(const Module& m, ValueId v) {
    for (int depth = 0; depth < kMaxDepth && m.value(v).def.valid(); ++depth) {
        if (m.op(m.value(v).def).kind != OpKind::kCopy) break;
        v = m.operand(m.value(v).def, 0);
    }
    return v;
}

Direction mirrored(Direction d) {
    switch (d) {
        case Direction::kGe:
            return Direction::kLe;
        case Direction::kGt:
            return Direction::kLt;
        case Direction::kLe:
            return Direction::kGe;
        case Direction::kLt:
            return Direction::kGt;
        default:
            return d;
    }
}

struct Counter {
    std::uint32_t index;
    Direction direction;
    std::int64_t limit;
};

/// `argument i <direction> constant`, however the condition orders the two.
std::optional<Counter> find_counter(const Module& m, RegionId condition) {
    const auto returned = m.returned(condition);
    if (returned.size() != 1) return std::nullopt;
    const OpId compare = m.value(behind_copies(m, returned[0])).def;
    if (!compare.valid() || m.op(compare).kind != OpKind::kCompare) return std::nullopt;
    const Direction direction = m.attributes<CompareAttributes>(compare).direction;
    for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
        const ValueId v = behind_copies(m, m.operand(compare, side));
        const Value& value = m.value(v);
        if (value.def.valid() || value.region != condition) continue;
        if (const auto limit = constant_integer(m, m.operand(compare, 1 - side)))
            return Counter{value.index, side == 0 ? direction : mirrored(direction), *limit};
    }
    return std::nullopt;
}

/// What the body adds to argument `index` each time.
std::optional<std::int64_t> find_step(const Module& m, RegionId body, std::uint32_t index) {
    const OpId op = m.value(behind_copies(m, m.returned(body)[index])).def;
    if (!op.valid()) return std::nullopt;
    const OpKind kind = m.op(op).kind;
    if (kind != OpKind::kAdd && kind != OpKind::kSubtract) return std::nullopt;
    const ValueId counter = m.argument(body, index);
    if (behind_copies(m, m.operand(op, 0)) == counter) {
        const auto step = constant_integer(m, m.operand(op, 1));
        return step && kind == OpKind::kSubtract ? std::optional(-*step) : step;
    }
    if (kind == OpKind::kAdd && behind_copies(m, m.operand(op, 1)) == counter)
        return constant_integer(m, m.operand(op, 0));
    return std::nullopt;
}

std::optional<std::int64_t> trips(std::int64_t start, std::int64_t step, const Counter& c) {
    const std::int64_t distance = c.limit - start;
    const auto steps_to = [&](std::int64_t d) { return d <= 0 ? 0 : (d - 1) / std::abs(step) + 1; };
    switch (c.direction) {
        case Direction::kLt:
            if (distance <= 0) return 0;
            return step > 0 ? std::optional(steps_to(distance)) : std::nullopt;
        case Direction::kLe:
            if (distance < 0) return 0;
            return step > 0 ? std::optional(steps_to(distance + 1)) : std::nullopt;
        case Direction::kGt:
            if (distance >= 0) return 0;
            return step < 0 ? std::optional(steps_to(-distance)) : std::nullopt;
        case Direction::kGe:
            if (distance > 0) return 0;
            return step < 0 ? std::optional(steps_to(1 - distance)) : std::nullopt;
        case Direction::kNe:
            if (distance == 0) return 0;
            if (step == 0 || distance % step != 0 || distance / step < 0) return std::nullopt;
            return distance / step;
        case Direction::kEq:
            if (distance != 0) return 0;
            return step != 0 ? std::optional<std::int64_t>(1) : std::nullopt;
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::int64_t> trip_count(const Module& m, OpId loop) {
    if (m.op(loop).kind != OpKind::kWhile) return std::nullopt;
    if (const auto* a = m.attributes_if<WhileAttributes>(loop); a && a->known_trip_count >= 0)
        return a->known_trip_count;
    const auto counter = find_counter(m, m.region_of(loop, 0));
    if (!counter) return std::nullopt;
    const auto start = constant_integer(m, m.operand(loop, counter->index));
    const auto step = find_step(m, m.region_of(loop, 1), counter->index);
    if (!start || !step) return std::nullopt;
    return trips(*start, *step, *counter);
}

}  // namespace shardwright::ir
