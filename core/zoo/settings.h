#pragma once
// The options of one build, checked against their kind.

#include <string>
#include <unordered_map>

#include "zoo/zoo.h"

namespace shardwright::zoo {

/// Values of all options of a kind: given ones checked, others by default.
class Settings {
  public:
    static Result<Settings> make(const KindInfo& kind, const Options& given);
    std::int64_t number(const std::string& name) const;
    bool flag(const std::string& name) const { return text(name) == "true"; }
    const std::string& text(const std::string& name) const;
    ir::ElementType element(const std::string& name) const;

  private:
    std::unordered_map<std::string, std::string> values_;
};

// Rows of a table of options.
OptionInfo number_option(std::string name, std::int64_t value, std::string description,
                         std::int64_t least = 1, std::int64_t most = std::int64_t{1} << 24);
OptionInfo flag_option(std::string name, bool value, std::string description);
OptionInfo choice_option(std::string name, std::vector<std::string> choices,
                         std::string description);
OptionInfo element_option();

}  // namespace shardwright::zoo
