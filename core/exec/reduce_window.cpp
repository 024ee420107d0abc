// reduce_window: blocks of outputs at once, window position by window position; windows that are
// prefixes or suffixes (cumulative sums) as scans.
#include <algorithm>
#include <cstring>
#include <memory>

#include "exec/kernel.h"
#include "exec/parallel.h"
#include "exec/reduce.h"
#include "exec/window_geometry.h"
#include "ir/builder.h"

namespace shardwright::exec {
namespace {

constexpr std::int64_t kBlock = 256;

struct Scan {
    std::int64_t length = 0, stride = 0, outer = 0;
    bool backwards = false;
};

/// A window over one whole dim, padded so that output i sees elements 0 … i (or i … last).
std::optional<Scan> scan_of(const ir::WindowAttributes& a, const Dims& dims) {
    Scan scan;
    int wide = -1;
    const auto one = [](const Dims& list) {
        return std::all_of(list.begin(), list.end(), [](std::int64_t x) { return x == 1; });
    };
    if (!one(a.strides) || !one(a.base_dilation) || !one(a.window_dilation)) return std::nullopt;
    for (std::size_t d = 0; d < dims.size(); ++d) {
        if (a.sizes[d] == 1 && a.pad_low[d] == 0 && a.pad_high[d] == 0) continue;
        if (wide >= 0 || a.sizes[d] != dims[d]) return std::nullopt;
        wide = static_cast<int>(d);
        const std::int64_t rest = dims[d] - 1;
        if (a.pad_low[d] == rest && a.pad_high[d] == 0)
            scan.backwards = false;
        else if (a.pad_low[d] == 0 && a.pad_high[d] == rest)
            scan.backwards = true;
        else
            return std::nullopt;
    }
    if (wide < 0) return std::nullopt;
    const auto d = static_cast<std::size_t>(wide);
    scan.length = dims[d];
    scan.stride = row_major(view(dims))[d];
    scan.outer = 1;
    for (std::size_t i = 0; i < d; ++i) scan.outer *= dims[i];
    return scan;
}

void run_scan(const Scan& s, const Combiner& c, const Call& call) {
    const auto bytes = static_cast<std::int64_t>(c.storage_bytes());
    const std::int64_t blocks = (s.stride + kBlock - 1) / kBlock;
    parallel_for(
        s.outer * blocks, grain_for(s.length * std::min(s.stride, kBlock)),
        [&](std::int64_t begin, std::int64_t end) {
            std::vector<std::byte> acc(static_cast<std::size_t>(kBlock) * c.compute_bytes());
            for (std::int64_t b = begin; b < end; ++b) {
                const std::int64_t first = b % blocks * kBlock;
                const auto n = static_cast<std::size_t>(std::min(kBlock, s.stride - first));
                const std::int64_t base = b / blocks * s.length * s.stride + first;
                for (std::int64_t i = 0; i < s.length; ++i) {
                    const std::int64_t at =
                        (base + (s.backwards ? s.length - 1 - i : i) * s.stride) * bytes;
                    if (i == 0)
                        c.load(call.in[0] + at, acc.data(), n);
                    else
                        c.accumulate(acc.data(), call.in[0] + at, n);
                    c.store(acc.data(), call.out[0] + at, n);
                }
            }
        });
}

/// Calls `body(first, count, offsets)` for blocks of outputs; `offsets[w · kBlock + i]` is made by
/// the caller's loop through `fill_offsets`.
class Blocks {
  public:
    explicit Blocks(const WindowTables& tables) : t_(tables) {}
    void start(std::int64_t first, std::int64_t count) {
        index_.resize(static_cast<std::size_t>(count));
        for (std::int64_t i = 0; i < count; ++i)
            t_.output_index(first + i, index_[static_cast<std::size_t>(i)]);
    }
    void offsets(const Dims& window, std::int64_t* out) const {
        for (std::size_t i = 0; i < index_.size(); ++i) out[i] = t_.offset(index_[i], window);
    }

