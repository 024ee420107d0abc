// Control flow when nothing is computed: which way the data will go is unknown, so a loop runs
// until its memory repeats, and of the branches the largest counts.
#include <algorithm>
#include <limits>
#include <tuple>

#include "exec/engine.h"
#include "ir/trip_count.h"

namespace shardwright::exec {
namespace {

/// What a loop's next trip will do with memory follows from this alone.
struct LoopHead {
    /// Of each carried value: the first carried value with the same memory, bytes, slots, whether
    /// it may be written, how many hold it.
    std::vector<std::tuple<std::size_t, std::int64_t, std::int64_t, bool, long>> carried;
    std::int64_t live = 0;
    bool operator==(const LoopHead&) const = default;
};

LoopHead look(std::span<const BufferRef> carried, const Arena& arena) {
    LoopHead head;
    head.live = arena.live();
    for (const BufferRef& b : carried) {
        const auto first = std::find(carried.begin(), carried.end(), b) - carried.begin();
        head.carried.emplace_back(static_cast<std::size_t>(first), b->bytes, b->devices,
                                  b->capacity != 0, b.use_count());
    }
    return head;
}

// Values that change places from trip to trip come round sooner than this.
constexpr std::int64_t kMostTrips = 16;

}  // namespace

Status Engine::rehearse_while(const Step& step, const Frame& frame) {
    const ir::OpId op = step.op;
    const ir::RegionId condition = module_.region_of(op, 0), body = module_.region_of(op, 1);
    std::vector<BufferRef> carried;
    for (const ir::ValueId v : module_.operands(op)) carried.push_back(values_[v.index]);
    drop(step.given_up);
    const std::int64_t trips =
        std::min(kMostTrips, ir::trip_count(module_, op).value_or(kMostTrips));
    LoopHead before;
    for (std::int64_t trip = 0;; ++trip) {
        const LoopHead now = look(carried, arena_);
        for (std::size_t i = 0; i < carried.size(); ++i)
            set(module_.argument(condition, i), carried[i]);
        SW_CHECK(run_region(condition, frame.world, frame.active));
        const std::vector<BufferRef> predicate = take_returned(condition);  // held as in the run
        if (trip == trips || (trip > 0 && now == before)) break;
        before = now;
        for (std::size_t i = 0; i < carried.size(); ++i)
            set(module_.argument(body, i), std::move(carried[i]));
        SW_CHECK(run_region(body, frame.world, frame.active));
        carried = take_returned(body);
    }
    for (std::size_t i = 0; i < carried.size(); ++i)
        set(module_.result(op, i), std::move(carried[i]));
    return {};
}

Status Engine::rehearse_branches(ir::OpId op, const Frame& frame) {
    // The results that keep most bytes alive stay; that branch comes last.
    std::int64_t most = -1;
    std::size_t largest = 0;
    const std::size_t branches = module_.op(op).region_count;
    for (std::size_t b = 0; b <= branches; ++b) {
        const bool again = b == branches;
        if (again && largest + 1 == branches) break;  // it was the last one
        const ir::RegionId region = module_.region_of(op, again ? largest : b);
        for (std::size_t r = 0; r < module_.op(op).result_count; ++r)
            values_[module_.result(op, r).index].reset();
        SW_CHECK(run_region(region, frame.world, frame.active));
        std::vector<BufferRef> results = take_returned(region);
        for (std::size_t r = 0; r < results.size(); ++r)
            set(module_.result(op, r), std::move(results[r]));
        if (!again && arena_.live() >= most) {
            most = arena_.live();
            largest = b;
        }
    }
    return {};
}

}  // namespace shardwright::exec
