// reduce: simple combiners in blocks at memory speed; any region, variadic too, as a register
// program that runs across a block of outputs at once.
#include "exec/reduce.h"

#include <algorithm>
#include <complex>
#include <cstring>
#include <memory>

#include "exec/element_width.h"
#include "exec/parallel.h"
#include "exec/strided_copy.h"
#include "ir/builder.h"

namespace shardwright::exec {
namespace {

struct Axis {
    std::int64_t size, stride;
};
using Axes = InlineVector<Axis, 6>;

/// The kept and the reduced dims of the operand, neighbours joined, minor-most last.
struct Geometry {
    Axes kept, reduced;
    std::int64_t outputs = 1, inputs = 1;  // kept and reduced index counts
    bool inner_is_kept = false;            // what the operand's contiguous dim is

    Geometry(const Dims& dims, const Dims& reduced_dims) {
        const Dims strides = row_major(view(dims));
        int last = -1;
        for (std::size_t d = 0; d < dims.size(); ++d) {
            const bool reduce = std::find(reduced_dims.begin(), reduced_dims.end(),
                                          static_cast<std::int64_t>(d)) != reduced_dims.end();
            (reduce ? inputs : outputs) *= dims[d];
            if (dims[d] == 1) continue;
            Axes& axes = reduce ? reduced : kept;
            if (last == static_cast<int>(reduce))
                axes.back() = {axes.back().size * dims[d], strides[d]};
            else
                axes.push_back({dims[d], strides[d]});
            last = static_cast<int>(reduce);
        }
        inner_is_kept = last == 0;
    }
};

std::int64_t offset_of(const Axes& axes, std::int64_t index) {
    std::int64_t offset = 0;
    for (std::size_t d = axes.size(); d-- > 0;) {
        offset += index % axes[d].size * axes[d].stride;
        index /= axes[d].size;
    }
    return offset;
}

class SimpleReduce {
  public:
    SimpleReduce(Geometry geometry, Combiner combiner)
        : g_(std::move(geometry)),
          c_(combiner),
          in_(c_.storage_bytes()),
          acc_(c_.compute_bytes()) {}

    void run(const std::byte* in, const std::byte* init, std::byte* out) const {
        if (g_.inputs == 0 || g_.outputs == 0) {
            fill(static_cast<int>(in_), init, out, g_.outputs);
        } else if (g_.inner_is_kept) {
            run_columns(in, init, out);
        } else {
            run_rows(in, init, out);
        }
    }

  private:
    static constexpr std::int64_t kLanes = 256;
    static constexpr std::int64_t kChunk = 32768;

    /// Blocks of adjacent outputs; whole blocks of the operand are added to them. Partial sums of
    /// 128 rows keep the rounding error of long reductions small.
    void run_columns(const std::byte* in, const std::byte* init, std::byte* out) const {
        const Axis inner = g_.kept.back();
        Axes outer = g_.kept;
        outer.pop_back();
        const std::int64_t blocks = (inner.size + kLanes - 1) / kLanes;
        const std::int64_t width = std::min(inner.size, kLanes);
        parallel_for(
            g_.outputs / inner.size * blocks, grain_for(g_.inputs * width),
            [&](std::int64_t begin, std::int64_t end) {
                std::vector<std::byte> total(kLanes * acc_), part(kLanes * acc_);
                for (std::int64_t b = begin; b < end; ++b) {
                    const std::int64_t first = b % blocks * kLanes;
                    const auto n = static_cast<std::size_t>(std::min(kLanes, inner.size - first));
                    const std::byte* base = in + (offset_of(outer, b / blocks) + first) *
                                                     static_cast<std::int64_t>(in_);
                    c_.load(init, total.data(), 1);
                    fill(static_cast<int>(acc_), total.data(), part.data(),
                         static_cast<std::int64_t>(n));
                    total.swap(part);
                    for (std::int64_t r0 = 0; r0 < g_.inputs; r0 += 128) {
                        const std::int64_t r1 = std::min(g_.inputs, r0 + 128);
                        for (std::int64_t r = r0; r < r1; ++r) {
                            const std::byte* row =
                                base + offset_of(g_.reduced, r) * static_cast<std::int64_t>(in_);
                            if (r == r0)
                                c_.load(row, part.data(), n);
                            else
                                c_.accumulate(part.data(), row, n);
                        }
                        c_.apply(total.data(), part.data(), n);
                    }
                    const std::int64_t at = b / blocks * inner.size + first;
                    c_.store(total.data(), out + at * static_cast<std::int64_t>(in_), n);
                }
            });
    }

