#include "session/deriver.h"

#include <chrono>

namespace shardwright::views {

Deriver::Deriver() : thread_([this] { run(); }) {}

Deriver::~Deriver() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
        if (running_cancel_) running_cancel_->store(true);
    }
    wake_.notify_all();
    thread_.join();
}

void Deriver::derive(ModelPtr model, plan::Plan plan, Done done) {
    {
        const std::lock_guard lock(mutex_);
        edit_ = Job{std::move(model), std::move(plan), std::move(done), false};
        preview_.reset();
        if (running_cancel_) running_cancel_->store(true);
    }
    wake_.notify_all();
}

void Deriver::preview(ModelPtr model, plan::Plan plan, Done done) {
    {
        const std::lock_guard lock(mutex_);
        preview_ = Job{std::move(model), std::move(plan), std::move(done), true};
        if (running_cancel_ && running_is_preview_) running_cancel_->store(true);
    }
    wake_.notify_all();
}

void Deriver::cancel() {
    const std::lock_guard lock(mutex_);
    edit_.reset();
    preview_.reset();
    if (running_cancel_) running_cancel_->store(true);
}

void Deriver::loadChips() {
    // Without the table there are no times and no memory limit; sharding works all the same.
    if (auto read = cost::load_chips(SHARDWRIGHT_RESOURCES "/chips.json"); read.ok()) {
        chips_ = *std::move(read);
        pricing_.chips = &chips_;
    }
}

void Deriver::run() {
    loadChips();
    for (;;) {
        Job job;
        std::shared_ptr<std::atomic<bool>> cancel;
        {
            std::unique_lock lock(mutex_);
            running_cancel_.reset();
            wake_.wait(lock, [this] { return stopping_ || edit_ || preview_; });
            if (stopping_) return;
            std::optional<Job>& next = edit_ ? edit_ : preview_;
            job = *std::move(next);
            next.reset();
            cancel = running_cancel_ = std::make_shared<std::atomic<bool>>(false);
            running_is_preview_ = job.is_preview;
        }
        const auto begin = std::chrono::steady_clock::now();
        auto result = plan::derive(job.model, job.plan, cancel.get(), pricing_);
        Outcome outcome;
        outcome.seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        if (cancel->load()) {
            outcome.derived = nullptr;
        } else if (result.ok()) {
            outcome.derived = *result;
        } else if (result.error().fault != Fault::kInterrupted) {
            outcome.error = result.error().text();
        }
        job.done(std::move(outcome));
    }
}

}  // namespace shardwright::views
