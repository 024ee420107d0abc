#include "interrupt.h"

#include <csignal>
#include <cstdlib>

namespace shardwright::cli {
namespace {

std::atomic<bool> flag{false};  // a signal handler can reach nothing else
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void on_signal(int) {
    if (flag.exchange(true)) std::_Exit(130);
}

}  // namespace

void watch_interrupts() {
    std::signal(SIGINT, on_signal);
    std::signal(SIGTERM, on_signal);
    std::signal(SIGPIPE, SIG_DFL);
}

const std::atomic<bool>& interrupted() {
    return flag;
}

}  // namespace shardwright::cli
