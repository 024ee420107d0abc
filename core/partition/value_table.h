#pragma once
// The program's values for the source's values: one for every layout in which a value is at hand.

#include <vector>

#include "ir/module.h"
#include "partition/layout.h"

namespace shardwright::partition {

struct Variant {
    Layout layout;
    ir::ValueId value;  ///< in the program
};

class ValueTable {
  public:
    explicit ValueTable(std::size_t source_values) : of_(source_values) {}

    using Variants = InlineVector<Variant, 1>;
    const Variants& of(ir::ValueId source) const { return of_[source.index]; }
    const Variant* find(ir::ValueId source, const Layout& layout) const {
        for (const Variant& v : of_[source.index])
            if (v.layout == layout) return &v;
        return nullptr;
    }
    void add(ir::ValueId source, Layout layout, ir::ValueId value) {
        of_[source.index].push_back({std::move(layout), value});
        trail_.push_back(source);
    }
    /// What is added after `mark` is known only until `rewind(mark)`: values made inside a region
    /// cannot be used outside.
    std::size_t mark() const { return trail_.size(); }
    void rewind(std::size_t mark) {
        for (; trail_.size() > mark; trail_.pop_back()) of_[trail_.back().index].pop_back();
    }

  private:
    std::vector<Variants> of_;
    std::vector<ir::ValueId> trail_;
};

}  // namespace shardwright::partition
