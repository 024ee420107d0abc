// Replica groups and source-target pairs of HLO's collectives.
#include "formats/hlo_attributes.h"
#include "sharding/hlo_sharding.h"

namespace shardwright::formats::hlo {
namespace {

using Groups = std::vector<std::vector<std::int64_t>>;
constexpr std::int64_t kMaxDevices = 1
                                     << 22;  // written-out groups cost memory; no machine has more

Result<Groups> parse_lists(Cursor& cursor) {
    Groups out;
    SW_CHECK(cursor.expect('{'));
    if (cursor.peek() >= '0' && cursor.peek() <= '9') {  // `{0,1}`: one group
        out.emplace_back();
        do {
            SW_TRY(const std::int64_t device, cursor.expect_integer());
            out.back().push_back(device);
        } while (cursor.eat(','));
        SW_CHECK(cursor.expect('}'));
        return out;
    }
    while (!cursor.eat('}')) {
        SW_TRY(const Dims group, cursor.integers());
        out.emplace_back(group.begin(), group.end());
        if (!cursor.eat(',') && cursor.peek() != '}') return cursor.error("unexpected text", "'}'");
    }
    return out;
}

/// `[groups,size]<=[reshape]T(permutation)`.
Result<Groups> parse_iota(Cursor& cursor) {
    const auto list = [&](char open, char close) -> Result<Dims> {
        Dims out;
        SW_CHECK(cursor.expect(open));
        while (!cursor.eat(close)) {
            SW_TRY(const std::int64_t n, cursor.expect_integer());
            out.push_back(n);
            if (!cursor.eat(',') && cursor.peek() != close)
                return cursor.error("unexpected text", std::string(1, close));
        }
        return out;
    };
    SW_TRY(const Dims shape, list('[', ']'));
    if (!cursor.eat("<=")) return cursor.error("unexpected text", "'<='");
    SW_TRY(const Dims reshape, list('[', ']'));
    Dims permutation;
    if (cursor.eat('T')) {
        SW_TRY(permutation, list('(', ')'));
    } else {
        for (std::size_t i = 0; i < reshape.size(); ++i)
            permutation.push_back(static_cast<std::int64_t>(i));
    }
    std::int64_t count = 1;
    for (const std::int64_t n : reshape) {
        if (n < 1 || count > kMaxDevices / n)
            return cursor.error("bad device list", "at most 4,194,304 devices");
        count *= n;
    }
    std::vector<bool> seen(reshape.size(), false);
    for (const std::int64_t p : permutation) {
        if (p < 0 || static_cast<std::size_t>(p) >= seen.size() ||
            seen[static_cast<std::size_t>(p)])
            return cursor.error("bad transpose", "each dimension once");
        seen[static_cast<std::size_t>(p)] = true;
    }
    if (shape.size() != 2 || shape[0] < 1 || shape[1] < 1 || count % shape[0] != 0 ||
        count / shape[0] != shape[1] || permutation.size() != reshape.size())
        return cursor.error("bad device groups", "[groups,size] with as many devices as the list");
    Dims strides(reshape.size(), 1);
    for (std::size_t i = reshape.size(); i-- > 1;) strides[i - 1] = strides[i] * reshape[i];
    Groups out(static_cast<std::size_t>(shape[0]));
    Dims index(reshape.size(), 0);  // over the transposed dims
    for (std::int64_t n = 0; n < count; ++n) {
        std::int64_t device = 0;
        for (std::size_t k = 0; k < index.size(); ++k)
            device += index[k] * strides[static_cast<std::size_t>(permutation[k])];
        out[static_cast<std::size_t>(n / shape[1])].push_back(device);
        for (std::size_t k = index.size(); k-- > 0;) {
            if (++index[k] < reshape[static_cast<std::size_t>(permutation[k])]) break;
            index[k] = 0;
        }
    }
    return out;
}

/// `mesh['x'=2,'y'=4] {'x'}`.
Result<Groups> parse_named(Cursor& cursor) {
    SW_CHECK(cursor.expect('['));
    std::vector<mesh::Axis> axes;
    std::int64_t count = 1;
    const auto name = [&]() -> Result<std::string> {
        SW_CHECK(cursor.expect('\''));
        std::string out(cursor.word());
        SW_CHECK(cursor.expect('\''));
        return out;
    };
    while (!cursor.eat(']')) {
        SW_TRY(std::string axis, name());
        SW_CHECK(cursor.expect('='));
        SW_TRY(const std::int64_t size, cursor.expect_integer());
        if (size < 1 || count > kMaxDevices / size || axes.size() == 255)
            return cursor.error("bad mesh", "at most 255 axes and 4,194,304 devices");
        count *= size;
        axes.push_back({std::move(axis), size});
        if (!cursor.eat(',') && cursor.peek() != ']') return cursor.error("unexpected text", "']'");
    }
    const mesh::Mesh mesh("groups", std::move(axes));
    if (cursor.eat(','))
        return cursor.source().unsupported({cursor.at(), 0}, "replica groups with device_ids");
    SW_CHECK(cursor.expect('{'));
    mesh::AxisList used;
    while (!cursor.eat('}')) {
        SW_TRY(const std::string axis, name());
        const auto found = mesh.find(axis);
        if (!found) return cursor.error("unknown axis '" + axis + "'", "an axis of the mesh");
        mesh::AxisRef ref = mesh.full(*found);
        if (cursor.eat(':')) {
            SW_CHECK(cursor.expect('('));
            SW_TRY(const std::int64_t pre, cursor.expect_integer());
            SW_CHECK(cursor.expect(')'));
            SW_TRY(const std::int64_t size, cursor.expect_integer());
            if (pre < 1 || size < 1 || pre > ref.size || size > ref.size || ref.size % (pre * size))
                return cursor.error("bad sub-axis", "a divisor of the axis");
            ref.pre = static_cast<std::uint32_t>(pre) & 0xFFFFFFu;
            ref.size = static_cast<std::uint32_t>(size);
        }
        if (mesh::overlaps(ref, view(used)))
            return cursor.error("axis used twice", "each axis once");
        used.push_back(ref);
        if (!cursor.eat(',') && cursor.peek() != '}') return cursor.error("unexpected text", "'}'");
    }
    return mesh::device_groups(mesh, view(used));
}

}  // namespace

Result<Groups> AttributeReader::groups(std::string_view key) const {
    if (!has(key)) return Groups{};
    Cursor cursor(source_, instruction_.attribute(key));
    if (cursor.eat("mesh")) return parse_named(cursor);
    if (cursor.peek() == '[') return parse_iota(cursor);
    return parse_lists(cursor);
}

}  // namespace shardwright::formats::hlo
