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

std::vector<std::int64_t> expand_devices(const sharding::HloSharding& s, std::int64_t count) {
    if (!s.devices.empty()) return s.devices;
    std::int64_t product = 1;
    for (const std::int64_t n : s.reshape_dims) {
        if (n < 1 || product > count / n) return {};
        product *= n;
    }
    if (product != count) return {};
    const std::size_t rank = s.reshape_dims.size();
    Dims strides(rank, 1), index(rank, 0);
    for (std::size_t i = rank; i-- > 1;) strides[i - 1] = strides[i] * s.reshape_dims[i];
    const auto source_dim = [&](std::size_t k) {
        return s.permutation.empty() ? k : static_cast<std::size_t>(s.permutation[k]);
    };
    std::vector<std::int64_t> out;
    out.reserve(static_cast<std::size_t>(count));
    for (std::int64_t n = 0; n < count; ++n) {
        std::int64_t device = 0;
        for (std::size_t k = 0; k < rank; ++k) device += index[k] * strides[source_dim(k)];
        out.push_back(device);
        for (std::size_t k = rank; k-- > 0;) {
            if (++index[k] < s.reshape_dims[source_dim(k)]) break;
            index[k] = 0;
        }
    }
    return out;
}

}  // namespace shardwright::formats::hlo
