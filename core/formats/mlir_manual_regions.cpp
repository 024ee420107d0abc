// GSPMD's manual regions: what lies between SPMDFullToShardShape and SPMDShardToFullShape becomes
// one manual_computation.
//
// Operations of a block that use a local value are inner ones. Inner operations that feed each
// other make an item, unless a whole tensor lies between them (depth tells). Items and the other
// operations are then put in an order in which each has what it needs.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <queue>

#include "formats/mlir_import.h"

namespace shardwright::formats::mlir {
namespace {

enum class Side : std::uint8_t { kOuter, kEnter, kInner, kExit };

std::string_view target_of(const Syntax& syntax, const RawOp& op) {
    if (op.known->lower != Lower::kCustomCall) return {};
    const Attr* target = syntax.find(op.attrs, "call_target_name");
    return target == nullptr ? std::string_view() : target->text;
}

Side mark_of(const Syntax& syntax, const RawOp& op) {
    const std::string_view target = target_of(syntax, op);
    if (target == "SPMDFullToShardShape") return Side::kEnter;
    if (target == "SPMDShardToFullShape") return Side::kExit;
    return Side::kOuter;
}

/// Values that `op` uses, those of its regions included.
std::vector<std::uint32_t> uses_of(const Syntax& syntax, const RawOp& op) {
    std::vector<std::uint32_t> uses;
    std::vector<const RawOp*> open{&op};
    while (!open.empty()) {
        const RawOp& next = *open.back();
        open.pop_back();
        for (std::uint32_t i = 0; i < next.operands.count; ++i)
            uses.push_back(syntax.uses[next.operands.begin + i]);
        for (std::uint32_t i = 0; i < next.regions.count; ++i) {
            const RawRegion& region =
                syntax.regions[syntax.region_ids[next.regions.begin + i].index];
            for (std::uint32_t k = 0; k < region.ops.count; ++k)
                open.push_back(&syntax.ops[syntax.op_ids[region.ops.begin + k].index]);
        }
    }
    return uses;
}

struct Node {
    std::vector<std::size_t> operations;  ///< one outer operation, or an item's inner and exit ones
    std::vector<std::size_t> before;      ///< nodes that come first
    bool is_item = false;
};

struct UnionFind {
    std::vector<std::size_t> parent;
    explicit UnionFind(std::size_t n) : parent(n) { std::iota(parent.begin(), parent.end(), 0); }
    std::size_t find(std::size_t i) {
        while (parent[i] != i) i = parent[i] = parent[parent[i]];
        return i;
    }
    void join(std::size_t a, std::size_t b) { parent[find(a)] = find(b); }
};

}  // namespace

struct Importer::ManualItem {
    std::vector<const RawOp*> enters, inners, exits;
    std::vector<std::uint32_t> captured;      ///< outer values used inside
    std::vector<const RawOp*> constants;      ///< outer constants used inside: made again there
    std::vector<const RawOp*> enter_sources;  ///< what defines each enter's operand, or null
};

bool Importer::has_manual_marks(const RawRegion& region) const {
    for (std::uint32_t i = 0; i < region.ops.count; ++i)
        if (mark_of(syntax_, raw(syntax_.op_ids[region.ops.begin + i])) != Side::kOuter)
            return annotations_.has_hlo_mesh();
    return false;
}

bool Importer::import_block_with_manual_regions(Frame& frame, const RawRegion& region,
                                                Values* returned) {
    const std::size_t count = region.ops.count;
    std::vector<const RawOp*> ops(count);
    std::vector<Side> side(count);
    std::vector<int> depth(count, 0);
    std::vector<std::vector<std::uint32_t>> uses(count);
    std::unordered_map<std::uint32_t, std::size_t> definer;
    UnionFind sets(count);
    for (std::size_t i = 0; i < count; ++i) {
        ops[i] = &raw(syntax_.op_ids[region.ops.begin + i]);
        uses[i] = uses_of(syntax_, *ops[i]);
        side[i] = mark_of(syntax_, *ops[i]);
        const bool mark = side[i] != Side::kOuter;
        if (mark && (ops[i]->operands.count != 1 || ops[i]->result_count != 1))
            return fail(ops[i]->pos, "SPMD mark of other than one operand and result",
                        "one of each");
        for (const std::uint32_t use : uses[i]) {
            const auto found = definer.find(use);
            if (found == definer.end()) continue;
            const std::size_t j = found->second;
            depth[i] = std::max(depth[i], depth[j] + (side[j] == Side::kExit ? 1 : 0));
            const bool local = side[j] == Side::kEnter || side[j] == Side::kInner;
            if (local && side[i] == Side::kOuter) side[i] = Side::kInner;
            if (local && side[i] == Side::kEnter)
                return fail(ops[i]->pos, "SPMDFullToShardShape of a local value", "a whole tensor");
        }
        if (side[i] == Side::kInner && ops[i]->known->lower == Lower::kReturn)
            return fail_unsupported(ops[i]->pos, "return of a local value");
        for (std::uint32_t k = 0; k < ops[i]->result_count; ++k)
            definer[ops[i]->first_result + k] = i;
    }
    // An inner operation belongs to the first that needs it, not to the first that could make it:
    // a local bias is broadcast beside its addition, whatever was ready earlier.
    std::vector<int> needed(count, -1);
    for (std::size_t i = count; i-- > 0;) {
        if (side[i] == Side::kInner && needed[i] >= 0) depth[i] = std::max(depth[i], needed[i]);
        if (side[i] != Side::kInner && side[i] != Side::kExit) continue;
        for (const std::uint32_t use : uses[i]) {
            const auto found = definer.find(use);
            if (found == definer.end() || side[found->second] != Side::kInner) continue;
            int& level = needed[found->second];
            level = level < 0 ? depth[i] : std::min(level, depth[i]);
        }
    }
    for (std::size_t i = 0; i < count; ++i) {
        for (const std::uint32_t use : uses[i]) {
            const auto found = definer.find(use);
            if (found == definer.end() || side[found->second] != Side::kInner) continue;
            if (depth[found->second] != depth[i])
                return fail_unsupported(ops[i]->pos,
                                        "local value that is kept across a whole tensor");
            sets.join(i, found->second);
        }
    }
    // Nodes, and which node makes what an operation needs.
    std::vector<Node> nodes;
    std::vector<std::size_t> node_of(count, SIZE_MAX);
    for (std::size_t i = 0; i < count; ++i) {
        if (side[i] == Side::kEnter) continue;
        std::size_t leader = i;
        if (side[i] != Side::kOuter) leader = sets.find(i);
        if (node_of[leader] == SIZE_MAX) {
            node_of[leader] = nodes.size();
            nodes.emplace_back().is_item = side[i] != Side::kOuter;
        }
        node_of[i] = node_of[leader];
        nodes[node_of[i]].operations.push_back(i);
    }
    const auto depends = [&](std::size_t node, std::size_t on) {
        if (node_of[on] != node && node_of[on] != SIZE_MAX)
            nodes[node].before.push_back(node_of[on]);
    };
    for (std::size_t i = 0; i < count; ++i) {
        if (side[i] == Side::kEnter) continue;
        for (const std::uint32_t use : uses[i]) {
            const auto found = definer.find(use);
            if (found == definer.end()) continue;
            depends(node_of[i], found->second);
            if (side[found->second] != Side::kEnter) continue;
            for (const std::uint32_t source : uses[found->second])
                if (const auto whole = definer.find(source); whole != definer.end())
                    depends(node_of[i], whole->second);
        }
        if (i + 1 == count)  // the return stays last
            for (std::size_t n = 0; n < nodes.size(); ++n)
                if (n != node_of[i]) nodes[node_of[i]].before.push_back(n);
    }
    // In program order as far as the needs allow.
    std::vector<std::size_t> waiting(nodes.size(), 0);
    std::vector<std::vector<std::size_t>> after(nodes.size());
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        std::sort(nodes[n].before.begin(), nodes[n].before.end());
        nodes[n].before.erase(std::unique(nodes[n].before.begin(), nodes[n].before.end()),
                              nodes[n].before.end());
        waiting[n] = nodes[n].before.size();
        for (const std::size_t b : nodes[n].before) after[b].push_back(n);
    }
    using Entry = std::pair<std::size_t, std::size_t>;  // first operation, node
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready;
    for (std::size_t n = 0; n < nodes.size(); ++n)
        if (waiting[n] == 0) ready.emplace(nodes[n].operations.front(), n);
    std::size_t done = 0;
    for (; !ready.empty(); ++done) {
        const std::size_t n = ready.top().second;
        ready.pop();
        for (const std::size_t next : after[n])
            if (--waiting[next] == 0) ready.emplace(nodes[next].operations.front(), next);
        const RawOp& first = *ops[nodes[n].operations.front()];
        if (!nodes[n].is_item) {
            if (first.known->lower != Lower::kReturn) {
                if (!import_operation(frame, first)) return false;
                continue;
            }
            Values values;
            if (!operands(frame, first, values)) return false;
            if (returned != nullptr) {
                *returned = values;
            } else {
                module_.add_op(builder_.region(), ir::OpKind::kReturn, view(values), {});
            }
            continue;
        }
        ManualItem item;
        std::vector<std::size_t> entered;
        for (const std::size_t i : nodes[n].operations) {
            (side[i] == Side::kExit ? item.exits : item.inners).push_back(ops[i]);
            std::vector<std::uint32_t> inside;
            for (const std::uint32_t use : uses[i]) {
                const auto found = definer.find(use);
                const std::size_t j = found == definer.end() ? SIZE_MAX : found->second;
                if (j != SIZE_MAX && side[j] == Side::kEnter) {
                    if (std::find(entered.begin(), entered.end(), j) != entered.end()) continue;
                    entered.push_back(j);
                    item.enters.push_back(ops[j]);
                    const auto source = definer.find(uses[j][0]);
                    item.enter_sources.push_back(source == definer.end() ? nullptr
                                                                         : ops[source->second]);
                } else if (j != SIZE_MAX && node_of[j] == n) {
                    continue;
                } else if (j != SIZE_MAX && (ops[j]->known->lower == Lower::kConstant ||
                                             ops[j]->known->kind == ir::OpKind::kIota)) {
                    if (std::find(item.constants.begin(), item.constants.end(), ops[j]) ==
                        item.constants.end())
                        item.constants.push_back(ops[j]);
                } else if (frame.values[use].valid() || j != SIZE_MAX) {
                    if (std::find(item.captured.begin(), item.captured.end(), use) ==
                        item.captured.end())
                        item.captured.push_back(use);
                }
            }
        }
        if (!import_manual_item(frame, region, item)) return false;
    }
    return done == nodes.size() ||
           fail_unsupported(region.pos, "manual regions that need each other");
}