    /// A contiguous run in lanes, folded by halves: the same order whatever the machine.
    void reduce_run(const std::byte* in, std::int64_t count, std::byte* acc,
                    std::byte* lanes) const {
        std::int64_t width = kLanes;
        while (width > count) width /= 2;
        c_.load(in, lanes, static_cast<std::size_t>(width));
        std::int64_t at = width;
        for (; at + width <= count; at += width)
            c_.accumulate(lanes, in + at * static_cast<std::int64_t>(in_),
                          static_cast<std::size_t>(width));
        if (at < count)
            c_.accumulate(lanes, in + at * static_cast<std::int64_t>(in_),
                          static_cast<std::size_t>(count - at));
        for (; width > 1; width /= 2)
            c_.apply(lanes, lanes + static_cast<std::size_t>(width / 2) * acc_,
                     static_cast<std::size_t>(width / 2));
        std::memcpy(acc, lanes, acc_);
    }

    /// Each output is the fold of contiguous runs, cut into chunks that several threads share.
    void run_rows(const std::byte* in, const std::byte* init, std::byte* out) const {
        const std::int64_t run = g_.reduced.empty() ? 1 : g_.reduced.back().size;
        Axes outer = g_.reduced;
        if (!outer.empty()) outer.pop_back();
        const std::int64_t runs = g_.inputs / run, chunks = (run + kChunk - 1) / kChunk;
        const std::int64_t pieces = runs * chunks;
        const bool shared = g_.outputs < 16 && pieces > 1;
        const auto piece = [&](const std::byte* base, std::int64_t p, std::byte* acc,
                               std::byte* lanes) {
            const std::int64_t first = p % chunks * kChunk;
            const std::int64_t at = offset_of(outer, p / chunks) + first;
            reduce_run(base + at * static_cast<std::int64_t>(in_), std::min(kChunk, run - first),
                       acc, lanes);
        };
        const auto one = [&](std::int64_t o, std::vector<std::byte>& lanes) {
            const std::byte* base = in + offset_of(g_.kept, o) * static_cast<std::int64_t>(in_);
            std::vector<std::byte> partials(shared ? static_cast<std::size_t>(pieces) * acc_ : 0);
            alignas(16) std::byte total[16], value[16];
            c_.load(init, total, 1);
            if (shared)
                parallel_for(pieces, 1, [&](std::int64_t b, std::int64_t e) {
                    std::vector<std::byte> own(kLanes * acc_);
                    for (std::int64_t p = b; p < e; ++p)
                        piece(base, p, partials.data() + static_cast<std::size_t>(p) * acc_,
                              own.data());
                });
            for (std::int64_t p = 0; p < pieces; ++p) {
                const std::byte* partial = partials.data() + static_cast<std::size_t>(p) * acc_;
                if (!shared) {
                    piece(base, p, value, lanes.data());
                    partial = value;
                }
                c_.apply(total, partial, 1);
            }
            c_.store(total, out + o * static_cast<std::int64_t>(in_), 1);
        };
        parallel_for(g_.outputs, shared ? g_.outputs : grain_for(g_.inputs),
                     [&](std::int64_t begin, std::int64_t end) {
                         std::vector<std::byte> lanes(kLanes * acc_);
                         for (std::int64_t o = begin; o < end; ++o) one(o, lanes);
                     });
    }

