#include "formats/mlir_annotations.h"

#include <fmt/format.h>

#include <charconv>
#include <deque>

#include "formats/hlo_mesh_text.h"
#include "formats/mlir_lexer.h"
#include "sharding/text.h"

namespace shardwright::formats::mlir {

using sharding::HloSharding;
using sharding::HloShardingText;
using sharding::Sharding;

template <class Visit>
void Annotations::each_attribute_list(Visit&& visit) const {
    for (const RawFunction& function : syntax_.functions) {
        for (const Range& attrs : function.argument_attrs) visit(attrs);
        for (const Range& attrs : function.result_attrs) visit(attrs);
    }
    for (const RawOp& op : syntax_.ops) visit(op.attrs);
}

Status Annotations::find_meshes() {
    for (const RawOpId id : syntax_.top_level) {
        const RawOp& op = syntax_.ops[id.index];
        if (op.known->lower == Lower::kMesh) SW_CHECK(add_sdy_mesh(op));
    }
    SW_CHECK(add_frontend_meshes());
    return collect_hlo();
}

Result<mesh::Mesh> Annotations::parse_mesh(std::string_view text, Pos pos, std::string name) {
    auto meshes = hlo::parse_mesh_list("{mesh = #sdy.mesh" + std::string(text) + "}");
    if (!meshes.ok()) return source_.placed(std::move(meshes).error(), pos);
    if (meshes->size() != 1) return source_.at(pos, "malformed mesh", "one mesh");
    mesh::Mesh mesh = std::move(meshes->front());
    mesh.set_name(std::move(name));
    return mesh;
}

Status Annotations::add_sdy_mesh(const RawOp& op) {
    OpReader reader(source_, syntax_, module_, op);
    const Attr* attr = reader.find("mesh");
    const std::string name = reader.string("sym_name");
    if (attr == nullptr || attr->kind != AttrKind::kDialect || name.empty())
        return source_.at(op.pos, "mesh without a name or axes", "@name = <[\"x\"=2]>");
    const std::size_t open = attr->text.find('<');
    SW_TRY(mesh::Mesh mesh,
           parse_mesh(attr->text.substr(std::min(open, attr->text.size())), attr->pos, name));
    if (module_.find_mesh(name))
        return source_.at(op.pos, fmt::format("mesh '@{}' is defined twice", name));
    module_.add_mesh(std::move(mesh));
    return {};
}

Status Annotations::add_frontend_meshes() {
    const Attr* frontend = syntax_.find(syntax_.module_attrs, "mhlo.frontend_attributes");
    if (frontend == nullptr || frontend->kind != AttrKind::kDict) return {};
    const Attr* text = syntax_.find(frontend->range, "xla.sdy.meshes");
    if (text == nullptr || text->kind != AttrKind::kString) return {};
    auto meshes = hlo::parse_mesh_list(unescape(text->text));
    if (!meshes.ok()) return source_.placed(std::move(meshes).error(), text->pos);
    for (mesh::Mesh& mesh : *meshes)
        if (!module_.find_mesh(mesh.name())) module_.add_mesh(std::move(mesh));
    return {};
}

std::string Annotations::frontend_sharding(Range attrs) const {
    const Attr* frontend = syntax_.find(attrs, "mhlo.frontend_attributes");
    if (frontend == nullptr || frontend->kind != AttrKind::kDict) return {};
    const Attr* text = syntax_.find(frontend->range, "xla.sdy.sharding");
    return text == nullptr || text->kind != AttrKind::kString ? std::string()
                                                              : unescape(text->text);
}

Result<const HloShardingText*> Annotations::parsed(const Attr& attr) {
    if (const auto found = hlo_.find(attr.text); found != hlo_.end()) return &found->second;
    auto text = sharding::parse_hlo(unescape(attr.text));
    if (!text.ok()) return source_.placed(std::move(text).error(), attr.pos);
    return &hlo_.emplace(attr.text, *std::move(text)).first->second;
}

Status Annotations::collect_hlo() {
    std::vector<const HloSharding*> tiled;
    std::int64_t devices = module_.num_partitions;
    std::optional<Diagnostic> error;
    std::deque<const Attr*> seen;
    each_attribute_list([&](Range attrs) {
        const Attr* attr = syntax_.find(attrs, "mhlo.sharding");
        if (attr == nullptr || attr->kind != AttrKind::kString || error ||
            hlo_.contains(attr->text))
            return;
        auto text = parsed(*attr);
        if (!text.ok()) {
            error = std::move(text).error();
            return;
        }
        for (const HloSharding& leaf : (*text)->leaves) {
            if (leaf.kind != HloSharding::Kind::kTiled) continue;
            tiled.push_back(&leaf);
            std::int64_t tiles = 1;
            for (const std::int64_t n : leaf.tile_dims)
                tiles = n > 0 && tiles <= (std::int64_t{1} << 40) / n ? tiles * n : tiles;
            devices = std::max(devices, tiles);
        }
    });
    if (error) return *std::move(error);
    if (hlo_.empty() || devices <= 1) return {};
    // A mesh that the file names already, of as many devices, gives the axes their names.
    for (std::size_t i = 0; i < module_.meshes().size() && !hlo_mesh_; ++i)
        if (module_.meshes()[i].device_count() == devices) hlo_mesh_ = ir::MeshId(i);
    if (hlo_mesh_) return {};
    sharding::DerivedMesh derived = sharding::derive_mesh(tiled, devices);
    derived.mesh.set_name(module_.find_mesh("mesh") ? "hlo_mesh" : "mesh");
    hlo_mesh_ = module_.add_mesh(std::move(derived.mesh));
    return {};
}

std::optional<ir::MeshId> Annotations::device_mesh() const {
    if (hlo_mesh_) return hlo_mesh_;
    std::optional<ir::MeshId> found;
    for (std::size_t i = 0; i < module_.meshes().size(); ++i) {
        if (module_.meshes()[i].rank() == 0) continue;
        if (found) return std::nullopt;
        found = ir::MeshId(i);
    }
    return found;
}

Result<Sharding> Annotations::of_leaf(const HloSharding& leaf, std::size_t rank, Pos pos) {
    if (leaf.kind == HloSharding::Kind::kNamed && leaf.named && leaf.named_mesh) {
        Sharding named = *leaf.named;
        named.mesh = module_.add_mesh(*leaf.named_mesh);
        if (auto status = sharding::validate(named, *leaf.named_mesh, rank); !status.ok())
            return source_.placed(status.error(), pos);
        return named;
    }
    if (leaf.kind == HloSharding::Kind::kTiled &&
        leaf.tile_dims.size() != rank + leaf.subgroups.size())
        return source_.at(pos, "sharding of another rank than its value",
                          fmt::format("tiles for {} dimensions", rank));
    auto tied = sharding::to_axes(leaf, module_.mesh(*hlo_mesh_), *hlo_mesh_, rank);
    if (!tied && leaf.kind == HloSharding::Kind::kTiled) {
        Result<Sharding> own = hlo::on_own_mesh(module_, leaf, rank);
        if (!own.ok()) return source_.placed(own.error(), pos);
        return own;
    }
    if (!tied) return source_.unsupported_at(pos, "this sharding on the module's mesh");
    tied->group = leaf.group;
    tied->group_is_soft = leaf.group_is_soft;
    return *std::move(tied);
}

Result<Sharding> Annotations::of_hlo(const Attr& attr, std::size_t rank) {
    SW_TRY(const HloShardingText* text, parsed(attr));
    if (text->leaves.size() != 1) return source_.at(attr.pos, "tuple sharding of one value");
    return of_leaf(text->leaves.front(), rank, attr.pos);
}

Result<Sharding> Annotations::of_sdy(std::string_view text, Pos pos) {
    if (const auto found = sdy_.find(text); found != sdy_.end()) return found->second;
    std::string owned(text);
    ir::MeshId id;
    if (const std::size_t inline_mesh = text.find("<mesh<");
        inline_mesh != std::string_view::npos) {
        // A mesh written inside the sharding; it takes part as any other, under a name of its own.
        const std::size_t open = inline_mesh + 5;
        const Pos close =
            skip_balanced(text, static_cast<Pos>(open), static_cast<Pos>(text.size()));
        SW_TRY(mesh::Mesh mesh, parse_mesh(text.substr(open, close - open), pos, "inlined_mesh"));
        for (int n = 1;; ++n) {
            const auto other = module_.find_mesh(mesh.name());
            if (!other || module_.mesh(*other) == mesh) break;
            mesh.set_name(fmt::format("inlined_mesh_{}", n));
        }
        owned = "<@" + mesh.name() + std::string(text.substr(close));
        id = module_.add_mesh(std::move(mesh));
    } else {
        const std::string_view name = sharding::sdy_mesh_name(text);
        const auto found = module_.find_mesh(name);
        if (!found) {
            std::string known;
            for (const mesh::Mesh& mesh : module_.meshes()) known += " @" + mesh.name();
            return source_.at(pos, fmt::format("unknown mesh '@{}'", name.substr(0, 60)),
                              known.empty() ? "an sdy.mesh of that name" : "one of" + known);
        }
        id = *found;
    }
    auto sharding = sharding::parse_sdy(owned, module_.mesh(id), id);
    if (!sharding.ok()) return source_.placed(std::move(sharding).error(), pos);
    sdy_.emplace(text, *sharding);
    return *std::move(sharding);
}

Result<std::vector<Sharding>> Annotations::of_sdy_list(std::string_view text, Pos pos) {
    // `[<…>, <…>]`, cut where an element closes.
    std::vector<Sharding> out;
    const auto end = static_cast<Pos>(text.size());
    for (Pos p = 0; p < end;) {
        if (text[p] != '<') {
            ++p;
            continue;
        }
        const Pos close = skip_balanced(text, p, end);
        SW_TRY(Sharding one, of_sdy(text.substr(p, close - p), pos + p));
        out.push_back(std::move(one));
        p = close;
    }
    return out;
}

Result<mesh::AxisList> Annotations::axes(std::string_view text, Pos pos, ir::MeshId mesh) {
    mesh::AxisList out;
    Lexer lexer(text, 0, static_cast<Pos>(text.size()));
    for (Token token = lexer.next(); !token.is(TokenKind::kEnd); token = lexer.next()) {
        if (!token.is(TokenKind::kString)) continue;
        const auto axis = module_.mesh(mesh).find(unescape(token.text));
        if (!axis)
            return source_.at(pos + token.pos, fmt::format("unknown axis \"{}\"", token.text),
                              "an axis of " + module_.mesh(mesh).text());
        out.push_back(module_.mesh(mesh).full(*axis));
    }
    return out;
}

Result<std::vector<Sharding>> Annotations::of(Range attrs, std::span<const ir::TensorType> types) {
    std::vector<Sharding> out;
    if (attrs.count == 0) return out;
    std::string frontend;
    const Attr* sdy = syntax_.find(attrs, "sdy.sharding");
    if (sdy != nullptr && sdy->kind == AttrKind::kDialect) {
        const bool per_value = sdy->text.starts_with("#sdy.sharding_per_value");
        const std::string_view body =
            sdy->text.substr(std::min(sdy->text.find('<'), sdy->text.size()));
        const Pos pos = sdy->pos + static_cast<Pos>(body.data() - sdy->text.data());
        if (per_value) {
            SW_TRY(out, of_sdy_list(angle_body(body), pos + 1));
        } else {
            SW_TRY(Sharding one, of_sdy(body, pos));
            out.assign(1, std::move(one));
        }
    } else if (frontend = frontend_sharding(attrs); !frontend.empty()) {
        const Attr* attr = syntax_.find(attrs, "mhlo.frontend_attributes");
        SW_TRY(const std::vector<std::string> parts, hlo::split_per_value(frontend));
        for (const std::string& part : parts) {
            const auto id = module_.find_mesh(sharding::sdy_mesh_name(part));
            if (!id)
                return source_.at(attr->pos, "sharding over an unknown mesh",
                                  "one of xla.sdy.meshes");
            auto one = sharding::parse_sdy(part, module_.mesh(*id), *id);
            if (!one.ok()) return source_.placed(std::move(one).error(), attr->pos);
            out.push_back(*std::move(one));
        }
    } else if (const Attr* hlo = syntax_.find(attrs, "mhlo.sharding");
               hlo != nullptr && hlo->kind == AttrKind::kString && hlo_mesh_) {
        SW_TRY(const HloShardingText* text, parsed(*hlo));
        const std::size_t count =
            text->is_tuple ? std::min(text->leaves.size(), types.size()) : types.size();
        for (std::size_t i = 0; i < count; ++i) {
            SW_TRY(Sharding one,
                   of_leaf(text->leaves[text->is_tuple ? i : 0], types[i].rank(), hlo->pos));
            out.push_back(std::move(one));
        }
    }
    for (std::size_t i = 0; i < out.size() && i < types.size(); ++i)
        if (out[i].form == sharding::Form::kTiled && out[i].dims.size() != types[i].rank())
            return source_.at(
                sdy != nullptr ? sdy->pos : syntax_.attr(syntax_.attributes(attrs)[0].value).pos,
                fmt::format("sharding of {} dimensions", out[i].dims.size()),
                fmt::format("{} for {}", types[i].rank(), ir::mlir_text(types[i])));
    if (out.size() > types.size()) out.resize(types.size());
    return out;
}

Result<std::optional<Sharding>> Annotations::one(Range attrs, const ir::TensorType& type) {
    SW_TRY(std::vector<Sharding> list, of(attrs, {&type, 1}));
    if (list.empty()) return std::optional<Sharding>();
    return std::optional<Sharding>(std::move(list.front()));
}

}  // namespace shardwright::formats::mlir
