#pragma once
// The cards and edges of one group: what its layout works on. Groups below it are single nodes.

#include <cstdint>
#include <vector>

#include "draw/groups.h"
#include "ir/module.h"

namespace shardwright::draw {

enum class NodeKind : std::uint8_t {
    kOp,        ///< one operation with its results as pills
    kArgument,  ///< an argument of the program or of a loop
    kPort,      ///< a value that comes from outside this group
    kGroup,     ///< a group below, or a loop
};

struct Node {
    NodeKind kind = NodeKind::kOp;
    ir::OpId op;        ///< kOp; kGroup: the loop's operation, if it is a loop
    ir::ValueId value;  ///< kArgument, kPort
    GroupId group;      ///< kGroup
    /// Values shown as pills: results, the argument itself, or what leaves the group. The largest
    /// first where there are too many (`hidden_pills` more).
    std::vector<ir::ValueId> pills;
    std::uint32_t hidden_pills = 0;
    /// Operands named inside the card instead of by an edge: constants, and values whose edge would
    /// be too long or one of too many (*portals*).
    std::vector<ir::ValueId> inline_operands;
};

struct Edge {
    std::uint32_t from = 0, to = 0;  ///< nodes
    ir::ValueId value;               ///< the first value that flows here
    std::uint32_t count = 1;         ///< how many values do
};

struct GroupGraph {
    std::vector<Node> nodes;
    std::vector<Edge> edges;
};

/// Where a value or an operation is drawn.
struct NodePlace {
    GroupId group;
    std::uint32_t node = 0;
};

/// The graphs of all groups, by GroupId. Values used by more than `kMaxFanOut` nodes of a group,
/// and edges that span more than `kMaxSpan` ranks, become portals.
struct Graphs {
    static constexpr std::size_t kMaxFanOut = 6;
    static constexpr std::int32_t kMaxSpan = 8;
    static constexpr std::size_t kMaxPills = 3;

    std::vector<GroupGraph> of_group;
    std::vector<NodePlace> of_op;        ///< by OpId; group invalid when not drawn
    std::vector<NodePlace> of_argument;  ///< by ValueId

    /// The node that shows the value's origin (its operation's card, or the argument).
    NodePlace origin(const ir::Module& module, ir::ValueId value) const;
};

Graphs make_graphs(const ir::Module& module, const ir::Uses& uses, const GroupTree& tree);

}  // namespace shardwright::draw
