// The bytes alive at the fullest moment, from types and last uses alone.
#include <algorithm>
#include <unordered_map>
#include <vector>

#include "exec/engine.h"
#include "exec/execute.h"

namespace shardwright::exec {
namespace {

class Walk {
  public:
    Walk(const ir::Module& module, std::int64_t devices) : module_(module), devices_(devices) {}

    /// Peak of a region's own values, its arguments included; whatever lives outside comes on top.
    std::int64_t peak(ir::RegionId id) {
        const ir::Region& region = module_.region(id);
        std::unordered_map<ir::ValueId, std::size_t> last_use;
        for (std::size_t s = 0; s < region.ops.size(); ++s)
            note_uses(region.ops[s], id, s, last_use);
        std::vector<std::vector<ir::ValueId>> dying(region.ops.size() + 1);
        std::int64_t live = 0, top = 0;
        for (std::size_t a = 0; a < region.argument_count; ++a) {
            const ir::ValueId v = module_.argument(id, a);
            live += define(v, devices_);
            if (const auto use = last_use.find(v); use != last_use.end())
                dying[use->second].push_back(v);
        }
        top = live;
        for (std::size_t s = 0; s < region.ops.size(); ++s) {
            const ir::OpId op = region.ops[s];
            live += define_results(op);
            for (std::size_t r = 0; r < module_.op(op).result_count; ++r) {
                const ir::ValueId v = module_.result(op, r);
                const auto use = last_use.find(v);
                dying[use == last_use.end() ? s : use->second].push_back(v);
            }
            std::int64_t inside = 0;
            if (runs_regions(module_.op(op).kind))
                for (const ir::RegionId inner : module_.regions(op))
                    inside = std::max(inside, peak(inner));
            top = std::max(top, live + inside);
            for (const ir::ValueId v : dying[s]) live -= release(v);
        }
        return top;
    }

  private:
    void note_uses(ir::OpId op, ir::RegionId home, std::size_t step,
                   std::unordered_map<ir::ValueId, std::size_t>& last_use) const {
        for (const ir::ValueId v : module_.operands(op))
            if (module_.value(v).region == home) last_use[v] = step;
        for (const ir::RegionId inner : module_.regions(op))
            ir::walk(module_, inner, [&](ir::OpId nested) {
                for (const ir::ValueId v : module_.operands(nested))
                    if (module_.value(v).region == home) last_use[v] = step;
            });
    }
    std::int64_t define(ir::ValueId v, std::int64_t slots) {
        sizes_[v] = Size{slot_bytes(module_.type(v)) * slots, slots == 1, v};
        holders_[v] = 1;
        return sizes_[v].bytes;
    }
    std::int64_t define_results(ir::OpId op) {
        bool everywhere = !ir::info(module_.op(op).kind).collective &&
                          module_.op(op).kind != ir::OpKind::kAxisIndex &&
                          module_.op(op).kind != ir::OpKind::kPartitionId;
        for (const ir::ValueId v : module_.operands(op))
            if (const auto s = sizes_.find(v); s == sizes_.end() || !s->second.everywhere)
                everywhere = false;
        std::int64_t bytes = 0;
        for (std::size_t r = 0; r < module_.op(op).result_count; ++r) {
            const ir::ValueId v = module_.result(op, r);
            if (is_alias(module_, op) && r < module_.op(op).operand_count) {
                const auto source = sizes_.find(module_.operand(op, r));
                if (source != sizes_.end()) {
                    sizes_[v] = source->second;
                    ++holders_[source->second.root];
                    continue;
                }
            }
            bytes += define(v, everywhere ? 1 : devices_);
        }
        return bytes;
    }
    std::int64_t release(ir::ValueId v) {
        const Size size = sizes_[v];
        return --holders_[size.root] == 0 ? size.bytes : 0;
    }

    struct Size {
        std::int64_t bytes = 0;
        bool everywhere = false;
        ir::ValueId root;
    };
    const ir::Module& module_;
    std::int64_t devices_;
    std::unordered_map<ir::ValueId, Size> sizes_;
    std::unordered_map<ir::ValueId, int> holders_;
};

}  // namespace

std::int64_t estimate_bytes(const ir::Module& module, std::size_t function, std::int64_t devices) {
    return Walk(module, devices).peak(module.functions()[function].body);
}

}  // namespace shardwright::exec
