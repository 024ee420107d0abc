#include "cost/schedule/estimate.h"

#include <fmt/format.h>

#include <algorithm>

#include "cost/model/work.h"
#include "ir/trip_count.h"

namespace shardwright::cost {
namespace {

/// The mesh that the program runs on: its collectives' or its signature's, else the first.
const mesh::Mesh& mesh_of(const partition::Partitioned& program, const mesh::Mesh& none) {
    const ir::Module& m = program.module;
    sharding::MeshId id(0);
    if (!program.signatures.empty()) {
        const auto& s = program.signatures[0];
        if (!s.arguments.empty()) {
            id = s.arguments[0].mesh;
        } else if (!s.results.empty()) {
            id = s.results[0].mesh;
        }
    }
    return id.index < m.meshes().size() ? m.mesh(id) : none;
}

/// Donations whose output is sharded in another way: they cannot share storage.
std::vector<bool> lost_donations(const partition::Partitioned& program) {
    std::vector<bool> lost;
    if (!program.module.has_entry() || program.signatures.empty()) return lost;
    const ir::Function& f = program.module.entry();
    const auto entry = static_cast<std::size_t>(&f - program.module.functions().data());
    if (entry >= program.signatures.size()) return lost;
    const partition::Partitioned::Signature& s = program.signatures[entry];
    lost.resize(f.arguments.size(), false);
    for (std::size_t i = 0; i < f.arguments.size() && i < s.arguments.size(); ++i) {
        const std::int32_t output = f.arguments[i].alias_output;
        if (output < 0 || static_cast<std::size_t>(output) >= s.results.size()) continue;
        lost[i] =
            !sharding::same_placement(s.arguments[i], s.results[static_cast<std::size_t>(output)]);
    }
    return lost;
}

}  // namespace

Estimate estimate(const partition::Partitioned& program, const ir::Module& source, const Chip& chip,
                  const EstimateOptions& options) {
    Estimate out;
    const ir::Module& m = program.module;
    const mesh::Mesh none("none", {});
    const mesh::Mesh& mesh = mesh_of(program, none);
    out.devices = mesh.device_count();
    if (source.has_entry()) {
        const ir::Region& body = source.region(source.entry().body);
        for (std::size_t i = 0; i < body.argument_count; ++i)
            out.argument_bytes += source.type(source.argument(source.entry().body, i)).byte_size();
    }
    const std::vector<bool> lost = lost_donations(program);
    out.memory = memory_of(m, options.memory, lost);
    out.argument_bytes_per_device = out.memory.argument_bytes;
    out.output_bytes_per_device = out.memory.output_bytes + out.memory.aliased_bytes;
    out.peak_bytes_per_device = out.memory.peak_bytes;
    MemoryOptions unfused = options.memory;
    unfused.fused = false;
    out.peak_bytes_unfused = memory_of(m, unfused, lost).peak_bytes;
    out.fits = out.peak_bytes_per_device <= chip.usable_bytes();

    out.timeline = simulate(m, mesh, chip, options.time);
    out.step_time_s = out.timeline.step_s;
    out.compute_time_s = out.timeline.compute_s;
    out.collective_time_s = out.timeline.collective_s;
    out.exposed_collective_time_s = out.timeline.exposed_s;

    const ModelFlops flops = model_flops(source);
    out.model_flops = flops.all - flops.rematerialised;
    const auto devices = static_cast<double>(out.devices);
    const ModelFlops executed = model_flops(m);
    out.hardware_flops = executed.all * devices;
    if (out.step_time_s > 0) {
        const double peak = out.step_time_s * chip.bf16_flops;
        out.mfu = (flops.matrix - flops.rematerialised) / (peak * devices);
        out.hfu = executed.matrix / peak;
    }

    out.notes = place_axes(mesh, chip).notes;
    for (const std::string& why : out.memory.lost_donations)
        out.notes.push_back("lost donation: " + why);
    std::size_t unplaced = 0, unknown_loops = 0;
    for (const CollectiveCost& c : out.timeline.collectives) unplaced += !c.placed;
    if (unplaced > 0)
        out.notes.push_back(
            fmt::format("{} collectives have groups that are no mesh axes: costed as "
                        "one ring each",
                        unplaced));
    if (m.has_entry())
        ir::walk(m, m.entry().body, [&](ir::OpId op) {
            if (m.op(op).kind == ir::OpKind::kWhile && !ir::trip_count(m, op)) ++unknown_loops;
        });
    if (unknown_loops > 0)
        out.notes.push_back(
            fmt::format("{} loops with unknown trip count: counted once", unknown_loops));
    return out;
}

}  // namespace shardwright::cost
