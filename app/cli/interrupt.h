#pragma once
// Ctrl-C as a flag that long work looks at.

#include <atomic>

namespace shardwright::cli {

/// From now on SIGINT and SIGTERM set the flag; a second one ends the process at once.
void watch_interrupts();
const std::atomic<bool>& interrupted();

}  // namespace shardwright::cli
