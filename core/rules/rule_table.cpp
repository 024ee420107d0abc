// Rules of a module: one signature lookup an operation, one rule computed for each signature.
#include <algorithm>

#include "rules/rule.h"
#include "rules/signature.h"

namespace shardwright::rules {
namespace {

std::uint64_t mix(std::uint64_t h, std::uint64_t v) {
    h = (h ^ v) * 0x9E3779B97F4A7C15ull;
    return h ^ (h >> 32);
}

std::uint64_t hash_numbers(std::span<const std::int64_t> numbers) {
    std::uint64_t h = numbers.size();
    for (const std::int64_t n : numbers) h = mix(h, static_cast<std::uint64_t>(n));
    return h;
}

/// Exact set of number lists with a rule each; the lists lie one behind the other in one pool.
class SignatureSet {
  public:
    SignatureSet() : slots_(256) {}
    /// The rule of `key`, or an invalid id after adding it (then call `set_last`).
    RuleId find_or_add(std::span<const std::int64_t> key) {
        if ((entries_.size() + 1) * 2 > slots_.size()) grow();
        const std::uint64_t h = hash_numbers(key);
        std::size_t at = h & (slots_.size() - 1);
        while (slots_[at] != 0) {
            const Entry& e = entries_[slots_[at] - 1];
            if (e.hash == h && std::equal(key.begin(), key.end(),
                                          pool_.begin() + static_cast<std::ptrdiff_t>(e.begin),
                                          pool_.begin() + static_cast<std::ptrdiff_t>(e.end)))
                return e.rule;
            at = (at + 1) & (slots_.size() - 1);
        }
        entries_.push_back({h, pool_.size(), pool_.size() + key.size(), RuleId()});
        pool_.insert(pool_.end(), key.begin(), key.end());
        slots_[at] = static_cast<std::uint32_t>(entries_.size());
        return RuleId();
    }
    void set_last(RuleId rule) { entries_.back().rule = rule; }

  private:
    struct Entry {
        std::uint64_t hash;
        std::size_t begin, end;
        RuleId rule;
    };
    void grow() {
        slots_.assign(slots_.size() * 2, 0);
        for (std::size_t i = 0; i < entries_.size(); ++i) {
            std::size_t at = entries_[i].hash & (slots_.size() - 1);
            while (slots_[at] != 0) at = (at + 1) & (slots_.size() - 1);
            slots_[at] = static_cast<std::uint32_t>(i + 1);
        }
    }
    std::vector<std::uint32_t> slots_;  ///< entry number + 1; 0 = free
    std::vector<Entry> entries_;
    std::vector<std::int64_t> pool_;
};

/// Everything of a rule as numbers: different operations may come to one rule.
void flatten(const Rule& rule, std::vector<std::int64_t>& out) {
    out.clear();
    out.push_back(rule.opaque);
    out.push_back(static_cast<std::int64_t>(rule.preference));
    out.push_back(static_cast<std::int64_t>(rule.factors.size()));
    for (const Factor& f : rule.factors)
        for (const std::int64_t n :
             {static_cast<std::int64_t>(f.kind), f.size, static_cast<std::int64_t>(f.reduction),
              std::int64_t{f.gspmd}, std::int64_t{f.shardy}, std::int64_t{f.forward_level},
              std::int64_t{f.backward_level}})
            out.push_back(n);
    out.push_back(static_cast<std::int64_t>(rule.operands.size()));
    for (std::size_t t = 0; t < rule.tensor_count(); ++t) {
        out.push_back(static_cast<std::int64_t>(rule.tensor(t).size()));
        for (const DimMapping& dim : rule.tensor(t)) {
            out.push_back(static_cast<std::int64_t>(dim.size()));
            for (const DimFactor& f : dim) {
                out.push_back(f.factor);
                out.push_back(f.size);
            }
        }
    }
}

}  // namespace

RuleTable::RuleTable(const ir::Module& module) : of_op_(module.op_count()) {
    SignatureWriter writer(module);
    SignatureSet by_signature, by_content;
    std::vector<std::int64_t> key;
    for (std::size_t i = 0; i < module.op_count(); ++i) {
        const ir::OpId op(i);
        writer.write(op, key);
        RuleId rule = by_signature.find_or_add(key);
        if (!rule.valid()) {
            Rule made = make_rule(module, op);
            flatten(made, key);
            rule = by_content.find_or_add(key);
            if (!rule.valid()) {
                rule = RuleId(rules_.size());
                rules_.push_back(std::move(made));
                by_content.set_last(rule);
            }
            by_signature.set_last(rule);
        }
        of_op_[i] = rule;
    }
}

}  // namespace shardwright::rules
