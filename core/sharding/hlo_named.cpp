// HLO's named form (V3): `{mesh['a'=2,'b'=4], [{'a'}, {'b':(2)2, ?}], manual={'c'}}`.
#include <fmt/format.h>

#include "sharding/hlo_text.h"
#include "sharding/tile_digits.h"

namespace shardwright::sharding {
namespace {

/// `device_ids=([4,16]T(1,0))` or `device_ids=(0,2,1,3)`.
Status read_device_ids(Scanner& in, mesh::Mesh& mesh) {
    SW_CHECK(in.expect("("));
    std::vector<std::int64_t> ids;
    if (in.peek() == '[') {
        HloSharding iota;
        SW_TRY(iota.reshape_dims, read_sizes(in));
        SW_CHECK(read_permutation(in, iota.reshape_dims.size(), iota.permutation));
        if (product_of(view(iota.reshape_dims)) > kMaxExpandedDevices)
            return unsupported("a named mesh with a device order over more than 2^20 devices");
        ids = expand(iota_digits(view(iota.reshape_dims), view(iota.permutation)));
    } else {
        while (in.peek() != ')') {
            if (!ids.empty()) SW_CHECK(in.expect(","));
            SW_TRY(const std::int64_t id, in.number(0, kMaxHloDevices - 1));
            ids.push_back(id);
        }
    }
    SW_CHECK(in.expect(")"));
    if (static_cast<std::int64_t>(ids.size()) != mesh.device_count())
        return in.fault(
            fmt::format("{} device ids for {} devices", ids.size(), mesh.device_count()),
            "one id a device");
    if (!is_identity(ids)) mesh.set_device_ids(std::move(ids));
    return {};
}

Result<AxisRef> read_axis(Scanner& in, const mesh::Mesh& mesh) {
    AxisRef axis;
    if (in.peek() >= '0' && in.peek() <= '9') {
        SW_TRY(const std::int64_t index, in.number(0, 254));
        if (static_cast<std::size_t>(index) >= mesh.rank())
            return in.fault(fmt::format("axis index {}", index),
                            fmt::format("less than {}", mesh.rank()));
        axis = mesh.full(static_cast<std::size_t>(index));
    } else {
        SW_TRY(const std::string_view name, in.quoted());
        SW_TRY(axis, find_axis(in, name, mesh));
    }
    SW_CHECK(read_sub_axis(in, axis));
    return axis;
}

/// `{'a', 'b', ?}`; `open` may be null where no `?` may stand.
Result<AxisList> read_axes(Scanner& in, const mesh::Mesh& mesh, bool* open) {
    AxisList axes;
    bool is_open = false;
    SW_CHECK(in.expect("{"));
    while (!in.accept("}")) {
        if (is_open) return in.error("'}', as '?' comes last");
        if (!axes.empty()) SW_CHECK(in.expect(","));
        if (open != nullptr && in.accept("?")) {
            is_open = true;
            continue;
        }
        SW_TRY(const AxisRef axis, read_axis(in, mesh));
        axes.push_back(axis);
    }
    if (open != nullptr) *open = is_open;
    return mesh::merge_neighbours(view(axes));
}

Status read_dims(Scanner& in, const mesh::Mesh& mesh, Sharding& s) {
    while (!in.accept("]")) {
        if (!s.dims.empty()) SW_CHECK(in.expect(","));
        DimSharding dim;
        SW_TRY(dim.axes, read_axes(in, mesh, &dim.open));
        s.dims.push_back(std::move(dim));
    }
    return {};
}

/// `replicated={…}`, `unreduced=max{…}`, `manual={…}` behind the dims.
Status read_sets(Scanner& in, const mesh::Mesh& mesh, Sharding& s) {
    while (true) {
        Scanner ahead = in;
        ahead.accept(",");
        AxisList* set = nullptr;
        if (ahead.accept_word("replicated"))
            set = &s.replicated;
        else if (ahead.accept_word("unreduced"))
            set = &s.unreduced;
        else if (ahead.accept_word("manual"))
            set = &s.manual;
        if (set == nullptr) return {};
        in = ahead;
        SW_CHECK(in.expect("="));
        if (set == &s.unreduced) s.unreduced_kind = read_reduction(in, Reduction::kSum);
        SW_TRY(*set, read_axes(in, mesh, nullptr));
    }
}

std::string axes_text(const AxisList& axes, const mesh::Mesh& mesh) {
    std::string text;
    for (const AxisRef& axis : axes) {
        text += fmt::format("{}'{}'", text.empty() ? "" : ", ", mesh.axes()[axis.axis].name);
        if (!mesh.is_full(axis)) text += fmt::format(":({}){}", std::uint32_t{axis.pre}, axis.size);
    }
    return text;
}

std::string reduction_prefix(Reduction reduction) {
    return reduction == Reduction::kSum ? "" : std::string(reduction_word(reduction));
}

std::string print_mesh(const mesh::Mesh& mesh) {
    std::string text = "mesh[";
    for (std::size_t i = 0; i < mesh.rank(); ++i)
        text +=
            fmt::format("{}'{}'={}", i > 0 ? "," : "", mesh.axes()[i].name, mesh.axes()[i].size);
    text += "]";
    if (mesh.device_ids().empty()) return text;
    text += ", device_ids=(";
    for (std::size_t i = 0; i < mesh.device_ids().size(); ++i)
        text += fmt::format("{}{}", i > 0 ? "," : "", mesh.device_ids()[i]);
    return text + ")";
}

}  // namespace

Result<mesh::Mesh> read_named_mesh(Scanner& in) {
    std::vector<mesh::Axis> axes;
    std::int64_t total = 1;
    SW_CHECK(in.expect("["));
    while (!in.accept("]")) {
        if (!axes.empty()) SW_CHECK(in.expect(","));
        SW_TRY(const std::string_view name, in.quoted());
        SW_CHECK(in.expect("="));
        SW_TRY(const std::int64_t size, in.number(1, 1 << 24));
        for (const mesh::Axis& other : axes)
            if (other.name == name)
                return in.fault(fmt::format("mesh axis '{}' is given twice", name),
                                "distinct names");
        if (total > kMaxHloDevices / size)
            return in.fault("too many devices", "a product of at most 2^40");
        total *= size;
        axes.push_back({std::string(name), size});
        if (axes.size() > 255) return in.fault("too many mesh axes", "at most 255");
    }
    mesh::Mesh mesh("mesh", std::move(axes));
    Scanner ahead = in;
    ahead.accept(",");
    if (ahead.accept_word("device_ids")) {
        in = ahead;
        SW_CHECK(in.expect("="));
        SW_CHECK(read_device_ids(in, mesh));
    }
    return mesh;
}

Result<AxisList> read_named_axes(Scanner& in, const mesh::Mesh& mesh) {
    return read_axes(in, mesh, nullptr);
}

Status read_named(Scanner& in, HloSharding& s) {
    s.kind = HloSharding::Kind::kNamed;
    s.named.emplace();
    if (in.accept_word("maximal_mesh")) {
        SW_CHECK(in.expect("["));
        SW_CHECK(in.expect("device_id"));
        SW_CHECK(in.expect("="));
        SW_TRY(const std::int64_t device, in.number(0, kMaxHloDevices - 1));
        SW_CHECK(in.expect("]"));
        s.named_mesh = mesh::Mesh::maximal("mesh", device);
        s.named->form = Form::kMaximal;
        s.named->maximal_device = device;
        return {};
    }
    SW_CHECK(in.expect("mesh"));
    SW_TRY(s.named_mesh, read_named_mesh(in));
    in.accept(",");
    if (in.accept("[")) {
        SW_CHECK(read_dims(in, *s.named_mesh, *s.named));
        SW_CHECK(read_sets(in, *s.named_mesh, *s.named));
    } else if (in.accept_word("manual")) {
        s.named->form = Form::kManual;
    } else if (in.accept_word("unreduced")) {
        if (in.accept("=")) s.named->unreduced_kind = read_reduction(in, Reduction::kSum);
        s.named->unreduced = s.named_mesh->all_axes();
    } else if (!in.accept_word("replicated")) {
        return in.error("'[', replicated, manual or unreduced");
    }
    return validate(*s.named, *s.named_mesh, s.named->dims.size());
}

std::string print_named(const HloSharding& s) {
    const mesh::Mesh& mesh = *s.named_mesh;
    const Sharding& named = *s.named;
    if (named.form == Form::kMaximal)
        return fmt::format("maximal_mesh[device_id={}]", named.maximal_device);
    std::string text = print_mesh(mesh) + ", ";
    if (named.form == Form::kManual) return text + "manual";
    const bool has_sets =
        !named.replicated.empty() || !named.unreduced.empty() || !named.manual.empty();
    if (named.dims.empty() && !has_sets) return text + "replicated";
    const std::string reduction = reduction_prefix(named.unreduced_kind);
    if (named.dims.empty() && named.unreduced == mesh.all_axes())
        return text + "unreduced" + (reduction.empty() ? "" : "=" + reduction);
    text += "[";
    for (std::size_t d = 0; d < named.dims.size(); ++d) {
        const DimSharding& dim = named.dims[d];
        const std::string axes = axes_text(dim.axes, mesh);
        const std::string_view open = !dim.open ? "" : axes.empty() ? "?" : ", ?";
        text += fmt::format("{}{{{}{}}}", d > 0 ? ", " : "", axes, open);
    }
    text += "]";
    if (!named.replicated.empty())
        text += fmt::format(", replicated={{{}}}", axes_text(named.replicated, mesh));
    if (!named.unreduced.empty())
        text += fmt::format(", unreduced={}{{{}}}", reduction, axes_text(named.unreduced, mesh));
    if (!named.manual.empty())
        text += fmt::format(", manual={{{}}}", axes_text(named.manual, mesh));
    return text;
}

}  // namespace shardwright::sharding