bool Importer::import_manual_item(Frame& frame, const RawRegion& region, const ManualItem& item) {
    const RawOp& place = item.exits.empty() ? *item.inners.front() : *item.exits.front();
    if (item.exits.empty())
        return item.inners.empty() ||
               fail_unsupported(place.pos, "local value without SPMDShardToFullShape");
    (void)region;
    ir::ManualAttributes a;
    a.mesh = *annotations_.hlo_mesh();
    Values inputs;
    std::vector<ir::TensorType> locals;
    const auto sharding_of = [&](const RawOp& op, const ir::TensorType& type,
                                 std::optional<sharding::Sharding>& out) {
        auto one = annotations_.one(op.attrs, type);
        if (!one.ok()) return fail(one.error(), op.pos);
        out = *std::move(one);
        return true;
    };
    for (std::size_t i = 0; i < item.enters.size(); ++i) {
        const RawOp& enter = *item.enters[i];
        Values whole;
        ir::TensorType local;
        if (!operands(frame, enter, whole) || !tensor_type(enter.result_types.begin, local))
            return false;
        std::optional<sharding::Sharding> in, mark;
        if (item.enter_sources[i] != nullptr &&
            !sharding_of(*item.enter_sources[i], module_.type(whole[0]), in))
            return false;
        if (!in && module_.annotation(whole[0]) != nullptr) in = *module_.annotation(whole[0]);
        if (!in) in = sharding::Sharding::replicated_of(local.rank(), false, a.mesh);
        if (!sharding_of(enter, local, mark)) return false;
        const mesh::AxisList axes = !mark || mark->form == sharding::Form::kManual
                                        ? module_.mesh(a.mesh).all_axes()
                                        : mark->manual;
        for (const mesh::AxisRef& axis : axes)
            if (!mesh::overlaps(axis, view(a.axes))) a.axes.push_back(axis);
        inputs.push_back(whole[0]);
        locals.push_back(local);
        a.in.push_back(*std::move(in));
    }
    if (item.enters.empty()) a.axes = module_.mesh(a.mesh).all_axes();
    for (const std::uint32_t use : item.captured) {
        const ir::ValueId value = frame.values[use];
        if (!value.valid()) return fail(place.pos, "use of a value without data", "a tensor");
        inputs.push_back(value);
        locals.push_back(module_.type(value));
        a.in.push_back(
            sharding::Sharding::replicated_of(module_.type(value).rank(), false, a.mesh));
    }
    const ir::RegionId made = builder_.make_region(locals);
    const ir::RegionId outer = builder_.region();
    builder_.set_region(made);
    std::vector<std::pair<std::uint32_t, ir::ValueId>> saved;
    const auto shadow = [&](std::uint32_t local, ir::ValueId value) {
        saved.emplace_back(local, frame.values[local]);
        frame.values[local] = value;
    };
    for (std::size_t i = 0; i < item.enters.size(); ++i) {
        shadow(item.enters[i]->first_result, module_.argument(made, i));
        name_value(frame, item.enters[i]->first_result, module_.argument(made, i));
    }
    for (std::size_t i = 0; i < item.captured.size(); ++i)
        shadow(item.captured[i], module_.argument(made, item.enters.size() + i));
    const auto outer_mesh = manual_mesh_;
    manual_mesh_ = a.mesh;
    ++manual_depth_;
    bool good = true;
    for (const RawOp* op : item.constants) {
        saved.emplace_back(op->first_result, frame.values[op->first_result]);
        good = good && import_operation(frame, *op);
    }
    for (const RawOp* op : item.inners) good = good && import_operation(frame, *op);
    --manual_depth_;
    manual_mesh_ = outer_mesh;
    if (!good) return false;
    Values results;
    std::vector<ir::TensorType> stated;
    for (const RawOp* exit : item.exits) {
        ir::TensorType whole;
        if (!operands(frame, *exit, results) || !tensor_type(exit->result_types.begin, whole))
            return false;
        std::optional<sharding::Sharding> out;
        if (!sharding_of(*exit, whole, out)) return false;
        if (!out) out = sharding::Sharding::replicated_of(whole.rank(), false, a.mesh);
        stated.push_back(whole);
        a.out.push_back(*std::move(out));
    }
    const ir::OpId ret = module_.add_op(made, ir::OpKind::kReturn, view(results), {});
    module_.set_line(ret, place.line);
    builder_.set_region(outer);
    for (auto it = saved.rbegin(); it != saved.rend(); ++it) frame.values[it->first] = it->second;
    builder_.set_scope(scope_of(frame, place));
    builder_.set_line(place.line);
    auto id = builder_.try_add(ir::OpKind::kManualComputation, view(inputs), std::move(a), stated,
                               {&made, 1});
    if (!id.ok()) return fail(id.error(), place.pos);
    for (std::size_t i = 0; i < item.exits.size(); ++i)
        bind(frame, item.exits[i]->first_result, module_.result(*id, i));
    return true;
}

}  // namespace shardwright::formats::mlir
