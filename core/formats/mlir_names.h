#pragma once
// The values in scope while a function is parsed: `%name` to its number. Open addressing over views
// of the text; nothing is allocated for a name that was seen before.

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace shardwright::formats::mlir {

class NameTable {
  public:
    struct Entry {
        std::string_view name;
        std::uint32_t first = 0;
        std::uint32_t count = 0;  ///< 0: not in scope
    };
    NameTable() : slots_(64) {}

    /// The entry of `name` when it is in scope.
    const Entry* find(std::string_view name) const {
        const Entry& entry = slots_[slot(name)];
        return entry.count == 0 ? nullptr : &entry;
    }
    /// Brings `count` values from `first` on into scope; false when the name is taken.
    bool define(std::string_view name, std::uint32_t first, std::uint32_t count) {
        if ((used_ + 1) * 2 > slots_.size()) grow();
        Entry& entry = slots_[slot(name)];
        if (entry.count != 0) return false;
        if (entry.name.data() == nullptr) ++used_;
        entry = Entry{name, first, count};
        defined_.push_back(name);
        return true;
    }
    /// Everything defined after this mark leaves the scope with `leave`.
    std::size_t mark() const { return defined_.size(); }
    void leave(std::size_t mark) {
        while (defined_.size() > mark) {
            slots_[slot(defined_.back())].count = 0;
            defined_.pop_back();
        }
    }

  private:
    std::size_t slot(std::string_view name) const {
        std::size_t i = std::hash<std::string_view>{}(name) & (slots_.size() - 1);
        while (slots_[i].name.data() != nullptr && slots_[i].name != name)
            i = (i + 1) & (slots_.size() - 1);
        return i;
    }
    void grow() {
        std::vector<Entry> old(slots_.size() * 2);
        old.swap(slots_);
        for (const Entry& entry : old)
            if (entry.name.data() != nullptr) slots_[slot(entry.name)] = entry;
    }

    std::vector<Entry> slots_;
    std::vector<std::string_view> defined_;
    std::size_t used_ = 0;
};

}  // namespace shardwright::formats::mlir
