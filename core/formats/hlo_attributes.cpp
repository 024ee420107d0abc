#include "formats/hlo_attributes.h"

#include <charconv>

namespace shardwright::formats::hlo {

Result<std::string_view> AttributeReader::required(std::string_view key) const {
    if (has(key)) return instruction_.attribute(key);
    return source_.error(instruction_.name,
                         std::string(instruction_.opcode) + " without '" + std::string(key) + "'",
                         std::string(key) + "=…");
}

Result<Dims> AttributeReader::dims(std::string_view key) const {
    if (!has(key)) return Dims{};
    Cursor cursor(source_, instruction_.attribute(key));
    SW_TRY(Dims numbers, cursor.integers());
    if (!cursor.at_end()) return cursor.error("unexpected text", "a list of integers");
    return numbers;
}

Result<Dims> AttributeReader::required_dims(std::string_view key) const {
    SW_TRY([[maybe_unused]] const std::string_view value, required(key));
    return dims(key);
}

Result<std::int64_t> AttributeReader::integer(std::string_view key, std::int64_t otherwise) const {
    if (!has(key)) return otherwise;
    Cursor cursor(source_, instruction_.attribute(key));
    return cursor.expect_integer();
}

Result<bool> AttributeReader::boolean(std::string_view key, bool otherwise) const {
    if (!has(key)) return otherwise;
    const std::string_view value = instruction_.attribute(key);
    if (value == "true") return true;
    if (value == "false") return false;
    return source_.error(value, "bad value of '" + std::string(key) + "'", "true or false");
}

Result<double> AttributeReader::number(std::string_view key, double otherwise) const {
    if (!has(key)) return otherwise;
    const std::string_view value = instruction_.attribute(key);
    double result = 0;
    const auto [end, fault] = std::from_chars(value.data(), value.data() + value.size(), result);
    if (fault != std::errc() || end != value.data() + value.size())
        return source_.error(value, "bad value of '" + std::string(key) + "'", "a number");
    return result;
}

/// `{[0:4], [2:8:2]}`.
Result<ir::SliceAttributes> AttributeReader::slice() const {
    SW_TRY(const std::string_view text, required("slice"));
    Cursor cursor(source_, text);
    ir::SliceAttributes out;
    SW_CHECK(cursor.expect('{'));
    while (!cursor.eat('}')) {
        SW_CHECK(cursor.expect('['));
        SW_TRY(const std::int64_t start, cursor.expect_integer());
        SW_CHECK(cursor.expect(':'));
        SW_TRY(const std::int64_t limit, cursor.expect_integer());
        std::int64_t stride = 1;
        if (cursor.eat(':')) {
            SW_TRY(stride, cursor.expect_integer());
        }
        SW_CHECK(cursor.expect(']'));
        out.start.push_back(start);
        out.limit.push_back(limit);
        out.strides.push_back(stride);
        if (!cursor.eat(',') && cursor.peek() != '}') return cursor.error("unexpected text", "'}'");
    }
    return out;
}

/// `0_1x2_3_1`: low, high and perhaps interior, a dimension.
Result<ir::PadAttributes> AttributeReader::padding(std::size_t rank) const {
    ir::PadAttributes out;
    if (rank == 0) return out;
    SW_TRY(const std::string_view text, required("padding"));
    Cursor cursor(source_, text);
    do {
        SW_TRY(const std::int64_t low, cursor.expect_integer());
        SW_CHECK(cursor.expect('_'));
        SW_TRY(const std::int64_t high, cursor.expect_integer());
        std::int64_t interior = 0;
        if (cursor.eat('_')) {
            SW_TRY(interior, cursor.expect_integer());
        }
        out.low.push_back(low);
        out.high.push_back(high);
        out.interior.push_back(interior);
    } while (cursor.eat('x'));
    if (!cursor.at_end() || out.low.size() != rank)
        return source_.error(text, "bad padding", "low_high a dimension, joined by 'x'");
    return out;
}

Status AttributeReader::precision(ir::Precision& lhs, ir::Precision& rhs) const {
    if (!has("operand_precision")) return {};
    Cursor cursor(source_, instruction_.attribute("operand_precision"));
    SW_CHECK(cursor.expect('{'));
    for (std::size_t i = 0; !cursor.eat('}'); ++i) {
        const std::string_view word = cursor.word();
        ir::Precision value = ir::Precision::kDefault;
        if (word == "high") {
            value = ir::Precision::kHigh;
        } else if (word == "highest") {
            value = ir::Precision::kHighest;
        } else if (word != "default" && word != "packed_nibble") {
            return cursor.error("unknown precision", "default, high or highest");
        }
        if (i < 2) (i == 0 ? lhs : rhs) = value;
        if (!cursor.eat(',') && cursor.peek() != '}') return cursor.error("unexpected text", "'}'");
    }
    return {};
}

Result<ir::DotAttributes> AttributeReader::dot() const {
    ir::DotAttributes out;
    SW_TRY(out.lhs_batch, dims("lhs_batch_dims"));
    SW_TRY(out.rhs_batch, dims("rhs_batch_dims"));
    SW_TRY(out.lhs_contracting, dims("lhs_contracting_dims"));
    SW_TRY(out.rhs_contracting, dims("rhs_contracting_dims"));
    SW_CHECK(precision(out.lhs_precision, out.rhs_precision));
    return out;
}

Result<ir::GatherAttributes> AttributeReader::gather() const {
    ir::GatherAttributes out;
    SW_TRY(out.offset_dims, required_dims("offset_dims"));
    SW_TRY(out.collapsed_slice_dims, dims("collapsed_slice_dims"));
    SW_TRY(out.operand_batching_dims, dims("operand_batching_dims"));
    SW_TRY(out.start_indices_batching_dims, dims("start_indices_batching_dims"));
    SW_TRY(out.start_index_map, required_dims("start_index_map"));
    SW_TRY(out.index_vector_dim, integer("index_vector_dim", 0));
    SW_TRY(out.slice_sizes, required_dims("slice_sizes"));
    SW_TRY(out.indices_sorted, boolean("indices_are_sorted", false));
    return out;
}

Result<ir::ScatterAttributes> AttributeReader::scatter() const {
    ir::ScatterAttributes out;
    SW_TRY(out.update_window_dims, required_dims("update_window_dims"));
    SW_TRY(out.inserted_window_dims, dims("inserted_window_dims"));
    SW_TRY(out.input_batching_dims, dims("input_batching_dims"));
    SW_TRY(out.scatter_indices_batching_dims, dims("scatter_indices_batching_dims"));
    SW_TRY(out.scatter_dims_to_operand_dims, required_dims("scatter_dims_to_operand_dims"));
    SW_TRY(out.index_vector_dim, integer("index_vector_dim", 0));
    SW_TRY(out.indices_sorted, boolean("indices_are_sorted", false));
    SW_TRY(out.unique_indices, boolean("unique_indices", false));
    return out;
}

Result<ir::CompareAttributes> AttributeReader::compare() const {
    SW_TRY(const std::string_view text, required("direction"));
    using ir::Direction;
    constexpr std::pair<std::string_view, Direction> kDirections[] = {
        {"EQ", Direction::kEq}, {"NE", Direction::kNe}, {"GE", Direction::kGe},
        {"GT", Direction::kGt}, {"LE", Direction::kLe}, {"LT", Direction::kLt}};
    using ir::CompareType;
    constexpr std::pair<std::string_view, CompareType> kTypes[] = {
        {"FLOAT", CompareType::kFloat},
        {"TOTALORDER", CompareType::kTotalOrder},
        {"SIGNED", CompareType::kSigned},
        {"UNSIGNED", CompareType::kUnsigned}};
    ir::CompareAttributes out;
    bool found = false;
    for (const auto& [name, direction] : kDirections) {
        if (name != text) continue;
        out.direction = direction;
        found = true;
    }
    if (!found) return source_.error(text, "unknown direction", "EQ, NE, GE, GT, LE or LT");
    if (!has("type")) return out;
    for (const auto& [name, type] : kTypes) {
        if (name != word("type")) continue;
        out.type = type;
        return out;
    }
    return source_.error(word("type"), "unknown comparison type",
                         "FLOAT, TOTALORDER, SIGNED or UNSIGNED");
}

}  // namespace shardwright::formats::hlo
