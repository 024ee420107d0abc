#include "cost/model/chip.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace shardwright::cost {
namespace {

using Json = nlohmann::json;

/// Reads keys of one object; the first fault is kept, with the path of its key.
class Reader {
  public:
    Reader(const Json& object, std::string path, Diagnostic& fault, bool& failed)
        : object_(object), path_(std::move(path)), fault_(fault), failed_(failed) {
        if (!object.is_object()) fail("", "is not an object", "an object");
    }

    void fail(std::string_view key, std::string_view what, std::string expected) const {
        if (failed_) return;
        failed_ = true;
        const std::string_view dot = key.empty() || path_.empty() ? "" : ".";
        fault_ = bad_input(fmt::format("{}{}{} {}", path_, dot, key, what), std::move(expected));
    }
    const Json* find(std::string_view key) const {
        if (!object_.is_object()) return nullptr;
        const auto found = object_.find(key);
        return found == object_.end() ? nullptr : &*found;
    }
    double number(std::string_view key, double low, bool low_allowed = false) const {
        const std::string expected =
            fmt::format("a number {} {}", low_allowed ? "of at least" : "above", low);
        const Json* value = find(key);
        if (value == nullptr) return fail(key, "is missing", expected), 0.0;
        if (!value->is_number()) return fail(key, "is not a number", expected), 0.0;
        const double n = value->get<double>();
        if (!(low_allowed ? n >= low : n > low)) fail(key, "is out of range", expected);
        return n;
    }
    double number_or(std::string_view key, double otherwise) const {
        return find(key) == nullptr ? otherwise : number(key, 0);
    }
    std::int64_t integer(std::string_view key, std::int64_t low) const {
        const Json* value = find(key);
        const std::string expected = fmt::format("an integer of at least {}", low);
        if (value == nullptr) return fail(key, "is missing", expected), 0;
        if (!value->is_number_integer()) return fail(key, "is not an integer", expected), 0;
        const auto n = value->get<std::int64_t>();
        if (n < low) fail(key, "is out of range", expected);
        return n;
    }
    std::string string(std::string_view key, bool required) const {
        const Json* value = find(key);
        if (value != nullptr && value->is_string()) return value->get<std::string>();
        if (value != nullptr || required) fail(key, value ? "is not text" : "is missing", "text");
        return {};
    }
    Reader object(std::string_view key) const {
        static const Json empty = Json::object();
        const Json* value = find(key);
        if (value == nullptr) fail(key, "is missing", "an object");
        const std::string path =
            path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
        return Reader(value == nullptr ? empty : *value, path, fault_, failed_);
    }
    /// The elements of an array, as readers of their own.
    std::vector<Reader> objects(std::string_view key) const {
        std::vector<Reader> out;
        const Json* value = find(key);
        if (value == nullptr || !value->is_array() || value->empty()) {
            fail(key, value == nullptr ? "is missing" : "is not a list", "a list of objects");
            return out;
        }
        for (std::size_t i = 0; i < value->size(); ++i)
            out.emplace_back((*value)[i],
                             fmt::format("{}{}{}[{}]", path_, path_.empty() ? "" : ".", key, i),
                             fault_, failed_);
        return out;
    }
    const std::string& path() const { return path_; }

  private:
    const Json& object_;
    std::string path_;
    Diagnostic& fault_;
    bool& failed_;
};

Network read_network(const Reader& r) {
    Network n;
    const std::string topology = r.string("topology", true);
    if (topology == "switched") {
        n.topology = Topology::kSwitched;
        for (const Reader& l : r.objects("levels"))
            n.levels.push_back({l.string("name", true), l.integer("devices", 0),
                                l.number("egress_bandwidth", 0), l.number("latency", 0, true)});
        for (std::size_t i = 0; i + 1 < n.levels.size(); ++i)
            if (n.levels[i].devices == 0)
                r.fail("levels", "go on after one without limit", "the last");
        return n;
    }
    if (topology != "torus") r.fail("topology", "is unknown", "torus or switched");
    const Json* torus = r.find("torus");
    if (torus == nullptr || !torus->is_array() || torus->empty() || torus->size() > 6) {
        r.fail("torus", "is not a list", "1 to 6 sizes");
    } else {
        for (const Json& size : *torus) {
            if (!size.is_number_integer() || size.get<std::int64_t>() < 1)
                r.fail("torus", "has a bad size", "integers of at least 1");
            else
                n.torus.push_back(size.get<std::int64_t>());
        }
    }
    const Reader wrap = r.object("wrap");
    const std::string kind = wrap.string("kind", true);
    if (kind == "full_axis") {
        n.wrap = Wrap::kFullAxis;
    } else if (kind == "multiple_of") {
        n.wrap = Wrap::kMultipleOf;
        n.wrap_multiple = wrap.integer("of", 1);
    } else if (kind != "never") {
        wrap.fail("kind", "is unknown", "full_axis, multiple_of or never");
    }
    n.link_bandwidth = r.number("link_bandwidth", 0);
    n.links = static_cast<int>(std::min<std::int64_t>(r.integer("links", 1), 1000));
    n.hop_latency = r.number("hop_latency", 0, true);
    n.data_centre_bandwidth = r.number("data_centre_bandwidth", 0);
    return n;
}

Chip read_chip(const Reader& r) {
    Chip c;
    c.name = r.string("name", true);
    c.note = r.string("note", false);
    if (const Json* aliases = r.find("aliases"); aliases != nullptr && aliases->is_array()) {
        for (const Json& alias : *aliases)
            if (alias.is_string()) c.aliases.push_back(alias.get<std::string>());
    }
    const Reader peak = r.object("peak_flops");
    c.bf16_flops = peak.number("bf16", 0);
    c.f16_flops = peak.number_or("f16", c.bf16_flops);
    c.int8_flops = peak.number_or("int8", c.bf16_flops);
    c.fp8_flops = peak.number_or("fp8", c.bf16_flops);
    const Reader passes = r.object("f32_passes");
    c.f32_passes_default = passes.number("default", 0);
    c.f32_passes_high = passes.number("high", 0);
    c.f32_passes_highest = passes.number("highest", 0);
    c.vector_flops = r.number("vector_flops", 0);
    c.memory_bytes = r.integer("memory_bytes", 1);
    c.reserve_bytes = r.integer("reserve_bytes", 0);
    if (c.reserve_bytes >= c.memory_bytes)
        r.fail("reserve_bytes", "is out of range", "less than memory_bytes");
    c.memory_bandwidth = r.number("memory_bandwidth", 0);
    c.matrix_tile = r.integer("matrix_tile", 1);
    c.network = read_network(r.object("network"));
    return c;
}

Profile read_profile(const Reader& r) {
    Profile p{r.number("matrix", 0), r.number("memory", 0), r.number("links", 0),
              r.number("launch", 0, true)};
    if (p.matrix > 1 || p.memory > 1 || p.links > 1)
        r.fail("", "has a fraction above 1", "fractions of the peak");
    return p;
}

std::string folded(std::string_view name) {
    std::string out;
    for (const char c : name)
        if (c != ' ' && c != '-' && c != '_')
            out += static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
    return out;
}

}  // namespace

