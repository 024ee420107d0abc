// Policy `shardy`: user priorities, in each the operation priorities, in each a fixed point.
#include "propagation/policies.h"
#include "propagation/shardy_step.h"

namespace shardwright::propagation {
namespace {

/// Operation priorities: pass-through operations; then pass-through factors of all operations, of
/// broadcasts backward only; then everything.
constexpr std::uint8_t kPasses = 3;

/// A stack of links in which each stands at most once, first filled so that the first link comes
/// out first; what a change touches is looked at next.
class WorkStack {
  public:
    explicit WorkStack(const Engine& engine) : engine_(engine), waiting_(engine.link_count()) {}
    void push_all() {
        for (std::size_t l = engine_.link_count(); l-- > 0;) push(LinkId(l));
    }
    void push(LinkId link) {
        if (waiting_[link.index] || engine_.link(link).is_function_result) return;
        waiting_[link.index] = true;
        stack_.push_back(link);
    }
    bool empty() const { return stack_.empty(); }
    LinkId pop() {
        const LinkId link = stack_.back();
        stack_.pop_back();
        waiting_[link.index] = false;
        return link;
    }

  private:
    const Engine& engine_;
    std::vector<bool> waiting_;
    std::vector<LinkId> stack_;
};

class Completion {
  public:
    explicit Completion(Engine& engine) : engine_(engine), step_(engine), work_(engine) {
        for (std::size_t l = 0; l < engine.link_count(); ++l)
            if (engine.link(LinkId(l)).is_function_result) results_.push_back(LinkId(l));
    }
    void run() {
        all_passes();
        for (const int priority : engine_.priorities()) {
            engine_.admit(priority);
            all_passes();
        }
    }

  private:
    void all_passes() {
        for (std::uint8_t pass = 0; pass < kPasses; ++pass) fixed_point(pass);
    }
    /// A function's results are heard before and told after, never in between.
    void fixed_point(std::uint8_t pass) {
        for (const LinkId link : results_) step_.run(link, pass);
        work_.push_all();
        engine_.clear_changed();
        while (!work_.empty()) {
            const LinkId link = work_.pop();
            if (!step_.run(link, pass)) continue;
            for (const SlotId slot : engine_.changed())
                for (const LinkId neighbour : engine_.links_of(slot))
                    if (neighbour != link) work_.push(neighbour);
            engine_.clear_changed();
        }
        for (const LinkId link : results_) step_.run(link, pass);
    }

    Engine& engine_;
    ShardyStep step_;
    WorkStack work_;
    std::vector<LinkId> results_;
};

}  // namespace

void complete_shardy(Engine& engine) {
    Completion(engine).run();
}

}  // namespace shardwright::propagation
