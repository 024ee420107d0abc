// HLO text, first to last: syntax, call graph, meshes, lowering.
#include <charconv>

#include "formats/hlo_lower.h"
#include "formats/read_model.h"

namespace shardwright::formats {
namespace hlo {

const std::unordered_map<std::string_view, Lowering::Handler>& Lowering::handlers() {
    using L = Lowering;
    static const auto* const table = [] {
        auto* map = new std::unordered_map<std::string_view, Handler>{
            {"compare", &L::compare},
            {"reduce-precision", &L::reduce_precision},
            {"constant", &L::constant},
            {"iota", &L::iota},
            {"broadcast", &L::broadcast},
            {"reshape", &L::reshape},
            {"bitcast", &L::bitcast},
            {"bitcast-convert", &L::bitcast_convert},
            {"transpose", &L::dims},
            {"reverse", &L::dims},
            {"concatenate", &L::concatenate},
            {"slice", &L::slice},
            {"pad", &L::pad},
            {"dynamic-slice", &L::dynamic_slice},
            {"dynamic-update-slice", &L::dynamic_slice},
            {"gather", &L::gather},
            {"get-dimension-size", &L::dimension_size},
            {"set-dimension-size", &L::dimension_size},
            {"partition-id", &L::partition_id},
            {"replica-id", &L::partition_id},
            {"rng", &L::random},
            {"rng-bit-generator", &L::random},
            {"dot", &L::dot},
            {"convolution", &L::convolution},
            {"fft", &L::fft},
            {"cholesky", &L::cholesky},
            {"triangular-solve", &L::triangular_solve},
            {"batch-norm-training", &L::batch_norm},
            {"batch-norm-inference", &L::batch_norm},
            {"batch-norm-grad", &L::batch_norm},
            {"reduce", &L::reduce},
            {"reduce-window", &L::reduce_window},
            {"select-and-scatter", &L::select_and_scatter},
            {"scatter", &L::scatter},
            {"sort", &L::sort},
            {"map", &L::map},
            {"topk", &L::topk},
            {"parameter", &L::parameter},
            {"tuple", &L::tuple},
            {"get-tuple-element", &L::get_tuple_element},
            {"call", &L::call},
            {"fusion", &L::call},
            {"while", &L::while_loop},
            {"conditional", &L::conditional},
            {"opt-barrier", &L::barrier},
            {"optimization-barrier", &L::barrier},
            {"domain", &L::first_operand},
            {"add-dependency", &L::first_operand},
            {"after-all", &L::after_all},
            {"infeed", &L::feed},
            {"outfeed", &L::feed},
            {"custom-call", &L::custom_call},
            {"async-start", &L::start},
            {"copy-start", &L::start},
            {"all-reduce-start", &L::start},
            {"all-gather-start", &L::start},
            {"collective-permute-start", &L::start},
            {"async-update", &L::done},
            {"async-done", &L::done},
            {"copy-done", &L::done},
            {"all-reduce-done", &L::done},
            {"all-gather-done", &L::done},
            {"collective-permute-done", &L::done}};
        for (const std::string_view name :
             {"all-gather", "all-reduce", "reduce-scatter", "all-to-all", "collective-permute",
              "collective-broadcast"})
            map->emplace(name, &L::collective);
        for (const std::string_view name : {"abs",
                                            "cbrt",
                                            "ceil",
                                            "convert",
                                            "copy",
                                            "cosine",
                                            "count-leading-zeros",
                                            "erf",
                                            "exponential",
                                            "exponential-minus-one",
                                            "floor",
                                            "imag",
                                            "is-finite",
                                            "log",
                                            "log-plus-one",
                                            "logistic",
                                            "negate",
                                            "not",
                                            "popcnt",
                                            "real",
                                            "round-nearest-afz",
                                            "round-nearest-even",
                                            "rsqrt",
                                            "sign",
                                            "sine",
                                            "sqrt",
                                            "tan",
                                            "tanh",
                                            "add",
                                            "and",
                                            "atan2",
                                            "clamp",
                                            "complex",
                                            "divide",
                                            "maximum",
                                            "minimum",
                                            "multiply",
                                            "or",
                                            "power",
                                            "remainder",
                                            "select",
                                            "shift-left",
                                            "shift-right-arithmetic",
                                            "shift-right-logical",
                                            "subtract",
                                            "xor"})
            map->emplace(name, &L::elementwise);
        return map;
    }();
    return *table;
}

namespace {

/// A module that holds collectives by device ids, and no manual region that would explain them, is
/// the output of a partitioner: its shapes are those of one device.
bool looks_partitioned(const File& file) {
    bool collectives = false;
    for (const Computation& computation : file.computations) {
        for (const Instruction& i : computation.instructions) {
            const std::string_view target = i.attribute("custom_call_target");
            if (target.find("FullToShardShape") != std::string_view::npos ||
                target.find("GlobalToLocalShape") != std::string_view::npos)
                return false;
            collectives |= i.opcode.starts_with("all-") || i.opcode.starts_with("collective-") ||
                           i.opcode.starts_with("reduce-scatter") || i.opcode == "partition-id";
        }
    }
    return collectives;
}

Result<std::vector<bool>> flags(const Source& source, std::string_view text) {
    std::vector<bool> out;
    if (text.data() == nullptr) return out;
    Cursor cursor(source, text);
    SW_CHECK(cursor.expect('{'));
    while (!cursor.eat('}')) {
        const std::string_view word = cursor.word();
        if (word != "true" && word != "false") return cursor.error("bad flag", "true or false");
        out.push_back(word == "true");
        if (!cursor.eat(',') && cursor.peek() != '}') return cursor.error("unexpected text", "'}'");
    }
    return out;
}

}  // namespace

Status Lowering::header() {
    const auto count = [&](std::string_view key, std::int64_t& out) -> Status {
        const std::string_view text = file_.header_attribute(key);
        if (text.data() == nullptr) return {};
        Cursor cursor(source_, text);
        SW_TRY(out, cursor.expect_integer());
        if (out < 1 || out > (std::int64_t{1} << 40))
            return source_.error(text, "bad " + std::string(key), "1 or more");
        return {};
    };
    module_.title = std::string(file_.title);
    SW_CHECK(count("num_partitions", module_.num_partitions));
    SW_CHECK(count("replica_count", module_.num_replicas));
    module_.is_partitioned = module_.num_partitions > 1 && looks_partitioned(file_);
    if (module_.is_partitioned) {
        Diagnostic note =
            bad_input("the module is already partitioned: its shardings are not read");
        note.file = source_.file;
        module_.warnings.push_back(std::move(note));
    }
    SW_TRY(module_.allow_propagation_to_parameters,
           flags(source_, file_.header_attribute("allow_spmd_sharding_propagation_to_parameters")));
    SW_TRY(module_.allow_propagation_to_outputs,
           flags(source_, file_.header_attribute("allow_spmd_sharding_propagation_to_output")));
    return {};
}

Status Lowering::run() {
    SW_CHECK(header());
    SW_CHECK(shardings_.find_meshes(file_));
    return entry();
}

/// `input_output_alias={ {0}: (0, {}, may-alias) }` and `buffer_donor={ (14, {}) }`.
Status Lowering::aliases(const std::vector<std::size_t>& first_argument) {
    const Computation& main = file_.computations[file_.entry];
    // The leaf that an index path names; nothing when the path is wrong or names a whole tuple.
    const auto leaf = [](const Shape& shape, const Dims& path) -> std::optional<std::size_t> {
        const Shape* at = &shape;
        std::size_t offset = 0;
        for (const std::int64_t i : path) {
            if (!at->is_tuple || i < 0 || static_cast<std::size_t>(i) >= at->elements.size())
                return std::nullopt;
            offset += at->leaf_offset(static_cast<std::size_t>(i));
            at = &at->elements[static_cast<std::size_t>(i)];
        }
        if (at->is_tuple) return std::nullopt;
        return offset;
    };
    const auto argument = [&](Cursor& cursor) -> Result<std::size_t> {
        SW_CHECK(cursor.expect('('));
        SW_TRY(const std::int64_t number, cursor.expect_integer());
        Dims path;
        if (cursor.eat(',')) {
            SW_TRY(path, cursor.integers());
        }
        while (cursor.peek() != ')' && !cursor.at_end()) cursor.set(cursor.at() + 1);
        SW_CHECK(cursor.expect(')'));
        if (number < 0 || static_cast<std::size_t>(number) >= main.parameters.size())
            return cursor.error("unknown parameter " + std::to_string(number),
                                "a parameter number");
        const auto n = static_cast<std::size_t>(number);
        const auto offset = leaf(main.instructions[main.parameters[n]].shape, path);
        if (!offset) return cursor.error("bad index of a parameter", "a tensor of it");
        return first_argument[n] + *offset;
    };
    std::vector<ir::ArgumentInfo>& infos = module_.function(0).arguments;
    if (const auto text = file_.header_attribute("input_output_alias"); text.data() != nullptr) {
        Cursor cursor(source_, text);
        SW_CHECK(cursor.expect('{'));
        while (!cursor.eat('}')) {
            SW_TRY(const Dims path, cursor.integers());
            SW_CHECK(cursor.expect(':'));
            SW_TRY(const std::size_t i, argument(cursor));
            const auto output = leaf(main.instructions[main.root].shape, path);
            if (!output) return cursor.error("bad output index", "a tensor of the result");
            infos[i].alias_output = static_cast<std::int32_t>(*output);
            infos[i].donated = true;
            if (!cursor.eat(',') && cursor.peek() != '}')
                return cursor.error("unexpected text", "'}'");
        }
    }
    if (const auto text = file_.header_attribute("buffer_donor"); text.data() != nullptr) {
        Cursor cursor(source_, text);
        SW_CHECK(cursor.expect('{'));
        while (!cursor.eat('}')) {
            SW_TRY(const std::size_t i, argument(cursor));
            infos[i].donated = true;
            if (!cursor.eat(',') && cursor.peek() != '}')
                return cursor.error("unexpected text", "'}'");
        }
    }
    return {};
}

}  // namespace hlo

Result<ir::Module> read_hlo(std::string_view text, const std::string& file,
                            const ReadOptions& options) {
    const hlo::Source source{text, file};
    SW_TRY(const hlo::File syntax, hlo::parse_hlo_syntax(text, file));
    SW_TRY(const hlo::CallGraph calls, hlo::CallGraph::make(source, syntax));
    SW_CHECK(calls.check(options.max_operations));
    ir::Module module;
    module.file = file;
    hlo::Shardings shardings(source, module);
    hlo::Lowering lowering(source, syntax, calls, module, shardings);
    SW_CHECK(lowering.run());
    return module;
}

}  // namespace shardwright::formats
