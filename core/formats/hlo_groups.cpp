// Replica groups and source-target pairs of HLO's collectives.
#include "formats/hlo_attributes.h"
#include "sharding/hlo_sharding.h"

namespace shardwright::formats::hlo {
namespace {

using Groups = std::vector<std::vector<std::int64_t>>;

/// `{{0,1},{1,2}}`.
Result<Groups> parse_pairs(Cursor& cursor) {
    Groups out;
    SW_CHECK(cursor.expect('{'));
    while (!cursor.eat('}')) {
        SW_TRY(const Dims group, cursor.integers());
        out.emplace_back(group.begin(), group.end());
        if (!cursor.eat(',') && cursor.peek() != '}') return cursor.error("unexpected text", "'}'");
    }
    return out;
}

}  // namespace

Result<Groups> AttributeReader::groups(std::string_view key) const {
    if (!has(key)) return Groups{};
    const std::string_view text = instruction_.attribute(key);
    Cursor cursor(source_, text);
    if (key == "source_target_pairs") return parse_pairs(cursor);
    Result<Groups> groups = sharding::parse_replica_groups(without_comments(text));
    if (!groups.ok()) return source_.place(text, groups.error());
    return groups;
}

}  // namespace shardwright::formats::hlo