  private:
    const WindowTables& t_;
    std::vector<Dims> index_;
};

void collect(int bytes, const std::byte* data, const std::byte* otherwise,
             const std::int64_t* offsets, std::int64_t count, std::byte* out) {
    for (std::int64_t i = 0; i < count; ++i)
        std::memcpy(out + i * bytes, offsets[i] < 0 ? otherwise : data + offsets[i] * bytes,
                    static_cast<std::size_t>(bytes));
}

void run_simple(const WindowTables& t, const Combiner& c, const Call& call) {
    const auto bytes = static_cast<int>(c.storage_bytes());
    parallel_for(
        (t.outputs + kBlock - 1) / kBlock, grain_for(t.positions * kBlock * 4),
        [&](std::int64_t begin, std::int64_t end) {
            std::vector<std::byte> acc(static_cast<std::size_t>(kBlock) * c.compute_bytes());
            std::vector<std::byte> values(static_cast<std::size_t>(kBlock * bytes));
            std::int64_t offsets[kBlock];
            Blocks blocks(t);
            Dims window;
            for (std::int64_t b = begin; b < end; ++b) {
                const std::int64_t first = b * kBlock, count = std::min(kBlock, t.outputs - first);
                const auto n = static_cast<std::size_t>(count);
                blocks.start(first, count);
                fill(bytes, call.in[1], values.data(), count);
                c.load(values.data(), acc.data(), n);
                for (std::int64_t w = 0; w < t.positions; ++w) {
                    t.window_index(w, window);
                    blocks.offsets(window, offsets);
                    collect(bytes, call.in[0], call.in[1], offsets, count, values.data());
                    c.accumulate(acc.data(), values.data(), n);
                }
                c.store(acc.data(), call.out[0] + first * bytes, n);
            }
        });
}

void run_general(const WindowTables& t, const ElementProgram& program,
                 const std::vector<int>& bytes, const Call& call) {
    const std::size_t n = bytes.size();
    parallel_for((t.outputs + kBlock - 1) / kBlock, grain_for(t.positions * kBlock * 16),
                 [&](std::int64_t begin, std::int64_t end) {
                     ElementProgram::Runner runner(program, static_cast<std::size_t>(kBlock),
                                                   call.in + 2 * n);
                     std::vector<std::vector<std::byte>> memory(2 * n);
                     std::vector<const std::byte*> in(2 * n);
                     std::vector<std::byte*> out(n);
                     for (std::size_t i = 0; i < 2 * n; ++i) {
                         memory[i].resize(static_cast<std::size_t>(kBlock * bytes[i % n]));
                         in[i] = memory[i].data();
                         if (i < n) out[i] = memory[i].data();
                     }
                     std::int64_t offsets[kBlock];
                     Blocks blocks(t);
                     Dims window;
                     for (std::int64_t b = begin; b < end; ++b) {
                         const std::int64_t first = b * kBlock,
                                            count = std::min(kBlock, t.outputs - first);
                         blocks.start(first, count);
                         for (std::size_t i = 0; i < n; ++i)
                             fill(bytes[i], call.in[n + i], out[i], count);
                         for (std::int64_t w = 0; w < t.positions; ++w) {
                             t.window_index(w, window);
                             blocks.offsets(window, offsets);
                             for (std::size_t i = 0; i < n; ++i)
                                 collect(bytes[i], call.in[i], call.in[n + i], offsets, count,
                                         memory[n + i].data());
                             runner.run(in.data(), out.data(), static_cast<std::size_t>(count));
                         }
                         for (std::size_t i = 0; i < n; ++i)
                             std::memcpy(call.out[i] + first * bytes[i], out[i],
                                         static_cast<std::size_t>(count * bytes[i]));
                     }
                 });
}

}  // namespace

Result<Kernel> prepare_reduce_window(const Preparation& p) {
    const auto& a = p.attributes<ir::WindowAttributes>();
    auto tables = std::make_shared<const WindowTables>(a, p.operand(0).dims, p.result().dims);
    Kernel kernel;
    const auto kind = ir::simple_combiner(p.module, p.module.region_of(p.op, 0));
    if (kind && p.operand_count() == 2) {
        const Combiner c = Combiner::of(*kind, p.operand(0).element, p.options.accumulate_f64);
        if (c.function != nullptr) {
            const auto scan = scan_of(a, p.operand(0).dims);
            const ir::Literal identity = ir::identity_literal(*kind, {p.operand(0).element, {}});
            kernel.run = [tables, c, scan, identity](const Call& call) -> Status {
                // A scan enters the initial value nowhere, so it must be the identity.
                if (scan && std::memcmp(call.in[1], identity.data().data(), c.storage_bytes()) == 0)
                    run_scan(*scan, c, call);
                else
                    run_simple(*tables, c, call);
                return {};
            };
            return kernel;
        }
    }
    SW_TRY(ElementProgram program, p.scalar_program(0));
    kernel.captures.assign(program.captures().begin(), program.captures().end());
    std::vector<int> bytes;
    for (std::size_t i = 0; i < p.operand_count() / 2; ++i)
        bytes.push_back(ir::storage_bytes(p.operand(i).element));
    auto shared = std::make_shared<const ElementProgram>(std::move(program));
    kernel.run = [tables, shared, bytes](const Call& call) -> Status {
        run_general(*tables, *shared, bytes, call);
        return {};
    };
    return kernel;
}

}  // namespace shardwright::exec
