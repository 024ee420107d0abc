#include "plan/derive.h"

#include <fmt/format.h>

#include "cost/model/work.h"
#include "sharding/geometry.h"

namespace shardwright::plan {
namespace {

bool is_cancelled(const std::atomic<bool>* cancel) {
    return cancel != nullptr && cancel->load(std::memory_order_relaxed);
}

Diagnostic interrupted() {
    Diagnostic d = bad_input("interrupted");
    d.fault = Fault::kInterrupted;
    return d;
}

void sum_arguments(const ir::Module& module, const propagation::Result& shardings, Totals& totals) {
    if (!module.has_entry()) return;
    const ir::Region& body = module.region(module.entry().body);
    for (std::size_t i = 0; i < body.argument_count; ++i) {
        const ir::ValueId v(body.first_argument.index + i);
        const ir::TensorType& type = module.type(v);
        totals.argument_bytes += type.byte_size();
        ir::TensorType local{type.element, {}};
        local.dims = sharding::shard_shape(view(type.dims), shardings.of(v));
        totals.argument_bytes_per_device += local.byte_size();
    }
}

Result<std::shared_ptr<Derived>> complete(const std::shared_ptr<const Model>& model,
                                          const Plan& plan, const std::atomic<bool>* cancel) {
    auto derived = std::make_shared<Derived>();
    derived->plan = plan;
    SW_TRY(derived->prepared, prepare(*model, plan));
    if (is_cancelled(cancel)) return interrupted();
    const ir::Module& module = derived->prepared.module;
    const sharding::MeshId mesh = derived->prepared.mesh;
    derived->shardings =
        plan.random_seed >= 0
            ? propagation::random_shardings(module, mesh,
                                            static_cast<std::uint64_t>(plan.random_seed))
            : propagation::propagate(module, model->rules, mesh, derived->prepared.options);
    derived->totals.conflicts = static_cast<std::int64_t>(derived->shardings.conflicts.size());
    sum_arguments(module, derived->shardings, derived->totals);
    if (is_cancelled(cancel)) return interrupted();
    return derived;
}

}  // namespace

Result<std::shared_ptr<const Derived>> propagate_only(const std::shared_ptr<const Model>& model,
                                                      const Plan& plan,
                                                      const std::atomic<bool>* cancel) {
    SW_TRY(std::shared_ptr<const Derived> derived, complete(model, plan, cancel));
    return derived;
}

Result<std::shared_ptr<const Derived>> derive(const std::shared_ptr<const Model>& model,
                                              const Plan& plan, const std::atomic<bool>* cancel,
                                              const Pricing& pricing) {
    const cost::Chip* chip = nullptr;
    if (pricing.chips != nullptr) {
        SW_TRY(chip, pricing.chips->find(plan.chip));
    }
    SW_TRY(const std::shared_ptr<Derived> derived, complete(model, plan, cancel));
    Result<partition::Partitioned> program = partition::partition(
        derived->prepared.module, model->rules, derived->shardings, derived->prepared.mesh);
    if (!program.ok()) {
        derived->partition_error = program.error().text();
        derived->partition_fault = program.error();
        return std::shared_ptr<const Derived>(derived);
    }
    derived->program = *std::move(program);
    if (is_cancelled(cancel)) return interrupted();
    derived->collectives = partition::list_collectives(derived->program);
    derived->totals.collectives = static_cast<std::int64_t>(derived->collectives.size());
    for (const partition::CollectiveLine& line : derived->collectives)
        derived->totals.collective_bytes += line.bytes_moved * line.trips;
    if (chip == nullptr || !derived->prepared.module.has_entry())
        return std::shared_ptr<const Derived>(derived);
    derived->estimate =
        cost::estimate(derived->program, derived->prepared.module, *chip, pricing.options);
    const cost::Estimate& e = *derived->estimate;
    Totals& totals = derived->totals;
    totals.peak_bytes_per_device = e.peak_bytes_per_device;
    totals.step_time_s = e.step_time_s;
    totals.compute_time_s = e.compute_time_s;
    totals.collective_time_s = e.collective_time_s;
    totals.exposed_collective_time_s = e.exposed_collective_time_s;
    totals.chip_memory_bytes = chip->usable_bytes();
    totals.fits = e.fits;
    return std::shared_ptr<const Derived>(derived);
}

double model_flops(const ir::Module& module) {
    return cost::flops(module);
}

}  // namespace shardwright::plan
