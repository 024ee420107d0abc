#include "formats/hlo_shardings.h"

#include <algorithm>

#include "formats/hlo_mesh_text.h"
#include "sharding/text.h"

namespace shardwright::formats::hlo {

using sharding::HloSharding;
using sharding::HloShardingText;
using sharding::MeshId;
using sharding::Sharding;

Result<std::vector<Attribute>> parse_frontend_attributes(const Source& source,
                                                         std::string_view text) {
    std::vector<Attribute> out;
    if (text.data() == nullptr) return out;
    Cursor cursor(source, text);
    SW_CHECK(cursor.expect('{'));
    while (!cursor.eat('}')) {
        const std::string_view key = cursor.peek() == '"' ? std::string_view() : cursor.word();
        if (key.empty()) return cursor.error("missing attribute", "a name");
        SW_CHECK(cursor.expect('='));
        SW_TRY(const std::string_view value, cursor.value());
        out.push_back({key, value});
        if (!cursor.eat(',') && cursor.peek() != '}') return cursor.error("unexpected text", "'}'");
    }
    return out;
}

Status Shardings::find_meshes(const File& file) {
    SW_TRY(const auto attributes,
           parse_frontend_attributes(source_, file.header_attribute("frontend_attributes")));
    for (const Attribute& a : attributes)
        if (a.key == "xla.sdy.meshes") SW_CHECK(read_meshes(a.value, unquoted(a.value)));
    if (by_name_.empty()) return derive(file);
    return {};
}

Status Shardings::read_meshes(std::string_view place, const std::string& text) {
    Result<std::vector<mesh::Mesh>> meshes = parse_mesh_list(text);
    if (!meshes.ok()) return source_.place(place, meshes.error());
    const auto is_usual = [](const mesh::Mesh& m) { return m.rank() > 0; };
    // An empty mesh only says "replicated": such shardings are stated over the module's real mesh.
    const bool any = std::any_of(meshes->begin(), meshes->end(), is_usual);
    bool have_primary = false;
    std::vector<std::string> empty;
    for (mesh::Mesh& m : *meshes) {
        if (any && m.rank() == 0 && !m.is_maximal()) {
            empty.push_back(m.name());
            continue;
        }
        const std::string name = m.name();
        const bool usual = is_usual(m);
        const MeshId id = module_.add_mesh(std::move(m));
        by_name_[name] = id;
        if (!have_primary && (usual || !any)) {
            primary_ = id;
            have_primary = true;
        }
    }
    for (const std::string& name : empty) by_name_[name] = primary_;
    return {};
}

Result<const HloShardingText*> Shardings::parsed(std::string_view text) {
    if (const auto found = parsed_.find(text); found != parsed_.end()) return &found->second;
    Result<HloShardingText> result = sharding::parse_hlo(without_comments(text));
    if (!result.ok()) return source_.place(text, result.error());
    return &parsed_.emplace(text, *std::move(result)).first->second;
}

Result<const std::string*> Shardings::sdy_text(const Instruction& instruction) {
    const std::string_view raw = instruction.attribute("frontend_attributes");
    if (raw.data() == nullptr) return nullptr;
    auto found = sdy_texts_.find(raw);
    if (found == sdy_texts_.end()) {
        SW_TRY(const auto attributes, parse_frontend_attributes(source_, raw));
        std::string text;
        for (const Attribute& a : attributes)
            if (a.key == "xla.sdy.sharding") text = unquoted(a.value);
        found = sdy_texts_.emplace(raw, std::move(text)).first;
    }
    return found->second.empty() ? nullptr : &found->second;
}

Status Shardings::derive(const File& file) {
    std::vector<const HloSharding*> all;
    std::int64_t devices = module_.num_partitions;
    for (const Computation& computation : file.computations) {
        for (const Instruction& instruction : computation.instructions) {
            const std::string_view text = instruction.attribute("sharding");
            if (text.data() == nullptr || parsed_.contains(text)) continue;
            SW_TRY(const HloShardingText* leaves, parsed(text));
            for (const HloSharding& leaf : leaves->leaves) {
                if (leaf.kind != HloSharding::Kind::kTiled) continue;
                all.push_back(&leaf);
                std::int64_t tiles = 1;
                for (const std::int64_t n : leaf.tile_dims)
                    tiles = n > 0 && tiles <= (std::int64_t{1} << 40) / n ? tiles * n : tiles;
                devices = std::max(devices, tiles);
            }
        }
    }
    if (all.empty() && parsed_.empty() && devices == 1) return {};
    // Assignments over other device counts than the program's have meshes of their own.
    sharding::DerivedMesh derived = sharding::derive_mesh(all, devices);
    primary_ = module_.add_mesh(std::move(derived.mesh));
    return {};
}

Result<Sharding> Shardings::of_leaf(std::string_view place, const HloSharding& s,
                                    std::size_t rank) {
    if (s.kind == HloSharding::Kind::kNamed && s.named_mesh && s.named) {
        Sharding named = *s.named;
        named.mesh = module_.add_mesh(*s.named_mesh);
        if (auto status = sharding::validate(named, *s.named_mesh, rank); !status.ok())
            return source_.place(place, status.error());
        return named;
    }
    if (s.kind == HloSharding::Kind::kTiled && (s.tile_dims.size() < s.subgroups.size() ||
                                                s.tile_dims.size() - s.subgroups.size() != rank))
        return source_.error(place, "sharding of another rank than its value",
                             "tiles for " + std::to_string(rank) + " dimensions");
    if (module_.meshes().empty()) primary_ = module_.add_mesh(mesh::Mesh("mesh", {}));
    if (auto named = sharding::to_axes(s, module_.mesh(primary_), primary_, rank)) {
        named->group = s.group;
        named->group_is_soft = s.group_is_soft;
        return *std::move(named);
    }
    if (s.kind != HloSharding::Kind::kTiled)
        return source_.unsupported(place, "this sharding on the module's mesh");
    Result<Sharding> own = on_own_mesh(module_, s, rank);
    if (!own.ok()) return source_.place(place, own.error());
    return own;
}

Result<std::vector<Sharding>> Shardings::of_sdy(std::string_view place, const std::string& text,
                                                const Shape& shape) {
    std::vector<const Shape*> leaves;
    shape.append_leaves(leaves);
    SW_TRY(const std::vector<std::string> parts, [&]() -> Result<std::vector<std::string>> {
        Result<std::vector<std::string>> split = split_per_value(text);
        if (!split.ok()) return source_.place(place, split.error());
        return split;
    }());
    std::vector<Sharding> out;
    if (parts.size() != leaves.size() && parts.size() != 1)
        return source_.error(place, std::to_string(parts.size()) + " shardings",
                             std::to_string(leaves.size()) + ", one a result");
    for (std::size_t i = 0; i < leaves.size(); ++i) {
        const std::string& part = parts[parts.size() == 1 ? 0 : i];
        const std::string_view name = sharding::sdy_mesh_name(part);
        const auto found = by_name_.find(name);
        if (found == by_name_.end())
            return source_.error(place, "unknown mesh '" + std::string(name) + "'",
                                 "a mesh of the header's xla.sdy.meshes");
        const mesh::Mesh& mesh = module_.mesh(found->second);
        Result<Sharding> s = sharding::parse_sdy(part, mesh, found->second);
        if (!s.ok()) return source_.place(place, s.error());
        if (auto status = sharding::validate(*s, mesh, leaves[i]->tensor.rank()); !status.ok())
            return source_.place(place, status.error());
        out.push_back(*std::move(s));
    }
    return out;
}

Result<std::vector<Sharding>> Shardings::of(const Instruction& instruction, const Shape& shape) {
    if (!by_name_.empty()) {  // without named meshes the text could not be understood
        SW_TRY(const std::string* text, sdy_text(instruction));
        if (text != nullptr)
            return of_sdy(instruction.attribute("frontend_attributes"), *text, shape);
    }
    const std::string_view raw = instruction.attribute("sharding");
    std::vector<Sharding> out;
    if (raw.data() == nullptr) return out;
    SW_TRY(const HloShardingText* text, parsed(raw));
    std::vector<const Shape*> leaves;
    shape.append_leaves(leaves);
    const std::size_t count = text->leaves.size();
    if (count != leaves.size() && (text->is_tuple || count != 1))
        return source_.error(raw, std::to_string(count) + " shardings",
                             std::to_string(leaves.size()) + ", one a tensor of the shape");
    for (std::size_t i = 0; i < leaves.size(); ++i) {
        const HloSharding& leaf = text->leaves[count == 1 ? 0 : i];
        SW_TRY(Sharding s, of_leaf(raw, leaf, leaves[i]->tensor.rank()));
        out.push_back(std::move(s));
    }
    return out;
}

}  // namespace shardwright::formats::hlo
