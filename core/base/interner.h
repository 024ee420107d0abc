#pragma once
// Strings stored once, named by a dense id.

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/ids.h"

namespace shardwright {

struct NameTag;
using NameId = Id<NameTag>;

/// Maps strings to dense ids and back. Ids are given in order of first use; id 0 is "".
class Interner {
  public:
    Interner() { intern(""); }
    Interner(const Interner& other) { *this = other; }
    Interner& operator=(const Interner& other) {
        if (this == &other) return *this;
        strings_.clear();
        ids_.clear();
        for (const std::string& text : other.strings_) intern(text);
        return *this;
    }
    Interner(Interner&&) = default;
    Interner& operator=(Interner&&) = default;

    NameId intern(std::string_view text) {
        if (auto found = ids_.find(text); found != ids_.end()) return NameId(found->second);
        strings_.emplace_back(text);
        const auto id = static_cast<std::uint32_t>(strings_.size() - 1);
        ids_.emplace(strings_.back(), id);
        return NameId(id);
    }
    /// The string of `id`; "" for an invalid id.
    std::string_view text(NameId id) const {
        return id.valid() ? std::string_view(strings_[id.index]) : std::string_view();
    }
    std::size_t size() const { return strings_.size(); }

  private:
    std::deque<std::string> strings_;  // a deque: its strings never move, the map's keys view them
    std::unordered_map<std::string_view, std::uint32_t> ids_;
};

}  // namespace shardwright
