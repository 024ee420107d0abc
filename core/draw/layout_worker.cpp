// Both ends of the layout worker: the child's loop, and the parent that starts, asks and restarts.
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "draw/layout.h"
#include "draw/layout_message.h"

extern char** environ;

namespace shardwright::draw {

int run_layout_worker(int in, int out) {
    while (const std::optional<std::string> bytes = receive_message(in)) {
        const std::optional<LayoutInput> input = decode_input(*bytes);
        if (!input) return 2;
        // For the tests of the parent: a worker that never answers, or dies.
        if (const char* fault = std::getenv("SHARDWRIGHT_LAYOUT_FAULT")) {
            if (fault[0] == 'h') pause();
            if (fault[0] == 'c') std::abort();
        }
        if (!send_message(out, encode(layout_dot(*input)))) return 0;
    }
    return 0;
}

LayoutWorker::LayoutWorker(std::string program, double budget_s)
    : program_(std::move(program)), budget_s_(budget_s) {}

LayoutWorker::~LayoutWorker() {
    stop();
}

bool LayoutWorker::start() {
    if (socket_ >= 0) return true;
    if (program_.empty()) return false;
    // A socket pair, not pipes: writing to a dead worker must not raise a signal here.
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return false;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    std::string option = "--layout-worker";
    char* arguments[] = {program_.data(), option.data(), nullptr};
    pid_t pid = -1;
    const int failed = posix_spawn(&pid, program_.c_str(), &actions, nullptr, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (failed != 0) {
        close(ends[0]);
        program_.clear();  // it will not be there the next time either
        return false;
    }
    socket_ = ends[0];
    pid_ = pid;
    if (++starts_ > 1) ++restarts_;
    return true;
}

void LayoutWorker::stop() {
    if (socket_ >= 0) close(socket_);
    if (pid_ > 0) {
        kill(pid_, SIGKILL);
        int status = 0;
        waitpid(pid_, &status, 0);
    }
    socket_ = pid_ = -1;
}

std::optional<LayoutResult> LayoutWorker::ask(const LayoutInput& input) {
    if (!start()) return std::nullopt;
    std::string bytes = encode(input);
    std::string framed(4, '\0');
    for (int i = 0; i < 4; ++i)
        framed[static_cast<std::size_t>(i)] = static_cast<char>((bytes.size() >> (8 * i)) & 0xFF);
    framed += bytes;
    std::string_view rest = framed;
    while (!rest.empty()) {
        const ssize_t sent = send(socket_, rest.data(), rest.size(), MSG_NOSIGNAL);
        if (sent <= 0) return std::nullopt;
        rest.remove_prefix(static_cast<std::size_t>(sent));
    }
    const std::optional<std::string> answer = receive_message(socket_, budget_s_);
    if (!answer) return std::nullopt;
    return decode_result(*answer, input);
}

LayoutResult LayoutWorker::layout(const LayoutInput& input) {
    const std::lock_guard lock(mutex_);
    if (input.sizes.empty()) return {};
    if (auto result = ask(input)) return *std::move(result);
    stop();
    ++fallbacks_;
    return layout_layered(input);
}

namespace {

std::size_t hash_of(const LayoutInput& input) {
    std::size_t h = input.sizes.size();
    const auto add = [&h](std::size_t v) { h = (h ^ v) * 0x9E3779B97F4A7C15u + (h >> 29); };
    for (const Size& s : input.sizes) {
        add(std::hash<double>()(s.width));
        add(std::hash<double>()(s.height));
    }
    for (const LayoutEdge& e : input.edges) add((std::size_t{e.from} << 32) | e.to);
    return h;
}

}  // namespace

std::shared_ptr<const LayoutResult> LayoutStore::layout(const LayoutInput& input) {
    const std::size_t hash = hash_of(input);
    {
        const std::lock_guard lock(mutex_);
        for (const Entry& entry : entries_[hash])
            if (entry.input == input) return entry.result;
    }
    auto result = std::make_shared<const LayoutResult>(worker_.layout(input));
    const std::lock_guard lock(mutex_);
    entries_[hash].push_back({input, result});
    ++count_;
    return result;
}

}  // namespace shardwright::draw
