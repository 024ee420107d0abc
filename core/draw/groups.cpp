#include "draw/groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "draw/scope_path.h"
#include "ir/trip_count.h"

namespace shardwright::draw {
namespace {

using ir::OpId;
using ir::RegionId;
using ir::ValueId;

/// Regions that are programs of their own; all others are combiners, which are not drawn.
bool is_entered(ir::OpKind kind) {
    using enum ir::OpKind;
    return kind == kWhile || kind == kIf || kind == kCase || kind == kManualComputation ||
           kind == kNamedComputation;
}

class Finder {
  public:
    Finder(const ir::Module& module, const ir::Uses& uses, const GroupOptions& options)
        : module_(module), uses_(uses), options_(options) {
        tree_.inlined = find_inlined(module);
        tree_.of_op.assign(module.op_count(), GroupId());
        tree_.of_argument.assign(module.value_count(), GroupId());
    }

    GroupTree run() {
        add_group(module_.has_entry() ? module_.text(module_.entry().name) : "empty",
                  GroupKind::kScope, GroupId());
        if (module_.has_entry()) {
            place_region(module_.entry().body, tree_.root(), {});
            for (std::size_t i = tree_.groups.size(); i-- > 1;) simplify(GroupId(i));
            unwrap_root();
            sort_children();
            for (std::size_t i = 0; i < tree_.groups.size(); ++i) split(GroupId(i));
            compact();
            count_cards();
            place_arguments();
        }
        return std::move(tree_);
    }

  private:
    Group& at(GroupId id) { return tree_.groups[id.index]; }

    GroupId add_group(std::string_view name, GroupKind kind, GroupId parent) {
        Group group;
        group.name = name;
        group.kind = kind;
        group.parent = parent;
        tree_.groups.push_back(std::move(group));
        const GroupId id(tree_.groups.size() - 1);
        if (parent.valid()) at(parent).children.push_back(id);
        flat_.push_back(false);
        return id;
    }

    const std::vector<std::string>& components(OpId op) {
        const NameId scope = module_.op(op).scope;
        auto [found, is_new] = components_.try_emplace(scope.index);
        if (is_new) found->second = scope_components(module_.text(scope));
        return found->second;
    }

    /// Puts every card of the region into a group below `home`; `prefix` is the path of the
    /// region's owner, which its own operations repeat.
    void place_region(RegionId region, GroupId home, const std::vector<std::string>& prefix) {
        const std::vector<OpId>& ops = module_.region(region).ops;
        bool any_scope = false;
        for (std::size_t i = ops.size(); i-- > 0;) {
            const OpId id = ops[i];
            if (ir::info(module_.op(id).kind).terminator || tree_.inlined[id.index]) continue;
            GroupId group = module_.op(id).scope.index == 0 || components(id).empty()
                                ? group_of_user(id)
                                : group_of_path(components(id), home, prefix);
            any_scope |= group.valid() && group != home;
            tree_.of_op[id.index] = group.valid() ? group : home;
        }
        flat_[home.index] = !any_scope;
        for (const OpId id : ops) {
            if (!tree_.of_op[id.index].valid()) continue;
            if (is_entered(module_.op(id).kind) && module_.op(id).region_count > 0)
                place_regions_of(id, prefix);
            else
                at(tree_.of_op[id.index]).ops.push_back(id);
        }
    }

    void place_regions_of(OpId id, const std::vector<std::string>& prefix) {
        const GroupId outer = tree_.of_op[id.index];
        const std::vector<std::string>& own = components(id).empty() ? prefix : components(id);
        const bool is_loop = module_.op(id).kind == ir::OpKind::kWhile;
        std::int64_t trips = 1;
        std::string name(ir::name(module_.op(id).kind));
        if (is_loop)
            if (const auto known = ir::trip_count(module_, id)) {
                trips = *known;
                name = fmt::format("{} × {}", name, trips);
            }
        const GroupId group =
            add_group(name, is_loop ? GroupKind::kLoop : GroupKind::kRegion, outer);
        at(group).owner = id;
        at(group).trips = trips;
        const auto regions = module_.regions(id);
        if (is_loop) {  // condition, body
            place_region(regions[1], group, own);
            const GroupId condition = add_group("condition", GroupKind::kRegion, group);
            place_region(regions[0], condition, own);
        } else if (regions.size() == 1) {
            place_region(regions[0], group, own);
        } else {
            for (std::size_t r = 0; r < regions.size(); ++r)
                place_region(regions[r],
                             add_group(fmt::format("branch {}", r), GroupKind::kRegion, group),
                             own);
        }
    }

