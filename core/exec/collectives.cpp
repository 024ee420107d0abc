#include "exec/collectives.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "exec/element_program.h"
#include "exec/parallel.h"
#include "exec/reduce.h"
#include "exec/strided_copy.h"
#include "ir/builder.h"

namespace shardwright::exec {
namespace {

using ir::OpKind;

std::int64_t bytes_of(const ir::TensorType& type) {
    return type.element_count() * ir::storage_bytes(type.element);
}

void copy_bytes(std::byte* to, const std::byte* from, std::int64_t count) {
    if (count > 0) std::memcpy(to, from, static_cast<std::size_t>(count));
}

/// How the members' values combine: a simple combiner in the compute type, or the region's program.
struct GroupSum {
    Combiner combiner;
    std::optional<ElementProgram> program;
    ir::ElementType type{};

    static Result<GroupSum> make(const CollectiveRun& run, ir::ElementType type) {
        GroupSum sum;
        sum.type = type;
        const auto& attributes = run.module.attributes<ir::CollectiveAttributes>(run.op);
        std::optional<OpKind> simple;
        if (run.module.op(run.op).region_count == 0)
            simple = ir::to_combiner(attributes.reduction);
        else
            simple = ir::simple_combiner(run.module, run.module.region_of(run.op, 0));
        if (simple) {
            sum.combiner = Combiner::of(*simple, type, run.options.accumulate_f64);
            if (sum.combiner.function != nullptr) return sum;
        }
        if (run.module.op(run.op).region_count != 0)
            sum.program = ElementProgram::compile(run.module, run.module.region_of(run.op, 0));
        if (!sum.program || !sum.program->captures().empty())
            return unsupported("this reduction of a collective");
        return sum;
    }

    /// out = member 0 ∘ member 1 ∘ …, `count` elements, in the group's order. Narrow floats are
    /// summed in f32 and rounded once.
    void run(std::span<const std::byte* const> members, std::byte* out, std::int64_t count) const {
        constexpr auto kBlock = static_cast<std::int64_t>(Elementwise::kBlock);
        const std::int64_t bytes = ir::storage_bytes(type);
        parallel_for((count + kBlock - 1) / kBlock, 8, [&](std::int64_t begin, std::int64_t end) {
            alignas(64) std::byte acc[Elementwise::kBlock * 16];
            std::optional<ElementProgram::Runner> runner;
            if (program) runner.emplace(*program, Elementwise::kBlock, nullptr);
            for (std::int64_t at = begin * kBlock; at < std::min(count, end * kBlock);
                 at += kBlock) {
                const auto n = static_cast<std::size_t>(std::min(kBlock, count - at));
                const std::int64_t offset = at * bytes;
                if (runner) {
                    std::memcpy(acc, members[0] + offset, n * static_cast<std::size_t>(bytes));
                    for (std::size_t m = 1; m < members.size(); ++m) {
                        const std::byte* in[] = {acc, members[m] + offset};
                        std::byte* target = acc;
                        runner->run(in, &target, n);
                    }
                    std::memcpy(out + offset, acc, n * static_cast<std::size_t>(bytes));
                    continue;
                }
                combiner.load(members[0] + offset, acc, n);
                for (std::size_t m = 1; m < members.size(); ++m)
                    combiner.accumulate(acc, members[m] + offset, n);
                combiner.store(acc, out + offset, n);
            }
        });
    }
};

std::vector<const std::byte*> member_data(const CollectiveRun& run, std::size_t operand,
                                          const DeviceGroup& group) {
    std::vector<const std::byte*> data;
    for (const std::int64_t d : group) data.push_back(run.in(operand, d));
    return data;
}

/// Copies slice `index` along `dim` (its size being `part.dims[dim]`) between a whole and a part.
struct SliceCopy {
    int bytes;
    Dims sizes, whole, part;
    std::int64_t step;  // elements from one slice to the next in the whole

