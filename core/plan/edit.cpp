#include "plan/edit.h"

#include <fmt/format.h>

#include <algorithm>

#include "sharding/geometry.h"
#include "sharding/text.h"

namespace shardwright::plan {
namespace {

using sharding::Sharding;

const mesh::Mesh& mesh_of(const Derived& derived) {
    return derived.prepared.module.mesh(derived.prepared.mesh);
}

/// What is annotated now, by the plan or the file; else everything open and empty.
Sharding annotated_or_open(const Derived& derived, ir::ValueId value) {
    const std::size_t rank = derived.prepared.module.type(value).rank();
    const Sharding* given = derived.prepared.module.annotation(value);
    if (given != nullptr && given->form == sharding::Form::kTiled && given->dims.size() == rank)
        return *given;
    return Sharding::replicated_of(rank, true, derived.prepared.mesh);
}

void remove_overlapping(mesh::AxisList& list, const mesh::AxisList& taken) {
    list.erase(
        std::remove_if(list.begin(), list.end(),
                       [&](const mesh::AxisRef& r) { return mesh::overlaps(r, view(taken)); }),
        list.end());
}

bool says_nothing(const Sharding& s) {
    return s.replicated.empty() && s.unreduced.empty() &&
           std::all_of(s.dims.begin(), s.dims.end(),
                       [](const sharding::DimSharding& d) { return d.axes.empty() && d.open; });
}

/// `[data+model, ?]` without `model` is `[data, ?]`: text in, text out, because the annotation may
/// be a glob over tensors of several ranks.
std::string without_name(const std::string& text, const std::string& name) {
    std::string out;
    std::string part, dim;
    bool dim_has_axes = false;
    const auto end_part = [&] {
        const std::string axis = part.substr(0, part.find(':'));
        if (!part.empty() && axis != name) {
            dim += (dim_has_axes ? "+" : "") + part;
            dim_has_axes = true;
        }
        part.clear();
    };
    const auto end_dim = [&](char c, bool open) {
        end_part();
        if (open) dim += '?';
        out += dim.empty() ? "-" : dim;
        out += c;
        dim.clear();
        dim_has_axes = false;
    };
    bool open = false, any = false;
    for (const char c : text) {
        if (c == ' ' || c == '-') continue;
        if (c == '[') {
            out += c;
        } else if (c == '+') {
            end_part();
        } else if (c == '?') {
            open = any = true;
        } else if (c == ',') {
            end_dim(c, open);
            out += ' ';
            open = false;
            any = true;
        } else if (c == ']') {
            if (any || !part.empty() || text.find('-') != std::string::npos)
                end_dim(c, open);
            else
                out += c;
        } else {
            part += c;
            any = true;
        }
    }
    return out;
}

Plan with_sharding(const Model& model, const Derived& derived, const Plan& plan, ir::ValueId value,
                   const Sharding& s) {
    Plan next = plan;
    next.set(model.value_name(value),
             says_nothing(s) ? std::string() : sharding::print_short(s, mesh_of(derived)));
    return next;
}

}  // namespace

EditCheck check_axis(const Derived& derived, ir::ValueId value, std::size_t dim, std::size_t axis) {
    const ir::Module& module = derived.prepared.module;
    const mesh::Mesh& mesh = mesh_of(derived);
    if (!value.valid() || value.index >= module.value_count())
        return {Verdict::kRefuse, "no tensor"};
    const ir::TensorType& type = module.type(value);
    if (dim >= type.rank())
        return {Verdict::kRefuse, type.rank() == 0 ? "a scalar has no dimension to shard"
                                                   : "this tensor has no such dimension"};
    if (axis >= mesh.rank()) return {Verdict::kRefuse, "the mesh has no such axis"};
    const std::string& name = mesh.axes()[axis].name;
    const Sharding& now = derived.shardings.of(value);
    const mesh::AxisRef full = mesh.full(axis);
    std::int64_t shards = mesh.axes()[axis].size;
    if (now.form != sharding::Form::kTiled)
        return {Verdict::kRefuse, "this tensor is already per device (manual or on one device)"};
    for (std::size_t d = 0; d < now.dims.size(); ++d)
        if (mesh::overlaps(full, view(now.dims[d].axes)))
            return {Verdict::kRefuse,
                    fmt::format("{} already shards dim {} of this tensor", name, d)};
    if (mesh::overlaps(full, view(now.manual)))
        return {Verdict::kRefuse, fmt::format("{} is a manual axis here", name)};
    shards *= now.dims.empty() ? 1 : now.shards(dim);
    const std::int64_t size = type.dims[dim];
    if (shards > 0 && size % shards != 0) {
        const std::int64_t padded = sharding::shard_size(size, shards) * shards;
        return {Verdict::kWarn,
                fmt::format("{} is not a multiple of {}: {} of {} elements are padding", size,
                            shards, padded - size, padded)};
    }
    return {Verdict::kAccept, fmt::format("{} into {} shards of {}", size, shards, size / shards)};
}

Plan with_axis(const Model& model, const Derived& derived, const Plan& plan, ir::ValueId value,
               std::size_t dim, std::size_t axis) {
    Sharding s = annotated_or_open(derived, value);
    const mesh::Mesh& mesh = mesh_of(derived);
    const mesh::AxisRef full = mesh.full(axis);
    // Axes that propagation put on this dimension stay in front, so that the drop adds to what is
    // seen.
    if (s.dims[dim].axes.empty()) s.dims[dim].axes = derived.shardings.of(value).dims[dim].axes;
    s.dims[dim].axes.push_back(full);
    s.dims[dim].open = false;
    remove_overlapping(s.replicated, {full});
    // An inferred axis may stand on another annotated dimension; the newest statement wins.
    for (std::size_t d = 0; d < s.dims.size(); ++d)
        if (d != dim) remove_overlapping(s.dims[d].axes, s.dims[dim].axes);
    return with_sharding(model, derived, plan, value, s);
}

Plan with_dim_cleared(const Model& model, const Derived& derived, const Plan& plan,
                      ir::ValueId value, std::size_t dim) {
    Sharding s = annotated_or_open(derived, value);
    if (dim >= s.dims.size()) return plan;
    const bool was_given = !s.dims[dim].axes.empty() || !s.dims[dim].open;
    s.dims[dim].axes.clear();
    s.dims[dim].open = was_given;
    return with_sharding(model, derived, plan, value, s);
}

Plan without_annotation(const Model& model, const Plan& plan, ir::ValueId value) {
    Plan next = plan;
    next.set(model.value_name(value), {});
    return next;
}

Plan with_pin(const Model& model, const Derived& derived, const Plan& plan, ir::ValueId value) {
    Sharding s = derived.shardings.of(value);
    for (sharding::DimSharding& d : s.dims) d.open = false;
    return with_sharding(model, derived, plan, value, s);
}

Plan without_axis(const Plan& plan, const std::string& name, const std::string& mesh) {
    Plan next = plan;
    next.mesh = mesh;
    for (Annotation& a : next.annotations) a.sharding = without_name(a.sharding, name);
    return next;
}

bool is_pinned(const Model& model, const Plan& plan, ir::ValueId value) {
    const std::string name = model.value_name(value);
    return std::any_of(plan.annotations.begin(), plan.annotations.end(),
                       [&](const Annotation& a) { return a.target == name; });
}

}  // namespace shardwright::plan