    GroupId group_of_path(const std::vector<std::string>& path, GroupId home,
                          const std::vector<std::string>& prefix) {
        std::size_t i = 0;
        while (i < path.size() && i < prefix.size() && path[i] == prefix[i]) ++i;
        GroupId group = home;
        for (; i < path.size(); ++i) {
            auto [found, is_new] = by_name_.try_emplace({group.index, path[i]});
            if (is_new) found->second = add_group(path[i], GroupKind::kScope, group);
            group = found->second;
        }
        return group;
    }

    /// An operation without a name joins its first user, which is placed already.
    GroupId group_of_user(OpId id) {
        const ir::Op& op = module_.op(id);
        for (std::size_t r = 0; r < op.result_count; ++r)
            for (const ir::Use& use : uses_.of(module_.result(id, r)))
                if (module_.op(use.op).parent == op.parent && tree_.of_op[use.op.index].valid())
                    return tree_.of_op[use.op.index];
        return {};
    }

    void move_contents(GroupId from, GroupId to) {
        for (const OpId id : at(from).ops) tree_.of_op[id.index] = to;
        for (const GroupId child : at(from).children) {
            at(child).parent = to;
            if (at(child).owner.valid()) tree_.of_op[at(child).owner.index] = to;
        }
        auto& ops = at(to).ops;
        ops.insert(ops.end(), at(from).ops.begin(), at(from).ops.end());
        std::sort(ops.begin(), ops.end());
        auto& children = at(to).children;
        const auto place = std::find(children.begin(), children.end(), from);
        const auto at_index = place == children.end()
                                  ? children.size()
                                  : static_cast<std::size_t>(place - children.begin());
        if (place != children.end()) children.erase(place);
        children.insert(children.begin() + static_cast<std::ptrdiff_t>(at_index),
                        at(from).children.begin(), at(from).children.end());
        at(from).ops.clear();
        at(from).children.clear();
        at(from).parent = GroupId();
    }

    /// Dissolves small scopes; a scope that only holds one scope becomes one with it.
    void simplify(GroupId id) {
        Group& group = at(id);
        if (!group.parent.valid()) return;
        if (group.kind == GroupKind::kRegion && group.ops.empty() && group.children.empty()) {
            std::erase(at(group.parent).children, id);
            group.parent = GroupId();
            return;
        }
        if (group.kind != GroupKind::kScope) return;
        if (group.children.empty() && group.ops.size() < options_.min_cards) {
            move_contents(id, group.parent);
        } else if (group.ops.empty() && group.children.size() == 1 &&
                   at(group.children[0]).kind == GroupKind::kScope) {
            const GroupId child = group.children[0];
            group.name += "/" + at(child).name;
            move_contents(child, id);
        }
    }

    /// Groups were made from the last operation backwards; people read from the first.
    void sort_children() {
        for (Group& group : tree_.groups)
            std::sort(group.children.begin(), group.children.end(),
                      [this](GroupId a, GroupId b) { return first_op(a) < first_op(b); });
    }

    /// One scope around everything says nothing.
    void unwrap_root() {
        const GroupId root = tree_.root();
        while (at(root).ops.empty() && at(root).children.size() == 1 &&
               at(at(root).children[0]).kind == GroupKind::kScope) {
            const GroupId child = at(root).children[0];
            at(root).name = at(child).name;
            flat_[root.index] = at(child).children.empty();
            move_contents(child, root);
        }
    }

    OpId first_op(GroupId id) {
        if (at(id).owner.valid()) return at(id).owner;
        OpId first = at(id).ops.empty() ? OpId() : at(id).ops[0];
        for (const GroupId child : at(id).children) first = std::min(first, first_op(child));
        return first;
    }

