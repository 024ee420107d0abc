// Control flow and regions with worlds of their own. Devices whose predicates differ part ways: a
// region runs over those that enter it, and the others keep what they have.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "exec/engine.h"
#include "exec/index_values.h"
#include "exec/shards.h"

namespace shardwright::exec {

using ir::OpKind;

Status Engine::merge(BufferRef& into, const BufferRef& from, const World& world,
                     std::span<const std::int64_t> devices) {
    const std::int64_t total = world.device_count();
    const auto copy = [&](Buffer& target, const Buffer& source, std::int64_t d) {
        if (source.bytes > 0)
            std::memcpy(target.slot(d, total), source.slot(d, total),
                        static_cast<std::size_t>(source.bytes));
    };
    if (!into || into->devices != total || into.use_count() != 1 || into->capacity == 0) {
        SW_TRY(BufferRef own, arena_.allocate(from->bytes, total));
        if (into)
            for (std::int64_t d = 0; d < total; ++d) copy(*own, *into, d);
        into = std::move(own);
    }
    for (const std::int64_t d : devices) copy(*into, *from, d);
    return {};
}

Status Engine::run_while(const Step& step, const Frame& frame) {
    if (arena_.is_rehearsal()) return rehearse_while(step, frame);
    const ir::OpId op = step.op;
    const ir::RegionId condition = module_.region_of(op, 0), body = module_.region_of(op, 1);
    const std::int64_t total = frame.world.device_count();
    std::vector<BufferRef> carried;
    for (const ir::ValueId v : module_.operands(op)) carried.push_back(values_[v.index]);
    drop(step.given_up);
    ActiveSet current = frame.active;
    for (;;) {
        for (std::size_t i = 0; i < carried.size(); ++i)
            set(module_.argument(condition, i), carried[i]);
        SW_CHECK(run_region(condition, frame.world, current));
        const BufferRef predicate = take_returned(condition)[0];
        ActiveSet next;
        for (const std::int64_t d : current.devices)
            if (*predicate->slot(d, total) != std::byte{0}) next.devices.push_back(d);
        if (next.devices.empty()) break;
        const bool parted = next.devices.size() != frame.active.devices.size();
        next.all = frame.active.all && !parted;
        for (std::size_t i = 0; i < carried.size(); ++i)
            set(module_.argument(body, i), parted ? carried[i] : std::move(carried[i]));
        SW_CHECK(run_region(body, frame.world, next));
        std::vector<BufferRef> results = take_returned(body);
        for (std::size_t i = 0; i < carried.size(); ++i) {
            if (!parted)
                carried[i] = std::move(results[i]);
            else
                SW_CHECK(merge(carried[i], results[i], frame.world, next.devices));
        }
        current = std::move(next);
    }
    for (std::size_t i = 0; i < carried.size(); ++i)
        set(module_.result(op, i), std::move(carried[i]));
    return {};
}

Status Engine::run_branches(ir::OpId op, const Frame& frame) {
    if (arena_.is_rehearsal()) return rehearse_branches(op, frame);
    const ir::ValueId selector = module_.operand(op, 0);
    const ir::ElementType type = module_.type(selector).element;
    const BufferRef choice = values_[selector.index];
    const auto branches = static_cast<std::int64_t>(module_.op(op).region_count);
    std::map<std::int64_t, std::vector<std::int64_t>> takers;
    for (const std::int64_t d : frame.active.devices) {
        const std::int64_t value =
            index_value(choice->slot(d, frame.world.device_count()), type, 0);
        // `if` runs region 0 when true; a case index out of range means the last branch.
        std::int64_t branch = value;
        if (module_.op(op).kind == OpKind::kIf)
            branch = value != 0 ? 0 : 1;
        else if (value < 0 || value >= branches)
            branch = branches - 1;
        takers[branch].push_back(d);
    }
    std::vector<BufferRef> merged(module_.op(op).result_count);
    for (auto& [branch, devices] : takers) {
        const ir::RegionId region = module_.region_of(op, static_cast<std::size_t>(branch));
        if (takers.size() == 1) {
            SW_CHECK(run_region(region, frame.world, frame.active));
            merged = take_returned(region);
            break;
        }
        const ActiveSet set{devices, false};
        SW_CHECK(run_region(region, frame.world, set));
        const std::vector<BufferRef> results = take_returned(region);
        for (std::size_t i = 0; i < merged.size(); ++i)
            SW_CHECK(merge(merged[i], results[i], frame.world, devices));
    }
    for (std::size_t i = 0; i < merged.size(); ++i)
        set(module_.result(op, i), std::move(merged[i]));
    return {};
}

Status Engine::run_named(ir::OpId op, const Frame& frame) {
    const ir::RegionId body = module_.region_of(op, 0);
    for (std::size_t i = 0; i < module_.op(op).operand_count; ++i)
        set(module_.argument(body, i), values_[module_.operand(op, i).index]);
    SW_CHECK(run_region(body, frame.world, frame.active));
    std::vector<BufferRef> results = take_returned(body);
    for (std::size_t i = 0; i < results.size(); ++i)
        set(module_.result(op, i), std::move(results[i]));
    return {};
}

namespace {

/// The part of a sharding that a manual region's own axes make; free axes stay whole outside.
sharding::Sharding manual_part(const sharding::Sharding& s, const mesh::AxisList& axes) {
    sharding::Sharding part = s;
    part.unreduced.clear();
    part.manual.clear();
    for (auto& dim : part.dims) {
        mesh::AxisList kept;
        for (const mesh::AxisRef& ref : dim.axes)
            if (mesh::overlaps(ref, view(axes))) kept.push_back(ref);
        dim.axes = std::move(kept);
    }
    return part;
}

}  // namespace

Status Engine::run_manual(ir::OpId op, const Frame& frame) {
    const auto& manual = module_.attributes<ir::ManualAttributes>(op);
    const mesh::Mesh& mesh = module_.mesh(manual.mesh);
    const ir::RegionId body = module_.region_of(op, 0);
    const World world = frame.world.inside(mesh, manual.axes);
    const std::int64_t outer = frame.world.device_count(), inner = world.device_count();
    const std::int64_t each = inner / outer;
    ActiveSet active;
    active.all = frame.active.all;
    for (const std::int64_t d : frame.active.devices)
        for (std::int64_t i = 0; i < each; ++i) active.devices.push_back(d * each + i);

    for (std::size_t i = 0; i < module_.op(op).operand_count; ++i) {
        const ir::ValueId v = module_.operand(op, i), argument = module_.argument(body, i);
        const sharding::Sharding part = manual_part(manual.in[i], manual.axes);
        if (part.is_replicated()) {
            set(argument, values_[v.index]);
            continue;
        }
        SW_TRY(BufferRef buffer, arena_.allocate(slot_bytes(module_.type(argument)), inner));
        if (!arena_.is_rehearsal())
            for (const std::int64_t d : active.devices)
                slice_shard(module_.type(v), part, mesh, world.position(d),
                            values_[v.index]->slot(d / each, outer), buffer->slot(d, inner));
        set(argument, std::move(buffer));
    }
    SW_CHECK(run_region(body, world, active));
    std::vector<BufferRef> results = take_returned(body);
    for (std::size_t r = 0; r < results.size(); ++r) {
        const ir::ValueId result = module_.result(op, r);
        const sharding::Sharding part = manual_part(manual.out[r], manual.axes);
        SW_TRY(BufferRef whole, allocate_for(result, outer));
        const std::vector<std::int64_t> nobody;
        for (const std::int64_t d : arena_.is_rehearsal() ? nobody : frame.active.devices) {
            std::vector<ShardView> shards;
            for (std::int64_t i = d * each; i < (d + 1) * each; ++i)
                shards.push_back({world.position(i), results[r]->slot(i, inner)});
            const auto differs =
                assemble_shards(module_.type(result), part, mesh, shards, whole->slot(d, outer));
            if (differs)
                return place(bad_input(fmt::format("result {} of a manual computation differs "
                                                   "between devices {} and {}, which hold the same "
                                                   "shard",
                                                   r, differs->first, differs->second),
                                       "equal replicas"),
                             op);
        }
        set(result, std::move(whole));
    }
    return {};
}

Status Engine::run_parallel(ir::OpId op, const Frame&) {
    // Programs of one grid run together when they are one program; the operands are those of the
    // first device, then of the second, and so on.
    const auto& grid = module_.attributes<ir::RunParallelAttributes>(op).programs;
    const auto replicas = static_cast<std::int64_t>(grid.size());
    const auto partitions = replicas == 0 ? 0 : static_cast<std::int64_t>(grid[0].size());
    for (const auto& row : grid)
        for (const std::int32_t program : row)
            if (program != grid[0][0] || row.size() != grid[0].size())
                return place(unsupported("run_parallel of different programs"), op);
    if (replicas * partitions == 0) return {};
    const World world = World::of_replicas(replicas, partitions);
    const std::int64_t total = world.device_count();
    const ir::RegionId body = module_.region_of(op, static_cast<std::size_t>(grid[0][0]));
    const std::size_t arguments = module_.region(body).argument_count;
    for (std::size_t a = 0; a < arguments; ++a) {
        const ir::ValueId argument = module_.argument(body, a);
        SW_TRY(BufferRef buffer, arena_.allocate(slot_bytes(module_.type(argument)), total));
        for (std::int64_t d = 0; d < total; ++d) {
            const std::size_t i = static_cast<std::size_t>(d) * arguments + a;
            const BufferRef& from = values_[module_.operand(op, i).index];
            if (buffer->bytes > 0 && !arena_.is_rehearsal())
                std::memcpy(buffer->slot(d, total), from->data,
                            static_cast<std::size_t>(buffer->bytes));
        }
        set(argument, std::move(buffer));
    }
    SW_CHECK(run_region(body, world, ActiveSet::all_of(total)));
    const std::vector<BufferRef> results = take_returned(body);
    for (std::int64_t d = 0; d < total; ++d)
        for (std::size_t r = 0; r < results.size(); ++r) {
            const ir::ValueId result =
                module_.result(op, static_cast<std::size_t>(d) * results.size() + r);
            SW_TRY(BufferRef own, allocate_for(result, 1));
            if (own->bytes > 0 && !arena_.is_rehearsal())
                std::memcpy(own->data, results[r]->slot(d, total),
                            static_cast<std::size_t>(own->bytes));
            set(result, std::move(own));
        }
    return {};
}

}  // namespace shardwright::exec
