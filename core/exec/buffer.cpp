#include "exec/buffer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace shardwright::exec {

Buffer::~Buffer() {
    if (arena == nullptr) return;
    arena->live_ -= held ? static_cast<std::int64_t>(held->size()) : bytes * devices;
    if (data != nullptr && capacity != 0) arena->give_back(data, capacity);
}

Arena::~Arena() {
    for (const auto& [size, data] : free_) std::free(data);
}

void Arena::count(std::int64_t bytes) {
    live_ += bytes;
    peak_ = std::max(peak_, live_);
}

Result<BufferRef> Arena::allocate(std::int64_t bytes, std::int64_t devices) {
    std::int64_t total = 0, after = 0;
    if (__builtin_mul_overflow(bytes, devices, &total) ||
        __builtin_add_overflow(live_, total, &after))
        return bad_input("the program needs more bytes of memory than can be counted",
                         "a smaller program");
    if (limit_ > 0 && after > limit_)
        return bad_input(fmt::format("the program needs more than {} bytes of memory "
                                     "({} alive and {} more asked for)",
                                     limit_, live_, total),
                         "a larger --max-memory or a smaller program");
    auto buffer = std::make_shared<Buffer>();
    buffer->bytes = bytes;
    buffer->devices = devices;
    buffer->arena = this;
    count(total);
    // 64-byte granules; kernels' vector loads may then never straddle allocations.
    const std::size_t size = (static_cast<std::size_t>(total) + 127) / 64 * 64;
    if (is_rehearsal()) {
        buffer->capacity = size;
        return buffer;
    }
    if (const auto found = free_.lower_bound(size);
        found != free_.end() && found->first <= size + size / 4 + 1024) {
        buffer->capacity = found->first;
        buffer->data = found->second;
        idle_ -= static_cast<std::int64_t>(found->first);
        free_.erase(found);
        return buffer;
    }
    buffer->data = static_cast<std::byte*>(std::aligned_alloc(64, size));
    if (buffer->data == nullptr)
        return bad_input(fmt::format("out of memory when allocating {} bytes", size));
    buffer->capacity = size;
    return buffer;
}

BufferRef Arena::borrow(std::shared_ptr<const std::vector<std::byte>> held) {
    auto buffer = std::make_shared<Buffer>();
    // Never written through: `unique` use of a borrowed buffer is refused by the engine.
    buffer->data = const_cast<std::byte*>(held->data());
    buffer->bytes = static_cast<std::int64_t>(held->size());
    buffer->arena = this;
    buffer->held = std::move(held);
    count(buffer->bytes);
    return buffer;
}

void Arena::give_back(std::byte* data, std::size_t capacity) {
    free_.emplace(capacity, data);
    idle_ += static_cast<std::int64_t>(capacity);
    // Idle memory stays below the live peak: sizes change over a program and must not pile up.
    while (idle_ + live_ > peak_ + peak_ / 4 + (1 << 20) && !free_.empty()) {
        const auto largest = std::prev(free_.end());
        idle_ -= static_cast<std::int64_t>(largest->first);
        std::free(largest->second);
        free_.erase(largest);
    }
}

}  // namespace shardwright::exec