    void split(GroupId id) {
        const std::size_t limit = flat_[id.index] ? options_.max_flat_cards : options_.max_cards;
        if (at(id).ops.size() + at(id).children.size() <= limit + limit / 4) return;
        if (!at(id).parent.valid() && id != tree_.root()) return;
        std::vector<OpId> items = at(id).ops;
        std::unordered_map<OpId, GroupId> group_item;
        for (const GroupId child : at(id).children) {
            const OpId first = first_op(child);
            if (first.valid() && group_item.emplace(first, child).second) items.push_back(first);
        }
        std::sort(items.begin(), items.end());
        const std::vector<Stretch> stretches = split_by_flow(module_, uses_, items, limit);
        if (stretches.size() < 2) return;
        at(id).ops.clear();
        at(id).children.clear();
        for (const Stretch& stretch : stretches) {
            const GroupId part = add_group(stretch.name, GroupKind::kPart, id);
            for (std::size_t i = stretch.begin; i < stretch.end; ++i) {
                tree_.of_op[items[i].index] =
                    group_item.contains(items[i]) ? tree_.of_op[items[i].index] : part;
                if (const auto child = group_item.find(items[i]); child != group_item.end()) {
                    at(child->second).parent = part;
                    at(part).children.push_back(child->second);
                    if (at(child->second).owner.valid()) tree_.of_op[items[i].index] = part;
                } else {
                    at(part).ops.push_back(items[i]);
                }
            }
        }
    }

    /// Drops dissolved groups and numbers the rest so that parents come before children.
    void compact() {
        std::vector<GroupId> renumbered(tree_.groups.size());
        std::vector<Group> kept;
        const auto visit = [&](auto&& self, GroupId id, std::uint32_t depth) -> void {
            renumbered[id.index] = GroupId(kept.size());
            kept.push_back(at(id));
            kept.back().depth = depth;
            for (const GroupId child : at(id).children) self(self, child, depth + 1);
        };
        visit(visit, tree_.root(), 0);
        for (Group& group : kept) {
            if (group.parent.valid()) group.parent = renumbered[group.parent.index];
            for (GroupId& child : group.children) child = renumbered[child.index];
        }
        for (GroupId& id : tree_.of_op)
            if (id.valid()) id = renumbered[id.index];
        tree_.groups = std::move(kept);
    }

    void count_cards() {
        for (std::size_t i = tree_.groups.size(); i-- > 0;) {
            Group& group = tree_.groups[i];
            group.cards += static_cast<std::int64_t>(group.ops.size());
            if (group.parent.valid()) at(group.parent).cards += group.cards;
        }
    }

    void place_arguments() {
        const auto place = [&](RegionId region, GroupId fallback) {
            const ir::Region& r = module_.region(region);
            for (std::size_t i = 0; i < r.argument_count; ++i) {
                const ValueId v = module_.argument(region, i);
                GroupId home;
                for (const ir::Use& use : uses_.of(v)) {
                    const GroupId user = tree_.of_op[use.op.index];
                    if (user.valid()) home = home.valid() ? tree_.common(home, user) : user;
                }
                if (!home.valid() && fallback != tree_.root()) continue;  // unused: not drawn
                if (!home.valid()) home = fallback;
                tree_.of_argument[v.index] = home;
                at(home).arguments.push_back(v);
            }
        };
        place(module_.entry().body, tree_.root());
        for (std::size_t i = 0; i < tree_.groups.size(); ++i) {
            const OpId owner = tree_.groups[i].owner;
            if (!owner.valid()) continue;
            for (const RegionId region : module_.regions(owner)) place(region, GroupId(i));
        }
    }

    const ir::Module& module_;
    const ir::Uses& uses_;
    const GroupOptions& options_;
    GroupTree tree_;
    std::vector<bool> flat_;
    std::unordered_map<std::uint32_t, std::vector<std::string>> components_;
    std::map<std::pair<std::uint32_t, std::string>, GroupId> by_name_;
};

}  // namespace

GroupId GroupTree::common(GroupId a, GroupId b) const {
    while (a != b) {
        const Group &x = groups[a.index], &y = groups[b.index];
        if (x.depth >= y.depth)
            a = x.parent;
        else
            b = y.parent;
    }
    return a;
}

bool GroupTree::contains(GroupId outer, GroupId inner) const {
    while (inner.valid() && groups[inner.index].depth > groups[outer.index].depth)
        inner = groups[inner.index].parent;
    return inner == outer;
}

GroupTree find_groups(const ir::Module& module, const ir::Uses& uses, const GroupOptions& options) {
    return Finder(module, uses, options).run();
}

}  // namespace shardwright::draw
