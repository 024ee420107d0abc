// Puts a plan's mesh and annotations on a copy of the model's module.

#include <fmt/format.h>

#include "plan/derive.h"
#include "plan/translate.h"
#include "sharding/text.h"

namespace shardwright::plan {
namespace {

using sharding::MeshId;
using sharding::Sharding;

/// The module's own mesh: the one with the most devices, the first among equals.
std::optional<MeshId> own_mesh(const ir::Module& module) {
    std::optional<MeshId> best;
    for (std::size_t i = 0; i < module.meshes().size(); ++i)
        if (!best || module.meshes()[i].device_count() > module.mesh(*best).device_count())
            best = MeshId(i);
    return best;
}

/// Brings everything that speaks of other meshes onto `chosen`, or drops it with a note.
Status settle_meshes(Prepared& prepared, bool user_chose) {
    ir::Module& module = prepared.module;
    const std::size_t count = module.meshes().size();
    for (std::size_t i = 0; i < count; ++i) {
        const MeshId other(i);
        if (other == prepared.mesh) continue;
        if (includes(module.mesh(prepared.mesh), module.mesh(other)) &&
            module.mesh(other).device_count() > 1) {
            translate_mesh(module, other, prepared.mesh);
            continue;
        }
        if (has_manual_region(module, other)) {
            return bad_input(
                fmt::format("mesh {} contradicts a manual region over mesh {}",
                            module.mesh(prepared.mesh).text(), module.mesh(other).text()),
                "a mesh with the region's axes (more may be added)");
        }
        if (const std::size_t dropped = drop_mesh(module, other);
            dropped > 0 && module.mesh(other).device_count() > 1) {
            prepared.notes.push_back(
                fmt::format("{} sharding{} of the file over mesh {} left out: {}", dropped,
                            dropped == 1 ? "" : "s", module.mesh(other).text(),
                            user_chose ? "another mesh was given" : "one mesh at a time"));
        }
    }
    return {};
}

Status annotate(const Model& model, const Plan& plan, Prepared& prepared) {
    const mesh::Mesh& mesh = prepared.module.mesh(prepared.mesh);
    for (const Annotation& a : plan.annotations) {
        const std::vector<ir::ValueId> values = model.find(a.target);
        if (values.empty()) prepared.unmatched.push_back(a.target);
        for (const ir::ValueId v : values) {
            const ir::TensorType& type = model.module.type(v);
            Result<Sharding> s =
                sharding::parse_short(a.sharding, mesh, prepared.mesh, type.rank());
            if (!s.ok()) {
                Diagnostic d = std::move(s).error();
                d.what = fmt::format("sharding of '{}' ({}): {}", model.value_name(v),
                                     ir::mlir_text(type), d.what);
                return d;
            }
            SW_CHECK(sharding::validate(*s, mesh, type.rank()));
            prepared.module.annotate(v, *std::move(s));
        }
    }
    return {};
}

}  // namespace

Result<Prepared> prepare(const Model& model, const Plan& plan) {
    Prepared prepared;
    prepared.module = model.module;
    ir::Module& module = prepared.module;
    if (plan.mesh.empty()) {
        const std::optional<MeshId> own = own_mesh(module);
        if (!own)
            return bad_input("no mesh: the module has none of its own",
                             "--mesh, e.g. data=4,model=2");
        prepared.mesh = *own;
    } else {
        SW_TRY(mesh::Mesh mesh, mesh::Mesh::parse(plan.mesh));
        // The module's own mesh under another name is the same mesh.
        for (std::size_t i = 0; i < module.meshes().size() && !prepared.mesh.valid(); ++i) {
            const mesh::Mesh& own = module.meshes()[i];
            if (std::equal(own.axes().begin(), own.axes().end(), mesh.axes().begin(),
                           mesh.axes().end()))
                prepared.mesh = MeshId(i);
        }
        if (!prepared.mesh.valid()) {
            for (int n = 1; module.find_mesh(mesh.name()); ++n)
                mesh.set_name(fmt::format("mesh_{}", n));
            prepared.mesh = module.add_mesh(std::move(mesh));
        }
    }
    SW_CHECK(settle_meshes(prepared, !plan.mesh.empty()));
    if (plan.ignore_file_annotations) module.clear_annotations();
    prepared.options = propagation::default_options(module);
    SW_CHECK(annotate(model, plan, prepared));
    prepared.options.policy = plan.policy;
    if (plan.allow_inputs >= 0) {
        prepared.options.allow_inputs = plan.allow_inputs == 1;
        prepared.options.inputs.clear();
    }
    if (plan.allow_outputs >= 0) {
        prepared.options.allow_outputs = plan.allow_outputs == 1;
        prepared.options.outputs.clear();
    }
    return prepared;
}

}  // namespace shardwright::plan