    Geometry g_;
    Combiner c_;
    std::size_t in_, acc_;
};

/// Gathers `count` elements at base + offsets[i].
void collect(int bytes, const std::byte* base, const std::int64_t* offsets, std::size_t count,
             std::byte* out) {
    with_width(bytes, [&]<class T>(T) {
        for (std::size_t i = 0; i < count; ++i)
            reinterpret_cast<T*>(out)[i] = reinterpret_cast<const T*>(base)[offsets[i]];
    });
}

class GeneralReduce {
  public:
    GeneralReduce(Geometry geometry, ElementProgram program, std::vector<int> bytes)
        : g_(std::move(geometry)), program_(std::move(program)), bytes_(std::move(bytes)) {}

    void run(const Call& call) const {
        const std::size_t n = bytes_.size();
        const std::int64_t block = 128;
        parallel_for((g_.outputs + block - 1) / block, grain_for(g_.inputs * block * 8),
                     [&](std::int64_t begin, std::int64_t end) {
                         ElementProgram::Runner runner(program_, static_cast<std::size_t>(block),
                                                       call.in + 2 * n);
                         std::vector<std::vector<std::byte>> memory(2 * n);
                         std::vector<const std::byte*> in(2 * n);
                         std::vector<std::byte*> out(n);
                         for (std::size_t i = 0; i < 2 * n; ++i) {
                             memory[i].resize(static_cast<std::size_t>(block * bytes_[i % n]));
                             in[i] = memory[i].data();
                             if (i < n) out[i] = memory[i].data();
                         }
                         std::vector<std::int64_t> offsets(static_cast<std::size_t>(block));
                         for (std::int64_t b = begin; b < end; ++b) {
                             const std::int64_t first = b * block;
                             const std::int64_t count = std::min(block, g_.outputs - first);
                             for (std::int64_t i = 0; i < count; ++i)
                                 offsets[static_cast<std::size_t>(i)] =
                                     offset_of(g_.kept, first + i);
                             for (std::size_t i = 0; i < n; ++i)
                                 fill(bytes_[i], call.in[n + i], memory[i].data(), count);
                             for (std::int64_t r = 0; r < g_.inputs; ++r) {
                                 const std::int64_t at = offset_of(g_.reduced, r);
                                 for (std::size_t i = 0; i < n; ++i)
                                     collect(bytes_[i], call.in[i] + at * bytes_[i], offsets.data(),
                                             static_cast<std::size_t>(count), memory[n + i].data());
                                 runner.run(in.data(), out.data(), static_cast<std::size_t>(count));
                             }
                             for (std::size_t i = 0; i < n; ++i)
                                 std::memcpy(call.out[i] + first * bytes_[i], memory[i].data(),
                                             static_cast<std::size_t>(count * bytes_[i]));
                         }
                     });
    }

  private:
    Geometry g_;
    ElementProgram program_;
    std::vector<int> bytes_;
};

}  // namespace

Result<Kernel> prepare_reduce(const Preparation& p) {
    const Geometry geometry(p.operand(0).dims, p.attributes<ir::DimsAttributes>().dims);
    Kernel kernel;
    const auto combiner = ir::simple_combiner(p.module, p.module.region_of(p.op, 0));
    if (combiner && p.operand_count() == 2) {
        const Combiner c = Combiner::of(*combiner, p.operand(0).element, p.options.accumulate_f64);
        if (c.function != nullptr) {
            kernel.run = [reduce = SimpleReduce(geometry, c)](const Call& call) -> Status {
                reduce.run(call.in[0], call.in[1], call.out[0]);
                return {};
            };
            return kernel;
        }
    }
    SW_TRY(ElementProgram program, p.scalar_program(0));
    std::vector<int> bytes;
    for (std::size_t i = 0; i < p.operand_count() / 2; ++i)
        bytes.push_back(ir::storage_bytes(p.operand(i).element));
    kernel.captures.assign(program.captures().begin(), program.captures().end());
    auto reduce = std::make_shared<GeneralReduce>(geometry, std::move(program), std::move(bytes));
    kernel.run = [reduce](const Call& call) -> Status {
        reduce->run(call);
        return {};
    };
    return kernel;
}

}  // namespace shardwright::exec
