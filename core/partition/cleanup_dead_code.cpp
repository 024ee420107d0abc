#include <vector>

#include "partition/cleanup.h"
#include "partition/rewrite.h"

namespace shardwright::partition {
namespace {

using namespace ir;

/// Marks what is needed, from returns and effects backwards.
class Needed {
  public:
    explicit Needed(const Module& m) : m_(m), needed_(m.op_count(), false) {
        for (const Function& f : m.functions()) region(f.body);
        while (!work_.empty()) {
            const OpId id = work_.back();
            work_.pop_back();
            for (const ValueId v : m_.operands(id)) value(v);
            for (const RegionId r : m_.regions(id)) region(r);
        }
    }
    bool operator[](OpId id) const { return needed_[id.index]; }

  private:
    void region(RegionId r) {
        // What is in a region is needed when its operation is: start at what cannot be dropped.
        for (const OpId id : m_.region(r).ops)
            if (info(m_.op(id).kind).terminator || has_effect(id)) op(id);
    }
    bool has_effect(OpId id) const {
        if (info(m_.op(id).kind).side_effect) return true;
        for (const RegionId r : m_.regions(id))
            for (const OpId inner : m_.region(r).ops)
                if (has_effect(inner)) return true;
        return false;
    }
    void value(ValueId v) {
        const OpId def = m_.value(v).def;
        if (def.valid()) op(def);
    }
    void op(OpId id) {
        if (needed_[id.index]) return;
        needed_[id.index] = true;
        work_.push_back(id);
    }

    const Module& m_;
    std::vector<bool> needed_;
    std::vector<OpId> work_;
};

}  // namespace

void remove_dead_code(Partitioned& program) {
    const Needed needed(program.module);
    Module cleaned = Rewriter(program.module).run([&](Rewriter&, OpId id) { return needed[id]; });
    program.module = std::move(cleaned);
}

}  // namespace shardwright::partition