    SliceCopy(const ir::TensorType& whole_type, const ir::TensorType& part_type, std::size_t dim)
        : bytes(ir::storage_bytes(part_type.element)),
          sizes(part_type.dims),
          whole(row_major(view(whole_type.dims))),
          part(row_major(view(part_type.dims))),
          step(whole[dim] * part_type.dims[dim]) {}
    void into_whole(const std::byte* from, std::byte* to, std::int64_t index) const {
        strided_copy(bytes, view(sizes), from, view(part), to + index * step * bytes, view(whole));
    }
    void from_whole(const std::byte* from, std::byte* to, std::int64_t index) const {
        strided_copy(bytes, view(sizes), from + index * step * bytes, view(whole), to, view(part));
    }
};

/// Members copy the first member's finished result.
void share(const CollectiveRun& run, std::size_t i, const DeviceGroup& group, std::int64_t bytes) {
    const std::byte* first = run.out(i, group[0]);
    parallel_for(static_cast<std::int64_t>(group.size()) - 1, 1,
                 [&](std::int64_t begin, std::int64_t end) {
                     for (std::int64_t m = begin + 1; m <= end; ++m)
                         copy_bytes(run.out(i, group[static_cast<std::size_t>(m)]), first, bytes);
                 });
}

Status run_group(const CollectiveRun& run, std::size_t i, const DeviceGroup& group) {
    const OpKind kind = run.module.op(run.op).kind;
    const auto& a = run.module.attributes<ir::CollectiveAttributes>(run.op);
    const ir::TensorType& in = run.module.type(run.module.operand(run.op, i));
    const ir::TensorType& out = run.module.type(run.module.result(run.op, i));
    const auto members = member_data(run, i, group);
    const auto n = static_cast<std::int64_t>(group.size());
    switch (kind) {
        case OpKind::kAllReduce: {
            SW_TRY(const GroupSum sum, GroupSum::make(run, in.element));
            sum.run(members, run.out(i, group[0]), in.element_count());
            share(run, i, group, bytes_of(out));
            return {};
        }
        case OpKind::kAllGather: {
            const auto dim = static_cast<std::size_t>(a.dim);
            if (in.dims[dim] * n != out.dims[dim])
                return bad_input(fmt::format("all_gather over {} devices of dim {} of size {}", n,
                                             a.dim, in.dims[dim]),
                                 fmt::format("a result of {}", in.dims[dim] * n));
            const SliceCopy copy(out, in, dim);
            for (std::int64_t m = 0; m < n; ++m)
                copy.into_whole(members[static_cast<std::size_t>(m)], run.out(i, group[0]), m);
            share(run, i, group, bytes_of(out));
            return {};
        }
        case OpKind::kReduceScatter: {
            const auto dim = static_cast<std::size_t>(a.dim);
            if (out.dims[dim] * n != in.dims[dim])
                return bad_input(fmt::format("reduce_scatter over {} devices of dim {} of size {}",
                                             n, a.dim, in.dims[dim]),
                                 fmt::format("a result of {}", in.dims[dim] / n));
            SW_TRY(const GroupSum sum, GroupSum::make(run, in.element));
            std::vector<std::byte> whole(static_cast<std::size_t>(bytes_of(in)));
            sum.run(members, whole.data(), in.element_count());
            const SliceCopy copy(in, out, dim);
            for (std::int64_t m = 0; m < n; ++m)
                copy.from_whole(whole.data(), run.out(i, group[static_cast<std::size_t>(m)]), m);
            return {};
        }
        case OpKind::kAllToAll: {
            const auto split = static_cast<std::size_t>(a.dim);
            const auto join = static_cast<std::size_t>(a.concat_dim);
            ir::TensorType piece = in;
            piece.dims[split] /= n;
            if (piece.dims[split] * n != in.dims[split])
                return bad_input(fmt::format("all_to_all over {} devices splits a dim of size {}",
                                             n, in.dims[split]),
                                 "a multiple of the group's size");
            // Piece `to` of member `from` becomes piece `from` of member `to`.
            const Dims whole_in = row_major(view(in.dims)), whole_out = row_major(view(out.dims));
            const int bytes = ir::storage_bytes(in.element);
            parallel_for(n, 1, [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t to = begin; to < end; ++to)
                    for (std::int64_t from = 0; from < n; ++from)
                        strided_copy(bytes, view(piece.dims),
                                     members[static_cast<std::size_t>(from)] +
                                         to * piece.dims[split] * whole_in[split] * bytes,
                                     view(whole_in),
                                     run.out(i, group[static_cast<std::size_t>(to)]) +
                                         from * piece.dims[join] * whole_out[join] * bytes,
                                     view(whole_out));
            });
            return {};
        }
        case OpKind::kCollectiveBroadcast:
            for (const std::int64_t d : group) copy_bytes(run.out(i, d), members[0], bytes_of(in));
            return {};
        default:
            return unsupported(fmt::format("running {}", ir::name(kind)));
    }
}

Status missing_device(const CollectiveRun& run, std::int64_t device) {
    return bad_input(
        fmt::format("{} is reached by only a part of its group: device {} is not there",
                    ir::name(run.module.op(run.op).kind), device),
        "all devices of the group to take the same branch");
}

}  // namespace

Status run_collective(const CollectiveRun& run) {
    std::vector<bool> here(static_cast<std::size_t>(run.device_count), run.active.all);
    for (const std::int64_t d : run.active.devices) here[static_cast<std::size_t>(d)] = true;
    const std::size_t operands = run.module.op(run.op).operand_count;
    const OpKind kind = run.module.op(run.op).kind;
    if (kind == OpKind::kCollectivePermute) {
        for (std::size_t i = 0; i < operands; ++i) {
            const std::int64_t bytes = bytes_of(run.module.type(run.module.operand(run.op, i)));
            for (const std::int64_t d : run.active.devices) {
                const std::int64_t source = run.sources[static_cast<std::size_t>(d)];
                if (source >= 0 && !here[static_cast<std::size_t>(source)])
                    return missing_device(run, source);
                if (source >= 0)
                    copy_bytes(run.out(i, d), run.in(i, source), bytes);
                else if (bytes > 0)
                    std::memset(run.out(i, d), 0, static_cast<std::size_t>(bytes));
            }
        }
        return {};
    }
    std::vector<bool> grouped(here.size(), false);
    for (const DeviceGroup& group : run.groups) {
        std::int64_t present = 0, absent = -1;
        for (const std::int64_t d : group) {
            grouped[static_cast<std::size_t>(d)] = true;
            here[static_cast<std::size_t>(d)] ? void(++present) : void(absent = d);
        }
        if (present == 0) continue;
        if (absent >= 0) return missing_device(run, absent);
        for (std::size_t i = 0; i < operands; ++i) SW_CHECK(run_group(run, i, group));
    }
    // Devices in no group: a broadcast gives them zeros, other kinds leave them what they have.
    for (const std::int64_t d : run.active.devices) {
        if (grouped[static_cast<std::size_t>(d)]) continue;
        if (kind != OpKind::kCollectiveBroadcast) return missing_device(run, d);
        for (std::size_t i = 0; i < operands; ++i)
            std::memset(
                run.out(i, d), 0,
                static_cast<std::size_t>(bytes_of(run.module.type(run.module.operand(run.op, i)))));
    }
    return {};
}

}  // namespace shardwright::exec
