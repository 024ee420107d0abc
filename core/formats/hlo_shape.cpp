#include "formats/hlo_shape.h"

#include <fmt/format.h>

namespace shardwright::formats::hlo {
namespace {

constexpr std::int64_t kMaxElements = std::int64_t{1} << 58;  // bytes and bits still fit 64 bits

Status parse_dims(Cursor& cursor, ir::TensorType& type) {
    SW_CHECK(cursor.expect('['));
    std::int64_t elements = 1;
    while (!cursor.eat(']')) {
        const std::string_view here(cursor.at(), 0);
        if (cursor.peek() == '<' || cursor.peek() == '?')
            return cursor.source().unsupported(here, "dynamic dimension");
        SW_TRY(const std::int64_t size, cursor.expect_integer());
        if (size < 0)
            return cursor.source().error(here, "negative dimension", "a size of 0 or more");
        if (size != 0 && elements > kMaxElements / size)
            return cursor.source().error(here, "tensor too large", "fewer than 2^58 elements");
        elements *= size;
        type.dims.push_back(size);
        if (!cursor.eat(',') && cursor.peek() != ']') return cursor.expect(']');
    }
    // With a zero among them the others could still overflow products that skip it.
    std::int64_t nonzero = 1;
    for (const std::int64_t size : type.dims) {
        if (size == 0) continue;
        if (nonzero > kMaxElements / size)
            return cursor.error("tensor too large", "fewer than 2^58 elements");
        nonzero *= size;
    }
    return {};
}

/// `{1,0:T(8,128)(2,1)S(1)}`: only the order of dimensions matters here.
Status parse_layout(Cursor& cursor, Shape& shape) {
    const char* start = cursor.at();
    SW_TRY(const std::string_view text, cursor.group());
    Cursor inner(cursor.source(), text);
    const std::size_t rank = shape.tensor.rank();
    std::vector<bool> seen(rank, false);
    bool is_default = true;
    while (inner.peek() != ':' && !inner.at_end()) {
        SW_TRY(const std::int64_t dim, inner.expect_integer());
        if (dim < 0 || static_cast<std::size_t>(dim) >= rank || seen[static_cast<std::size_t>(dim)])
            return cursor.source().error(start, "bad layout",
                                         fmt::format("an order of {} dimensions", rank));
        seen[static_cast<std::size_t>(dim)] = true;
        is_default &= static_cast<std::size_t>(dim) + shape.minor_to_major.size() + 1 == rank;
        shape.minor_to_major.push_back(static_cast<std::int32_t>(dim));
        if (!inner.eat(',')) break;
    }
    if (is_default || shape.minor_to_major.size() != rank) shape.minor_to_major.clear();
    return {};
}

Result<Shape> parse_array(Cursor& cursor) {
    Shape shape;
    cursor.skip();
    const char* start = cursor.at();
    const std::string_view name = cursor.word();
    const auto element = ir::parse_hlo_element_type(name);
    if (!element) {
        if (name == "opaque") return cursor.source().unsupported(name, "opaque type");
        return cursor.source().error(start, fmt::format("unknown element type '{}'", name),
                                     "an HLO type such as f32[2,3]");
    }
    shape.tensor.element = *element;
    SW_CHECK(parse_dims(cursor, shape.tensor));
    if (cursor.raw() == '{') SW_CHECK(parse_layout(cursor, shape));
    return shape;
}

Result<Shape> parse(Cursor& cursor, int depth) {
    if (cursor.peek() != '(') return parse_array(cursor);
    if (depth > kMaxDepth) return cursor.error("tuple nested too deeply", "at most 200 levels");
    Shape shape;
    shape.is_tuple = true;
    shape.leaves = 0;
    cursor.eat('(');
    while (!cursor.eat(')')) {
        SW_TRY(Shape element, parse(cursor, depth + 1));
        shape.leaves += element.leaves;
        shape.elements.push_back(std::move(element));
        if (!cursor.eat(',') && cursor.peek() != ')') return cursor.error("unexpected text", "')'");
    }
    return shape;
}

}  // namespace

std::size_t Shape::leaf_offset(std::size_t i) const {
    if (leaves == elements.size()) return i;  // a flat tuple
    std::size_t offset = 0;
    for (std::size_t k = 0; k < i; ++k) offset += elements[k].leaves;
    return offset;
}

void Shape::append_leaves(std::vector<const Shape*>& out) const {
    if (!is_tuple) {
        out.push_back(this);
        return;
    }
    for (const Shape& element : elements) element.append_leaves(out);
}

Result<Shape> parse_shape(Cursor& cursor) {
    return parse(cursor, 0);
}

}  // namespace shardwright::formats::hlo
