#pragma once
// Policy gspmd at work: one object a propagation. Internal to the policy.
//
// A *wish* is what one tensor of a link implies for another one: axes for each factor. A tensor
// accepts a wish as a whole or not at all (`improve`), and only grows finer.

#include <vector>

#include "propagation/engine.h"
#include "propagation/work_set.h"

namespace shardwright::propagation {

class GspmdPass {
  public:
    explicit GspmdPass(Engine& engine);
    /// All levels, each to its fixed point.
    void run();

  private:
    /// What a link's rule lets through, and from which level on.
    struct Traits {
        std::uint8_t forward_level = kNever;
        std::uint8_t backward_level = kNever;
        bool ties_operands = false;  ///< some factor is in operands only
        bool is_simple = true;       ///< no dim has several factors
    };
    static constexpr std::uint8_t kNever = 255;
    static constexpr AxesId kUnknown = 0xFFFFFFFFu;
    /// Axes a factor.
    using Wish = InlineVector<AxesId, 8>;
    struct Candidate {
        std::size_t tensor = 0;
        std::int64_t tiles = 1;
        Wish wish;
    };
    using Candidates = InlineVector<Candidate, 3>;

    // gspmd.cpp
    void read_traits();
    static Traits traits_of(const rules::Rule& rule);
    void pin_constrained_values();
    void start_level();
    void to_fixed_point();
    void queue_around(SlotId slot);
    void queue_changes();
    // gspmd_listen.cpp
    void hear_operands(LinkId id);
    void hear_users(SlotId slot);
    void hear_as_operand(LinkId id, std::size_t operand);
    bool read_wish(const Link& link, std::size_t from, std::size_t to, rules::Direction direction,
                   bool only_siblings, Wish& out);
    bool has_news(LinkId id, std::size_t from, std::size_t to) const;
    bool covers(const Wish& wish, const Wish& other) const;
    AxesId without_ones(AxesId axes);
    AxesId fitting(AxesId axes, std::int64_t size, bool evenly);
    void prefer(LinkId id, Candidates& candidates);
    bool can_merge(const Wish& a, const Wish& b);
    bool may_change(SlotId slot) const { return !is_fixed_[slot.index]; }
    // gspmd_improve.cpp
    bool improve(LinkId id, std::size_t tensor, const Wish& wish, rules::Direction direction);
    bool settle_overlaps(std::size_t tensor, bool given, std::span<const std::uint16_t> grown,
                         Wish& next);
    Cause cause_of(const Link& link, std::size_t tensor, std::size_t factor, AxesId axes,
                   rules::Direction direction) const;
    // gspmd_conflicts.cpp
    void list_conflicts();
    void conflicts_of(LinkId id);
    void note(LinkId id, std::size_t factor, std::size_t winner, AxesId winning, std::size_t loser,
              AxesId losing);

    Engine& engine_;
    AxesTable& table_;
    int level_ = 0;
    std::vector<Traits> traits_;             ///< by link
    std::vector<std::uint8_t> was_refused_;  ///< by link: level 0 left something unsaid
    std::vector<AxesId> without_ones_;       ///< by AxesId, kUnknown until asked for
    std::vector<std::uint8_t> is_given_;     ///< by slot: the user's, or a constraint's operand
    std::vector<std::uint8_t> is_fixed_;     ///< by slot: no dim may change
    WorkSet forward_;                        ///< links whose results are to hear their operands
    WorkSet backward_;                       ///< slots that are to hear their users
    Projection projection_;                  ///< of the link at hand
    Wish wish_;
    std::vector<Cause> causes_;
};

}  // namespace shardwright::propagation
