#include "exec/execute.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstring>

#include "exec/engine.h"
#include "exec/shards.h"

namespace shardwright::exec {
namespace {

std::int64_t memory_limit(const Options& options) {
    if (options.max_memory > 0) return options.max_memory;
    const auto pages = static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES));
    const auto page = static_cast<std::int64_t>(sysconf(_SC_PAGE_SIZE));
    return pages * page / 5 * 4;
}

/// Enough inputs, of the right types.
Status check_inputs(const ir::Module& module, std::size_t function, std::span<const Tensor> inputs,
                    bool check_types) {
    if (function >= module.functions().size())
        return bad_input("the module has no function to run");
    const ir::RegionId body = module.functions()[function].body;
    const std::size_t wanted = module.region(body).argument_count;
    if (inputs.size() != wanted)
        return bad_input(fmt::format("{} inputs given", inputs.size()),
                         fmt::format("{}, one for each argument", wanted));
    for (std::size_t i = 0; check_types && i < wanted; ++i) {
        const ir::TensorType& type = module.type(module.argument(body, i));
        if (!(inputs[i].type == type))
            return bad_input(fmt::format("input {} is {}", i, ir::mlir_text(inputs[i].type)),
                             ir::mlir_text(type));
    }
    return {};
}

/// A view of bytes that the caller keeps alive during the run.
std::shared_ptr<const std::vector<std::byte>> unowned(const std::vector<std::byte>& bytes) {
    return {std::shared_ptr<void>(), &bytes};
}

/// Runs a body twice: first as a rehearsal that only counts memory, which may not pass the limit,
/// then in earnest. `set_arguments(engine, arena)` sets the body's arguments.
template <class SetArguments>
Status run_body(Engine& engine, Arena& arena, const ir::Module& module, ir::RegionId body,
                const World& world, const Options& options, std::int64_t& planned,
                const SetArguments& set_arguments) {
    const ActiveSet active = ActiveSet::all_of(world.device_count());
    SW_CHECK(engine.prepare(body));
    Arena counting(0, Arena::Purpose::kRehearsal);
    {
        Engine rehearsal(module, options, counting);
        rehearsal.share_plans(engine);
        SW_CHECK(set_arguments(rehearsal, counting));
        SW_CHECK(rehearsal.run_region(body, world, active));
    }
    planned = counting.peak();
    if (const std::int64_t limit = memory_limit(options); planned > limit)
        return bad_input(fmt::format("the run needs {} bytes of memory", planned),
                         fmt::format("at most {} (--max-memory)", limit));
    SW_CHECK(set_arguments(engine, arena));
    return engine.run_region(body, world, active);
}

void finish(Engine& engine, const Arena& arena, Outputs& outputs) {
    outputs.failures = std::move(engine.failures);
    outputs.checks = engine.checks;
    outputs.peak_bytes = arena.peak();
}

}  // namespace

Result<Outputs> evaluate(const ir::Module& module, std::size_t function,
                         std::span<const Tensor> inputs, const Options& options) {
    SW_CHECK(check_inputs(module, function, inputs, true));
    const ir::RegionId body = module.functions()[function].body;
    Arena arena(memory_limit(options));
    Engine engine(module, options, arena);
    Outputs outputs;
    SW_CHECK(run_body(engine, arena, module, body, World::single(), options, outputs.planned_bytes,
                      [&](Engine& runner, Arena& memory) -> Status {
                          for (std::size_t i = 0; i < inputs.size(); ++i)
                              runner.set(module.argument(body, i),
                                         memory.borrow(unowned(inputs[i].data)));
                          return {};
                      }));
    const std::vector<BufferRef> results = engine.take_returned(body);
    for (std::size_t r = 0; r < results.size(); ++r) {
        Tensor value = Tensor::zeros(module.type(module.returned(body)[r]));
        if (!value.data.empty())
            std::memcpy(value.data.data(), results[r]->data, value.data.size());
        outputs.values.push_back(std::move(value));
    }
    finish(engine, arena, outputs);
    return outputs;
}

Result<Outputs> execute(const ir::Module& program, std::size_t function, sharding::MeshId mesh_id,
                        std::span<const sharding::Sharding> argument_shardings,
                        std::span<const sharding::Sharding> result_shardings,
                        std::span<const Tensor> inputs, const Options& options,
                        std::span<const ir::TensorType> whole_results) {
    const mesh::Mesh& mesh = program.mesh(mesh_id);
    const std::int64_t devices = mesh.device_count();
    SW_CHECK(check_inputs(program, function, inputs, false));
    const ir::RegionId body = program.functions()[function].body;
    Arena arena(memory_limit(options));
    Engine engine(program, options, arena);
    const auto set_arguments = [&](Engine& runner, Arena& memory) -> Status {
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            const ir::ValueId argument = program.argument(body, i);
            const sharding::Sharding& s = argument_shardings[i];
            if (s.is_replicated() && s.form == sharding::Form::kTiled) {
                runner.set(argument, memory.borrow(unowned(inputs[i].data)));
                continue;
            }
            SW_TRY(BufferRef buffer, memory.allocate(slot_bytes(program.type(argument)), devices));
            for (std::int64_t d = 0; d < devices && !memory.is_rehearsal(); ++d)
                slice_shard(inputs[i].type, s, mesh, d, inputs[i].data.data(),
                            buffer->slot(d, devices));
            runner.set(argument, std::move(buffer));
        }
        return {};
    };
    Outputs outputs;
    SW_CHECK(run_body(engine, arena, program, body, World::of_mesh(mesh), options,
                      outputs.planned_bytes, set_arguments));
    const std::vector<BufferRef> results = engine.take_returned(body);
    for (std::size_t r = 0; r < results.size(); ++r) {
        ir::TensorType whole = program.type(program.returned(body)[r]);
        for (std::size_t d = 0; d < whole.rank(); ++d)
            whole.dims[d] *= result_shardings[r].shards(d);
        if (r < whole_results.size()) whole = whole_results[r];
        Tensor value = Tensor::zeros(whole);
        std::vector<ShardView> shards;
        for (std::int64_t d = 0; d < devices; ++d)
            shards.push_back({d, results[r]->slot(d, devices)});
        const auto differs =
            assemble_shards(value.type, result_shardings[r], mesh, shards, value.data.data());
        if (differs)
            return bad_input(
                fmt::format("result {} differs between devices {} and {}, which hold the "
                            "same shard",
                            r, differs->first, differs->second),
                "equal replicas");
        outputs.values.push_back(std::move(value));
    }
    finish(engine, arena, outputs);
    return outputs;
}

std::vector<ir::TensorType> result_types(const ir::Module& module, std::size_t function) {
    std::vector<ir::TensorType> types;
    for (const ir::ValueId v : module.returned(module.functions()[function].body))
        types.push_back(module.type(v));
    return types;
}

}  // namespace shardwright::exec
