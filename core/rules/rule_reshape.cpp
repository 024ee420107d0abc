// Reshape: the two shapes read as mixed-radix numbers of the same flat index.
#include <numeric>

#include "rules/families.h"

namespace shardwright::rules {
namespace {

/// One side of the reshape: walks its dims from major to minor, handing out parts.
class Side {
  public:
    Side(RuleBuilder& b, std::size_t tensor) : b_(b), tensor_(tensor) { settle(); }
    bool done() const { return dim_ == b_.dims(tensor_).size(); }
    /// What is left of the current dimension.
    std::int64_t left() const { return left_; }
    /// Gives the next major part of the current dimension to `factor`.
    void take(std::uint16_t factor, std::int64_t size) {
        b_.put({tensor_, dim_}, factor, size);
        left_ /= size;
        if (left_ == 1) {
            ++dim_;
            settle();
        }
    }
    /// The rest of the current dimension lines up with nothing: it must be whole.
    void give_up() {
        const std::int64_t rest = left_;
        take(b_.factor(FactorKind::kNeedReplication, rest, kNowhere), rest);
    }

  private:
    void settle() {
        while (!done() && b_.dims(tensor_)[dim_] == 1) ++dim_;
        left_ = done() ? 1 : b_.dims(tensor_)[dim_];
    }
    RuleBuilder& b_;
    std::size_t tensor_;
    std::size_t dim_ = 0;
    std::int64_t left_ = 1;
};

/// A stretch where no common factor is left, e.g. the minor parts of 4x3 -> 6x2: skip to the next
/// place where the flat indices line up again.
void skip_misaligned(Side& from, Side& to) {
    std::int64_t a = from.left(), c = to.left();
    from.give_up();
    to.give_up();
    while (a != c) {
        Side& behind = a < c ? from : to;
        (a < c ? a : c) *= behind.left();
        behind.give_up();
    }
}

}  // namespace

void reshape_rule(RuleBuilder& b) {
    for (const std::int64_t d : b.dims(0))
        if (d == 0) return;  // no data: nothing to line up
    Side from(b, 0), to(b, b.result());
    while (!from.done() && !to.done()) {
        const std::int64_t common = std::gcd(from.left(), to.left());
        if (common == 1) {
            skip_misaligned(from, to);
            continue;
        }
        // A common major part is tied even when neither dimension divides the other.
        const std::uint16_t f = b.factor(FactorKind::kPassThrough, common, kFirst);
        from.take(f, common);
        to.take(f, common);
    }
}

}  // namespace shardwright::rules
