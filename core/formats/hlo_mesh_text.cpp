#include "formats/hlo_mesh_text.h"

#include <algorithm>

#include "formats/hlo_cursor.h"

namespace shardwright::formats::hlo {
namespace {

Result<std::string> quoted(Cursor& cursor) {
    SW_CHECK(cursor.expect('"'));
    std::string out;
    while (cursor.raw() != '"') {
        if (cursor.raw() == '\0') return cursor.error("name without end", "'\"'");
        out += cursor.raw();
        cursor.set(cursor.at() + 1);
    }
    cursor.eat('"');
    return out;
}

Result<mesh::Mesh> parse_mesh(Cursor& cursor, std::string name) {
    if (!cursor.eat("#sdy.mesh<") && !cursor.eat("<"))
        return cursor.error("not a mesh", "#sdy.mesh<…>");
    std::vector<mesh::Axis> axes;
    std::int64_t count = 1;
    if (cursor.eat('[')) {
        while (!cursor.eat(']')) {
            SW_TRY(std::string axis, quoted(cursor));
            SW_CHECK(cursor.expect('='));
            SW_TRY(const std::int64_t size, cursor.expect_integer());
            if (size < 1 || count > (std::int64_t{1} << 40) / size || axes.size() == 255)
                return cursor.error("bad mesh", "at most 255 axes and 2^40 devices");
            if (std::ranges::any_of(axes, [&](const mesh::Axis& a) { return a.name == axis; }))
                return cursor.error("axis '" + axis + "' given twice", "distinct names");
            count *= size;
            axes.push_back({std::move(axis), size});
            if (!cursor.eat(',') && cursor.peek() != ']')
                return cursor.error("unexpected text", "']'");
        }
    }
    mesh::Mesh mesh(std::move(name), std::move(axes));
    cursor.eat(',');
    if (cursor.eat("device_ids") || cursor.eat("maximal_mesh_id")) {
        SW_CHECK(cursor.expect('='));
        std::vector<std::int64_t> ids;
        if (cursor.eat('[')) {
            while (!cursor.eat(']')) {
                SW_TRY(const std::int64_t id, cursor.expect_integer());
                ids.push_back(id);
                if (!cursor.eat(',') && cursor.peek() != ']')
                    return cursor.error("unexpected text", "']'");
            }
        } else {
            SW_TRY(const std::int64_t id, cursor.expect_integer());
            ids.push_back(id);
        }
        if (ids.size() != static_cast<std::size_t>(count))
            return cursor.error("device_ids of another length", "one id a device");
        mesh.set_device_ids(std::move(ids));
    }
    SW_CHECK(cursor.expect('>'));
    return mesh;
}

}  // namespace

Result<std::vector<mesh::Mesh>> parse_mesh_list(const std::string& text) {
    const std::string nowhere;
    const Source source{text, nowhere};
    Cursor cursor(source, text);
    std::vector<mesh::Mesh> out;
    const auto parse = [&]() -> Status {
        SW_CHECK(cursor.expect('{'));
        while (!cursor.eat('}')) {
            const bool is_quoted = cursor.peek() == '"';
            std::string name;
            if (is_quoted) {
                SW_TRY(name, quoted(cursor));
            } else {
                name = cursor.word();
            }
            if (name.empty()) return cursor.error("missing mesh name", "a name");
            SW_CHECK(cursor.expect('='));
            SW_TRY(mesh::Mesh mesh, parse_mesh(cursor, std::move(name)));
            out.push_back(std::move(mesh));
            if (!cursor.eat(',') && cursor.peek() != '}')
                return cursor.error("unexpected text", "'}'");
        }
        return {};
    };
    SW_CHECK(parse());
    return out;
}

Result<std::vector<std::string>> split_per_value(std::string_view text) {
    constexpr std::string_view kPerValue = "#sdy.sharding_per_value<[";
    std::vector<std::string> out;
    if (!text.starts_with(kPerValue)) {
        out.emplace_back(text);
        return out;
    }
    text.remove_prefix(kPerValue.size());
    // Elements are `<…>`; angle brackets do not nest, and only occur outside of quotes.
    std::size_t begin = std::string_view::npos;
    bool in_quotes = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '"') in_quotes = !in_quotes;
        if (in_quotes) continue;
        if (c == '<') begin = i;
        if (c == '>' && begin != std::string_view::npos) {
            out.emplace_back(text.substr(begin, i + 1 - begin));
            begin = std::string_view::npos;
        } else if (c == '>') {
            return out;  // the closing one of sharding_per_value
        }
    }
    return bad_input("shardings without end", "'>'");
}

Result<sharding::Sharding> on_own_mesh(ir::Module& module, const sharding::HloSharding& s,
                                       std::size_t rank) {
    std::int64_t count = 1;
    for (const std::int64_t n : s.tile_dims) {
        if (n < 1 || count > (std::int64_t{1} << 40) / n)
            return bad_input("bad tile assignment", "at most 2^40 devices");
        count *= n;
    }
    const sharding::HloSharding* const alone[] = {&s};
    mesh::Mesh own = sharding::derive_mesh(alone, count).mesh;
    sharding::MeshId id(module.meshes().size());
    for (std::size_t i = 0; i < module.meshes().size(); ++i) {
        const mesh::Mesh& other = module.meshes()[i];
        if (std::ranges::equal(other.axes(), own.axes()) && other.device_ids() == own.device_ids())
            id = sharding::MeshId(i);
    }
    if (id.index == module.meshes().size()) {
        own.set_name("mesh_" + std::to_string(id.index));
        id = module.add_mesh(std::move(own));
    }
    if (auto stated = sharding::to_axes(s, module.mesh(id), id, rank)) return *std::move(stated);
    return unsupported("this tile assignment");
}

}  // namespace shardwright::formats::hlo
