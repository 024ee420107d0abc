#pragma once
// Where the nodes of one group stand. Engines behind one function; graphs are plain numbers, so
// that they can go to another process.

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "draw/geometry.h"

namespace shardwright::draw {

struct LayoutEdge {
    std::uint32_t from = 0, to = 0;
    friend bool operator==(const LayoutEdge&, const LayoutEdge&) = default;
};
struct LayoutInput {
    std::vector<Size> sizes;
    std::vector<LayoutEdge> edges;
    friend bool operator==(const LayoutInput&, const LayoutInput&) = default;
};
/// Node rectangles by node, edge curves by edge (a start point and cubic segments; empty = the
/// painter joins the nodes itself). Everything lies in [0, size].
struct LayoutResult {
    std::vector<Rect> nodes;
    std::vector<std::vector<Point>> curves;
    Size size;
    friend bool operator==(const LayoutResult&, const LayoutResult&) = default;
};

/// Our own layered layout, linear in nodes and edges but for the sorting of ranks: longest-path
/// ranks, barycentre sweeps. Never fails; cycles are cut at the edges that go back.
LayoutResult layout_layered(const LayoutInput& input);
/// Graphviz `dot`, in this process. Not thread-safe and not to be cancelled: called in the layout
/// worker only. Nothing when Graphviz fails.
std::optional<LayoutResult> layout_dot(const LayoutInput& input);
/// Tall layouts cut into columns, so that the picture has about the given width : height. Edges
/// between columns lose their curves.
LayoutResult into_columns(LayoutResult layout, const std::vector<LayoutEdge>& edges, double aspect);

/// The loop of the worker process: reads graphs from `in`, writes positions to `out` until the end
/// of `in`. Returns the process's exit code. The messages are in layout_message.h.
int run_layout_worker(int in, int out);

/// A child process that runs Graphviz. Started on first use; killed and started anew when a graph
/// takes longer than the budget or crashes it. Thread-safe.
class LayoutWorker {
  public:
    /// `program` is started as `program --layout-worker`; "" = always the fallback.
    explicit LayoutWorker(std::string program, double budget_s = 2.0);
    ~LayoutWorker();
    LayoutWorker(const LayoutWorker&) = delete;
    LayoutWorker& operator=(const LayoutWorker&) = delete;

    /// The layout by Graphviz, or by the fallback when the worker did not answer in time.
    LayoutResult layout(const LayoutInput& input);
    int restarts() const { return restarts_; }
    int fallbacks() const { return fallbacks_; }

  private:
    bool start();
    void stop();
    std::optional<LayoutResult> ask(const LayoutInput& input);

    std::string program_;
    double budget_s_;
    std::mutex mutex_;
    int socket_ = -1;
    int pid_ = -1;
    int starts_ = 0, restarts_ = 0, fallbacks_ = 0;
};

/// Layouts by structure: equal graphs (hash and equality) are laid out once. Thread-safe.
class LayoutStore {
  public:
    explicit LayoutStore(std::string worker_program = {}) : worker_(std::move(worker_program)) {}
    std::shared_ptr<const LayoutResult> layout(const LayoutInput& input);
    LayoutWorker& worker() { return worker_; }
    std::size_t size() const { return count_; }

  private:
    struct Entry {
        LayoutInput input;
        std::shared_ptr<const LayoutResult> result;
    };
    LayoutWorker worker_;
    std::mutex mutex_;
    std::unordered_map<std::size_t, std::vector<Entry>> entries_;
    std::size_t count_ = 0;
};

}  // namespace shardwright::draw
