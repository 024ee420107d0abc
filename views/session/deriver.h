#pragma once
// Runs plan::derive beside the interface. The latest request wins; an older one is cancelled.

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "plan/derive.h"

namespace shardwright::views {

using ModelPtr = std::shared_ptr<const plan::Model>;
using DerivedPtr = std::shared_ptr<const plan::Derived>;

/// One worker thread with room for one waiting edit and one waiting preview. Edits go first, and a
/// preview in the works is cancelled by either.
class Deriver {
  public:
    struct Outcome {
        DerivedPtr derived;  ///< null: failed or interrupted
        std::string error;   ///< empty when interrupted
        double seconds = 0;
    };
    using Done = std::function<void(Outcome)>;  ///< called on the worker thread

    Deriver();
    ~Deriver();
    void derive(ModelPtr model, plan::Plan plan, Done done);
    void preview(ModelPtr model, plan::Plan plan, Done done);
    /// Drops what waits and cancels what runs.
    void cancel();

  private:
    struct Job {
        ModelPtr model;
        plan::Plan plan;
        Done done;
        bool is_preview = false;
    };
    void loadChips();
    void run();

    std::mutex mutex_;
    std::condition_variable wake_;
    std::optional<Job> edit_, preview_;
    std::shared_ptr<std::atomic<bool>> running_cancel_;
    bool running_is_preview_ = false;
    bool stopping_ = false;
    cost::ChipTable chips_;
    plan::Pricing pricing_;
    std::thread thread_;
};

}  // namespace shardwright::views
