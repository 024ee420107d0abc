#pragma once
// Which operation is drawn in which box: a tree of groups from scope paths, loops and, where a
// model says nothing about itself, from its data flow.

#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.h"
#include "ir/module.h"
#include "ir/uses.h"

namespace shardwright::draw {

struct GroupTag;
using GroupId = Id<GroupTag>;

enum class GroupKind : std::uint8_t {
    kScope,   ///< a component of the scope paths
    kPart,    ///< a stretch of the data flow of a group that was too large
    kLoop,    ///< the body of a `while`; `owner` is the `while`
    kRegion,  ///< a branch, a condition, a manual computation
};

struct Group {
    std::string name;  ///< "layer_3", "block 2", "while × 32"
    GroupKind kind = GroupKind::kScope;
    GroupId parent;  ///< invalid for the root
    std::uint32_t depth = 0;
    std::vector<GroupId> children;
    std::vector<ir::OpId> ops;           ///< operations that are cards here, in program order
    std::vector<ir::ValueId> arguments;  ///< arguments drawn here: where all their users are
    ir::OpId owner;                      ///< kLoop, kRegion: the operation that holds the region
    std::int64_t cards = 0;              ///< operations here and below
    std::int64_t trips = 1;              ///< kLoop: how often it runs; 1 when unknown
};

struct GroupOptions {
    std::size_t max_cards = 120;      ///< a group with more direct cards is split by data flow
    std::size_t max_flat_cards = 48;  ///< the same for a program without any scope path
    std::size_t min_cards = 3;        ///< smaller scopes dissolve into their parent
};

struct GroupTree {
    std::vector<Group> groups;         ///< by GroupId; the root is group 0
    std::vector<GroupId> of_op;        ///< invalid: inlined, or inside a combiner
    std::vector<GroupId> of_argument;  ///< by ValueId; invalid for results
    std::vector<bool> inlined;         ///< by OpId: small constants, shown inside their users

    const Group& operator[](GroupId id) const { return groups[id.index]; }
    GroupId root() const { return GroupId(0); }
    /// The nearest group that holds both.
    GroupId common(GroupId a, GroupId b) const;
    /// True when `inner` is `outer` or lies below it.
    bool contains(GroupId outer, GroupId inner) const;
};

/// Groups of the module's entry function. Deterministic; shardings play no part.
GroupTree find_groups(const ir::Module& module, const ir::Uses& uses,
                      const GroupOptions& options = {});

/// Operations that are drawn inside their users: splat and small constants, iota, and what is made
/// of them alone by broadcast, convert or reshape. Indexed by OpId.
std::vector<bool> find_inlined(const ir::Module& module);

/// Cuts a list of operations into consecutive stretches at narrow places of the data flow; repeated
/// stretches (layers) are found first and named "block 1" … . Each stretch is [begin, end).
struct Stretch {
    std::size_t begin = 0, end = 0;
    std::string name;
};
std::vector<Stretch> split_by_flow(const ir::Module& module, const ir::Uses& uses,
                                   std::span<const ir::OpId> ops, std::size_t max_cards);

}  // namespace shardwright::draw