bool Network::wraps(std::size_t axis, std::int64_t size) const {
    if (axis >= torus.size() || size < 2) return false;
    if (wrap == Wrap::kFullAxis) return size == torus[axis];
    return wrap == Wrap::kMultipleOf && size % wrap_multiple == 0;
}

double Chip::matrix_flops(ir::ElementType type, ir::Precision precision) const {
    using enum ir::ElementType;
    if (type == kF16) return f16_flops;
    if (type == kBF16) return bf16_flops;
    if (ir::is_integer(type)) return ir::bit_width(type) <= 8 ? int8_flops : vector_flops;
    if (ir::is_float(type) && ir::bit_width(type) <= 8) return fp8_flops;
    if (type == kF64 || type == kC128) return vector_flops / 2;
    const double passes = precision == ir::Precision::kDefault ? f32_passes_default
                          : precision == ir::Precision::kHigh  ? f32_passes_high
                                                               : f32_passes_highest;
    return bf16_flops / passes;
}

Result<const Chip*> ChipTable::find(std::string_view name) const {
    const std::string wanted = folded(name);
    std::string names;
    for (const Chip& chip : chips) {
        const auto same = [&](const std::string& s) { return folded(s) == wanted; };
        if (same(chip.name) || std::any_of(chip.aliases.begin(), chip.aliases.end(), same))
            return &chip;
        names += (names.empty() ? "" : ", ") + chip.name;
    }
    return bad_input(fmt::format("unknown chip '{}'", name), "one of " + names);
}

Result<ChipTable> parse_chips(std::string_view text, const std::string& file) {
    Json document;
    try {  // the library's way to tell where the syntax is wrong
        document = Json::parse(text);
    } catch (const Json::parse_error& e) {
        const std::string_view before = text.substr(0, std::min(e.byte, text.size()));
        Diagnostic fault = bad_input("not JSON", "a chip table (resources/chips.md)");
        fault.file = file;
        fault.line = 1 + std::count(before.begin(), before.end(), '\n');
        const std::size_t start = before.rfind('\n');
        fault.column = static_cast<std::int64_t>(
            start == std::string_view::npos ? before.size() : before.size() - start - 1);
        return fault;
    } catch (const Json::exception& e) {  // a number that fits no type
        Diagnostic fault = bad_input(e.what(), "a chip table (resources/chips.md)");
        fault.file = file;
        return fault;
    }
    Diagnostic fault;
    bool failed = false;
    ChipTable table;
    const Reader top(document, "", fault, failed);
    const Reader profiles = top.object("profiles");
    table.ideal = read_profile(profiles.object("ideal"));
    table.achieved = read_profile(profiles.object("achieved"));
    for (const Reader& r : top.objects("chips")) {
        Chip chip = read_chip(r);
        const bool twice = std::any_of(table.chips.begin(), table.chips.end(), [&](const Chip& c) {
            return folded(c.name) == folded(chip.name);
        });
        if (twice) r.fail("name", "is given twice", "distinct names");
        table.chips.push_back(std::move(chip));
    }
    if (!failed) return table;
    fault.file = file;
    return fault;
}

Result<ChipTable> load_chips(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) {
        Diagnostic fault = bad_input("cannot read the chip table", "a readable file");
        fault.file = path;
        return fault;
    }
    std::stringstream text;
    text << in.rdbuf();
    return parse_chips(text.str(), path);
}

}  // namespace shardwright::cost
