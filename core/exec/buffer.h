#pragma once
// Memory of values: one allocation for the shards of all devices, freed at last use and used again.

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "base/result.h"

namespace shardwright::exec {

class Arena;

/// The shards of one value: `devices` slots of `bytes` each. A value that is the same on every
/// device (a constant and what follows from constants alone) has one slot.
struct Buffer {
    std::byte* data = nullptr;
    std::int64_t bytes = 0;  ///< of one slot
    std::int64_t devices = 1;
    std::size_t capacity = 0;  ///< allocated (or as if); 0 when `held` owns the bytes
    Arena* arena = nullptr;
    std::shared_ptr<const std::vector<std::byte>> held;  ///< a literal's own bytes, never written

    /// The slot of `device` among `total` devices. `total` is a multiple of `devices`: inside a
    /// manual region each outer device stands for several inner ones.
    std::byte* slot(std::int64_t device, std::int64_t total) const {
        return data + (devices == total ? device : device * devices / total) * bytes;
    }
    Buffer() = default;
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer();
};
using BufferRef = std::shared_ptr<Buffer>;

/// Gives out buffers, counts the bytes alive and their peak, and keeps freed memory for re-use.
class Arena {
  public:
    enum class Purpose : std::uint8_t { kRun, kRehearsal };
    /// A rehearsal's buffers have no memory: they only count.
    explicit Arena(std::int64_t limit, Purpose purpose = Purpose::kRun)
        : limit_(limit), purpose_(purpose) {}
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;
    ~Arena();

    /// Uninitialised memory; a diagnostic when the bytes alive would pass the limit.
    Result<BufferRef> allocate(std::int64_t bytes, std::int64_t devices);
    /// A buffer over a literal's bytes.
    BufferRef borrow(std::shared_ptr<const std::vector<std::byte>> bytes);
    std::int64_t peak() const { return peak_; }
    std::int64_t live() const { return live_; }
    bool is_rehearsal() const { return purpose_ == Purpose::kRehearsal; }

  private:
    friend struct Buffer;
    void count(std::int64_t bytes);
    void give_back(std::byte* data, std::size_t capacity);

    std::int64_t limit_ = 0, live_ = 0, peak_ = 0, idle_ = 0;
    Purpose purpose_ = Purpose::kRun;
    std::multimap<std::size_t, std::byte*> free_;
};

}  // namespace shardwright::exec
