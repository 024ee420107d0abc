#pragma once
// Assembles one rule. Internal to core/rules.

#include <initializer_list>

#include "rules/rule.h"

namespace shardwright::rules {

/// A dimension of a tensor of the operation; tensors are numbered operands first, then results.
struct Place {
    std::size_t tensor = 0;
    std::size_t dim = 0;
};
using Places = InlineVector<Place, 8>;

/// Where and from which level on a factor travels.
struct Travel {
    std::uint8_t gspmd = kBoth;
    std::uint8_t shardy = kBoth;
    std::uint8_t forward_level = 0;
    std::uint8_t backward_level = 0;
};
inline constexpr Travel kFirst{kBoth, kBoth, 0, 0};          ///< pass-through operations
inline constexpr Travel kSecond{kBoth, kBoth, 1, 1};         ///< all others
inline constexpr Travel kSiblings{kBackward, kBoth, 1, 1};   ///< among operands only
inline constexpr Travel kShardyOnly{kBlocked, kBoth, 1, 1};  ///< Shardy passes it at a cost
inline constexpr Travel kNowhere{kBlocked, kBlocked, 1, 1};

class RuleBuilder {
  public:
    RuleBuilder(const ir::Module& module, ir::OpId op);

    const ir::Module& module() const { return module_; }
    ir::OpId op() const { return op_; }
    std::size_t operand_count() const { return rule_.operands.size(); }
    std::size_t result_count() const { return rule_.results.size(); }
    std::size_t tensor_count() const { return rule_.tensor_count(); }
    /// The tensor number of result `i`.
    std::size_t result(std::size_t i = 0) const { return operand_count() + i; }
    const Dims& dims(std::size_t tensor) const;
    std::int64_t size(Place p) const { return dims(p.tensor)[p.dim]; }

    /// A new factor; place it with `put`.
    std::uint16_t factor(FactorKind kind, std::int64_t size, Travel travel,
                         ir::Reduction reduction = ir::Reduction::kSum);
    /// Appends `factor`, with `size`, as the minor-most of a dimension.
    void put(Place place, std::uint16_t factor, std::int64_t size);
    /// One factor for whole dimensions. Places of size 1 are left out; when none remains there is
    /// no factor.
    void tie(FactorKind kind, std::span<const Place> places, Travel travel,
             ir::Reduction reduction = ir::Reduction::kSum);
    void tie(FactorKind kind, std::initializer_list<Place> places, Travel travel,
             ir::Reduction reduction = ir::Reduction::kSum) {
        tie(kind, std::span<const Place>(places.begin(), places.size()), travel, reduction);
    }
    /// Ties the dims of equal shapes one to one: pass-through.
    void tie_alike(std::size_t a, std::size_t b, Travel travel);

    void set_opaque() { rule_.opaque = true; }
    void set_preference(Preference preference) { rule_.preference = preference; }
    Rule take() { return std::move(rule_); }

  private:
    TensorMapping& mapping(std::size_t tensor);

    const ir::Module& module_;
    ir::OpId op_;
    Rule rule_;
};

/// Small set test on lists of dimension numbers.
bool has(const Dims& list, std::int64_t dim);

}  // namespace shardwright::rules
