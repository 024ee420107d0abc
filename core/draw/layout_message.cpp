#include "draw/layout_message.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>

namespace shardwright::draw {
namespace {

void put(std::string& out, std::uint32_t n) {
    out.append(reinterpret_cast<const char*>(&n), 4);
}
void put(std::string& out, double v) {
    out.append(reinterpret_cast<const char*>(&v), 8);
}

class Cursor {
  public:
    explicit Cursor(std::string_view bytes) : rest_(bytes) {}
    std::uint32_t count() { return take<std::uint32_t>(); }
    double number() {
        const double v = take<double>();
        if (!std::isfinite(v)) good_ = false;
        return v;
    }
    bool good() const { return good_; }
    bool done() const { return good_ && rest_.empty(); }
    /// True when `n` things of `each` bytes can still follow: no huge allocation for a wild count.
    bool holds(std::uint32_t n, std::size_t each) {
        return good_ = good_ && static_cast<std::size_t>(n) * each <= rest_.size();
    }

  private:
    template <class T>
    T take() {
        T value{};
        if (rest_.size() < sizeof(T)) {
            good_ = false;
            rest_ = {};
            return value;
        }
        std::memcpy(&value, rest_.data(), sizeof(T));
        rest_.remove_prefix(sizeof(T));
        return value;
    }
    std::string_view rest_;
    bool good_ = true;
};

bool read_exactly(int descriptor, char* data, std::size_t size,
                  std::chrono::steady_clock::time_point end, bool forever) {
    while (size > 0) {
        if (!forever) {
            const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
                end - std::chrono::steady_clock::now());
            if (left.count() <= 0) return false;
            pollfd waiting{descriptor, POLLIN, 0};
            const int ready = poll(&waiting, 1, static_cast<int>(left.count()));
            if (ready < 0 && errno == EINTR) continue;
            if (ready <= 0) return false;
        }
        const ssize_t got = read(descriptor, data, size);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        data += got;
        size -= static_cast<std::size_t>(got);
    }
    return true;
}

}  // namespace

std::string encode(const LayoutInput& input) {
    std::string out;
    put(out, static_cast<std::uint32_t>(input.sizes.size()));
    put(out, static_cast<std::uint32_t>(input.edges.size()));
    for (const Size& s : input.sizes) put(out, s.width), put(out, s.height);
    for (const LayoutEdge& e : input.edges) put(out, e.from), put(out, e.to);
    return out;
}

std::optional<LayoutInput> decode_input(std::string_view bytes) {
    Cursor in(bytes);
    LayoutInput out;
    const std::uint32_t nodes = in.count(), edges = in.count();
    if (!in.holds(nodes, 16)) return std::nullopt;
    for (std::uint32_t i = 0; i < nodes; ++i) {
        const double width = in.number();
        out.sizes.push_back({width, in.number()});
    }
    if (!in.holds(edges, 8)) return std::nullopt;
    for (std::uint32_t i = 0; i < edges; ++i) {
        const std::uint32_t from = in.count();
        out.edges.push_back({from, in.count()});
        if (from >= nodes || out.edges.back().to >= nodes) return std::nullopt;
    }
    if (!in.done()) return std::nullopt;
    return out;
}

std::string encode(const std::optional<LayoutResult>& result) {
    std::string out;
    put(out, static_cast<std::uint32_t>(result.has_value() ? 1 : 0));
    if (!result) return out;
    put(out, result->size.width), put(out, result->size.height);
    for (const Rect& r : result->nodes) put(out, r.x), put(out, r.y);
    for (const auto& curve : result->curves) {
        put(out, static_cast<std::uint32_t>(curve.size()));
        for (const Point& p : curve) put(out, p.x), put(out, p.y);
    }
    return out;
}

std::optional<LayoutResult> decode_result(std::string_view bytes, const LayoutInput& input) {
    Cursor in(bytes);
    if (in.count() != 1) return std::nullopt;
    LayoutResult out;
    out.size.width = in.number();
    out.size.height = in.number();
    for (const Size& size : input.sizes) {
        const double x = in.number();
        out.nodes.push_back({x, in.number(), size.width, size.height});
    }
    for (std::size_t e = 0; e < input.edges.size(); ++e) {
        const std::uint32_t points = in.count();
        if (!in.holds(points, 16)) return std::nullopt;
        std::vector<Point> curve;
        for (std::uint32_t i = 0; i < points; ++i) {
            const double x = in.number();
            curve.push_back({x, in.number()});
        }
        if (curve.size() % 3 != 1) curve.clear();
        out.curves.push_back(std::move(curve));
    }
    if (!in.done()) return std::nullopt;
    return out;
}

bool send_message(int descriptor, std::string_view bytes) {
    std::string framed;
    put(framed, static_cast<std::uint32_t>(bytes.size()));
    framed += bytes;
    std::string_view rest = framed;
    while (!rest.empty()) {
        const ssize_t sent = write(descriptor, rest.data(), rest.size());
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        rest.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

std::optional<std::string> receive_message(int descriptor, double deadline_s) {
    const bool forever = deadline_s < 0;
    const auto end = std::chrono::steady_clock::now() +
                     std::chrono::milliseconds(forever ? 0 : std::lround(deadline_s * 1000));
    std::uint32_t size = 0;
    if (!read_exactly(descriptor, reinterpret_cast<char*>(&size), 4, end, forever))
        return std::nullopt;
    if (size > kMaxMessageBytes) return std::nullopt;
    std::string bytes(size, '\0');
    if (!read_exactly(descriptor, bytes.data(), size, end, forever)) return std::nullopt;
    return bytes;
}

}  // namespace shardwright::draw
