#include "harness.h"

#include <fmt/format.h>

#include <cstdlib>

#include "exec/compare.h"
#include "exec/execute.h"
#include "ir/print.h"
#include "sharding/text.h"

namespace shardwright::test {

using sharding::Sharding;

Case::Case(const std::string& mesh_text) {
    auto mesh = mesh::Mesh::parse(mesh_text);
    if (!mesh.ok()) std::abort();
    this->mesh = module.add_mesh(*mesh);
}

Sharding Case::sharding(const std::string& text, std::size_t rank) const {
    auto s = sharding::parse_short(text, module.mesh(mesh), mesh, rank);
    if (!s.ok()) {
        std::fprintf(stderr, "%s: %s\n", text.c_str(), s.error().text().c_str());
        std::abort();
    }
    return *s;
}

propagation::Result Case::finish(const std::function<Sharding(std::size_t)>& of) const {
    std::vector<Sharding> all;
    for (std::size_t v = 0; v < module.value_count(); ++v) all.push_back(of(v));
    for (const rules::DataFlowEdge& edge : rules::data_flow_edges(module)) {
        const Sharding same = all[edge.targets.front().index];
        for (const ir::ValueId v : edge.targets) all[v.index] = same;
        for (const ir::ValueId v : edge.sources) all[v.index] = same;
    }
    propagation::Result result;
    for (const Sharding& s : all) result.of_value.push_back(result.pool.intern(s));
    return result;
}

propagation::Result Case::shardings() const {
    return finish([&](std::size_t v) {
        const std::size_t rank = module.type(ir::ValueId(v)).rank();
        const auto given = given_.find(static_cast<std::uint32_t>(v));
        return given == given_.end() ? Sharding::replicated_of(rank, false, mesh)
                                     : sharding(given->second, rank);
    });
}

propagation::Result Case::random_shardings(std::uint64_t seed) const {
    std::mt19937_64 random(seed);
    return finish([&](std::size_t v) {
        const std::size_t rank = module.type(ir::ValueId(v)).rank();
        Sharding s = random_sharding(module.mesh(mesh), rank, random);
        const auto given = given_.find(static_cast<std::uint32_t>(v));
        if (given != given_.end()) s = sharding(given->second, rank);
        s.mesh = mesh;
        return s;
    });
}

Sharding random_sharding(const mesh::Mesh& mesh, std::size_t rank, std::mt19937_64& random) {
    Sharding s = Sharding::replicated_of(rank);
    if (rank == 0) return s;
    std::vector<mesh::AxisRef> parts;
    for (std::size_t a = 0; a < mesh.rank(); ++a) {
        const mesh::AxisRef full = mesh.full(a);
        if (full.size % 2 == 0 && full.size > 2 && random() % 3 == 0) {
            mesh::AxisRef major = full, minor = full;
            major.size = 2;
            minor.pre = 2;
            minor.size = full.size / 2;
            parts.push_back(major);
            parts.push_back(minor);
        } else {
            parts.push_back(full);
        }
    }
    std::shuffle(parts.begin(), parts.end(), random);
    for (const mesh::AxisRef& part : parts) {
        const std::size_t d = random() % (rank + 1);
        if (d < rank) s.dims[d].axes.push_back(part);
    }
    for (auto& dim : s.dims) dim.axes = mesh::merge_neighbours({dim.axes.data(), dim.axes.size()});
    return s;
}

partition::Partitioned partitioned(const Case& c, const propagation::Result& shardings,
                                   const partition::Options& options) {
    const rules::RuleTable rules(c.module);
    auto made = partition::partition(c.module, rules, shardings, c.mesh, options);
    if (!made.ok()) {
        std::fprintf(stderr, "%s\n", made.error().text().c_str());
        std::abort();
    }
    return std::move(*made);
}

std::string difference(const Case& c, const propagation::Result& shardings,
                       std::uint64_t input_seed, const partition::Options& options) {
    const rules::RuleTable rules(c.module);
    auto made = partition::partition(c.module, rules, shardings, c.mesh, options);
    if (!made.ok()) return made.error().text();
    const partition::Partitioned& program = *made;
    if (auto status = ir::verify_module(program.module); !status.ok())
        return status.error().text() + "\n" + ir::print(program.module);
    const auto inputs = exec::random_inputs(c.module, 0, input_seed);
    const auto whole = exec::evaluate(c.module, 0, inputs, {});
    if (!whole.ok()) return "evaluate: " + whole.error().text();
    const auto sharded =
        exec::execute(program.module, 0, c.mesh, program.signatures[0].arguments,
                      program.signatures[0].results, inputs, {}, exec::result_types(c.module, 0));
    if (!sharded.ok())
        return "execute: " + sharded.error().text() + "\n" + ir::print(program.module);
    const auto chains = exec::reduction_chains(c.module, 0);
    std::string found;
    // The plan counts the larger branch; the data may take the other.
    bool has_branches = false;
    ir::walk(program.module, program.module.functions()[0].body, [&](ir::OpId op) {
        const ir::OpKind kind = program.module.op(op).kind;
        has_branches |= kind == ir::OpKind::kIf || kind == ir::OpKind::kCase;
    });
    if (has_branches ? sharded->planned_bytes < sharded->peak_bytes
                     : sharded->planned_bytes != sharded->peak_bytes)
        found += fmt::format("{} bytes planned, {} counted\n", sharded->planned_bytes,
                             sharded->peak_bytes);
    for (std::size_t i = 0; i < whole->values.size(); ++i) {
        const auto result = exec::compare(sharded->values[i], whole->values[i], {}, chains[i]);
        if (!result.equal)
            found += fmt::format("result {}: max abs {}, element {}: {} instead of {}\n", i,
                                 result.max_abs, result.worst,
                                 sharded->values[i].at(std::max<std::int64_t>(result.worst, 0)),
                                 whole->values[i].at(std::max<std::int64_t>(result.worst, 0)));
    }
    return found.empty() ? "" : found + ir::print(program.module);
}

std::string collectives_text(const partition::Partitioned& program) {
    std::string text;
    for (const partition::CollectiveLine& line : partition::list_collectives(program)) {
        if (!text.empty()) text += ' ';
        text += std::string(ir::name(line.kind)) + "(" + line.axes + ")";
    }
    return text;
}

std::size_t count(const ir::Module& program, ir::OpKind kind) {
    std::size_t n = 0;
    for (const ir::Function& f : program.functions())
        ir::walk(program, f.body, [&](ir::OpId id) { n += program.op(id).kind == kind; });
    return n;
}

}  // namespace shardwright::test
