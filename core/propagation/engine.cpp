#include "propagation/engine.h"

#include <limits>
#include <numeric>

namespace shardwright::propagation {

Engine::Engine(const ir::Module& module, const rules::RuleTable& rules, sharding::MeshId mesh,
               const Options& options)
    : module_(module), rules_(rules), mesh_(mesh), options_(options) {
    const std::vector<rules::DataFlowEdge> edges = rules::data_flow_edges(module);
    build_slots(edges);
    give_annotations();
    build_links(edges);
    seed_all();
    changed_.clear();
}

std::span<const std::int64_t> Engine::shape(SlotId slot) const {
    return {sizes_.data() + slot_begin_[slot.index], rank(slot)};
}

std::int64_t Engine::element_count(SlotId slot) const {
    std::int64_t count = 1;
    for (const std::int64_t size : shape(slot)) {
        if (size > 0 && count > std::numeric_limits<std::int64_t>::max() / size)
            return std::numeric_limits<std::int64_t>::max();
        count *= size;
    }
    return count;
}

std::int64_t Engine::tiles(SlotId s) const {
    std::int64_t tiles = 1;
    for (std::size_t d = 0; d < rank(s); ++d) tiles *= table_.product(axes(s, d));
    return tiles;
}

bool Engine::has_axes(LinkId id) const {
    for (const SlotId s : tensors(link(id)))
        if (has_axes(s)) return true;
    return false;
}

}  // namespace shardwright::propagation
