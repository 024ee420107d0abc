#include "formats/hlo_lower.h"

#include <fmt/format.h>

#include <algorithm>

namespace shardwright::formats::hlo {
namespace {

/// True when `path` starts at the same root as `prefix`: it is already a path from the top.
bool is_absolute(std::string_view path, std::string_view prefix) {
    const std::string_view first = prefix.substr(0, prefix.find('/'));
    return path.starts_with(first) && (path.size() == first.size() || path[first.size()] == '/');
}

}  // namespace

std::string op_name(std::string_view metadata) {
    constexpr std::string_view kKey = "op_name=\"";
    const std::size_t at = metadata.find(kKey);
    if (at == std::string_view::npos) return {};
    const std::size_t begin = at + kKey.size() - 1;
    std::size_t end = begin + 1;
    while (end < metadata.size() && metadata[end] != '"') end += metadata[end] == '\\' ? 2 : 1;
    return unquoted(metadata.substr(begin, std::min(end + 1, metadata.size()) - begin));
}

Lowering::Lowering(const Source& source, const File& file, const CallGraph& calls,
                   ir::Module& module, Shardings& shardings)
    : source_(source),
      file_(file),
      calls_(calls),
      module_(module),
      builder_(module),
      shardings_(shardings),
      instantiated_(file.computations.size(), false) {}

Status Lowering::entry() {
    const Computation& main = file_.computations[file_.entry];
    std::vector<ir::TensorType> types;
    std::vector<std::size_t> first_argument;
    for (const std::uint32_t index : main.parameters) {
        first_argument.push_back(types.size());
        std::vector<const Shape*> leaves;
        main.instructions[index].shape.append_leaves(leaves);
        for (const Shape* leaf : leaves) types.push_back(leaf->tensor);
    }
    const ir::RegionId body = builder_.begin_function("main", types);
    std::vector<Leaves> arguments;
    std::size_t next = 0;
    for (const std::uint32_t index : main.parameters) {
        const Instruction& parameter = main.instructions[index];
        const std::string path = op_name(parameter.attribute("metadata"));
        Leaves leaves;
        for (std::uint32_t i = 0; i < parameter.shape.leaves; ++i, ++next) {
            const ir::ValueId value = module_.argument(body, next);
            leaves.push_back({value});
            std::string name(parameter.name);
            if (parameter.shape.is_tuple) name += "." + std::to_string(i);
            module_.set_name(value, name);
            ir::ArgumentInfo& info = module_.function(0).arguments[next];
            info.name = module_.intern(name);
            info.path = module_.intern(path);
        }
        arguments.push_back(std::move(leaves));
    }
    SW_TRY([[maybe_unused]] const Leaves root,
           computation(file_.entry, std::move(arguments), "", "", true));
    return aliases(first_argument);
}

Status Lowering::results(Frame& frame, const Leaves& root) {
    std::vector<ir::ValueId> values;
    for (const Leaf& leaf : root) values.push_back(leaf.value);
    builder_.ret(values);
    const Instruction& last = frame.computation.instructions[frame.computation.root];
    std::vector<sharding::Sharding> stated;
    if (!module_.is_partitioned) {
        SW_TRY(stated, shardings_.of(last, last.shape));
    }
    std::vector<ir::ResultInfo>& infos = module_.function(0).results;
    infos.resize(root.size());
    for (std::size_t i = 0; i < root.size(); ++i) {
        infos[i].name = module_.value(root[i].value).name;
        if (root[i].result_sharding >= 0 && !module_.is_partitioned) {
            infos[i].annotation =
                result_shardings_[static_cast<std::size_t>(root[i].result_sharding)];
        } else if (!stated.empty()) {
            infos[i].annotation = stated[i];
        }
    }
    return {};
}

Result<Leaves> Lowering::computation(std::size_t index, std::vector<Leaves> arguments,
                                     std::string prefix, std::string suffix, bool is_entry) {
    const Computation& computation = file_.computations[index];
    instantiated_[index] = true;
    Frame frame{
        computation, {}, std::move(arguments), std::move(prefix), std::move(suffix), is_entry,
        0,           {}};
    frame.values.resize(computation.instructions.size());
    for (std::size_t i = 0; i < computation.instructions.size(); ++i) {
        frame.current = i;
        SW_TRY(frame.values[i], instruction(frame, computation.instructions[i]));
    }
    Leaves root = frame.values[computation.root];
    if (root.size() != computation.instructions[computation.root].shape.leaves)
        return not_supported(computation.instructions[computation.root], "as ROOT");
    if (is_entry) SW_CHECK(results(frame, root));
    return root;
}

Result<Leaves> Lowering::instruction(Frame& frame, const Instruction& instruction) {
    const auto found = handlers().find(instruction.opcode);
    if (found == handlers().end()) return not_supported(instruction);
    SW_TRY(Leaves leaves, (this->*found->second)(frame, instruction));
    if (frame.pending.contains(frame.current)) return leaves;  // its -done has the value
    std::vector<const Shape*> shapes;
    instruction.shape.append_leaves(shapes);
    if (shapes.size() != leaves.size())
        return source_.error(instruction.name,
                             fmt::format("{} of {} tensors stated as {}", instruction.opcode,
                                         leaves.size(), shapes.size()),
                             "as many as it has");
    for (std::size_t i = 0; i < leaves.size(); ++i) {
        const ir::TensorType& actual = module_.type(leaves[i].value);
        if (!(actual == shapes[i]->tensor))
            return source_.error(
                instruction.name,
                fmt::format("{} stated as {}", instruction.opcode, ir::hlo_text(shapes[i]->tensor)),
                ir::hlo_text(actual));
    }
    return leaves;
}

Result<ir::RegionId> Lowering::region(Frame& frame, const Instruction& instruction,
                                      std::size_t index) {
    const Computation& body = file_.computations[index];
    const std::string suffix = suffix_of(frame, instruction, index);
    std::vector<ir::TensorType> types;
    for (const std::uint32_t p : body.parameters) {
        std::vector<const Shape*> leaves;
        body.instructions[p].shape.append_leaves(leaves);
        for (const Shape* leaf : leaves) types.push_back(leaf->tensor);
    }
    const ir::RegionId made = builder_.make_region(types);
    std::vector<Leaves> arguments;
    std::size_t next = 0;
    for (const std::uint32_t p : body.parameters) {
        const Instruction& parameter = body.instructions[p];
        Leaves leaves;
        for (std::uint32_t i = 0; i < parameter.shape.leaves; ++i) {
            const ir::ValueId value = module_.argument(made, next++);
            module_.set_name(value, parameter.shape.is_tuple
                                        ? fmt::format("{}.{}{}", parameter.name, i, suffix)
                                        : fmt::format("{}{}", parameter.name, suffix));
            leaves.push_back({value});
        }
        arguments.push_back(std::move(leaves));
    }
    const ir::RegionId outer = builder_.region();
    builder_.set_region(made);
    // Names in a region are written from where its owner's are: the prefix is the same.
    SW_TRY(const Leaves root,
           computation(index, std::move(arguments), frame.prefix, suffix, false));
    std::vector<ir::ValueId> values;
    for (const Leaf& leaf : root) values.push_back(leaf.value);
    builder_.set_line(instruction.line);
    builder_.ret(values);
    builder_.set_region(outer);
    return made;
}

std::string Lowering::scope(const Frame& frame, const Instruction& instruction) const {
    std::string own = op_name(instruction.attribute("metadata"));
    if (frame.prefix.empty()) return own;
    if (own.empty()) return frame.prefix;
    if (is_absolute(own, frame.prefix)) return own;
    return frame.prefix + "/" + own;
}

std::string Lowering::suffix_of(const Frame& frame, const Instruction& instruction,
                                std::size_t index) const {
    if (!instantiated_[index]) return {};
    return frame.suffix + "." + std::string(instruction.name);
}

std::vector<ir::ValueId> Lowering::operands(const Frame& frame,
                                            const Instruction& instruction) const {
    std::vector<ir::ValueId> out;
    for (const std::uint32_t index : instruction.operands)
        for (const Leaf& leaf : frame.values[index]) out.push_back(leaf.value);
    return out;
}

Status Lowering::arity(const Instruction& instruction, std::size_t at_least,
                       std::size_t at_most) const {
    const std::size_t n = instruction.operands.size();
    if (n >= at_least && n <= at_most) return {};
    return source_.error(
        instruction.name, fmt::format("{} of {} operands", instruction.opcode, n),
        at_least == at_most ? fmt::format("{}", at_least) : fmt::format("at least {}", at_least));
}

Result<Leaves> Lowering::emit(Frame& frame, const Instruction& instruction, ir::OpKind kind,
                              ir::Attributes attributes, std::span<const ir::RegionId> regions) {
    return emit_on(frame, instruction, kind, operands(frame, instruction), std::move(attributes),
                   regions, instruction.shape);
}

Result<Leaves> Lowering::emit_on(Frame& frame, const Instruction& instruction, ir::OpKind kind,
                                 std::span<const ir::ValueId> operands, ir::Attributes attributes,
                                 std::span<const ir::RegionId> regions, const Shape& shape) {
    std::vector<const Shape*> leaves;
    shape.append_leaves(leaves);
    std::vector<ir::TensorType> stated;
    for (const Shape* leaf : leaves) stated.push_back(leaf->tensor);
    builder_.set_scope(module_.intern(scope(frame, instruction)));
    builder_.set_line(instruction.line);
    Result<ir::OpId> op = builder_.try_add(kind, operands, std::move(attributes), stated, regions);
    if (!op.ok()) return source_.place(instruction.name, op.error());
    Leaves out;
    const std::uint32_t count = module_.op(*op).result_count;
    for (std::uint32_t i = 0; i < count; ++i) {
        const ir::ValueId value = module_.result(*op, i);
        module_.set_name(value, count == 1
                                    ? fmt::format("{}{}", instruction.name, frame.suffix)
                                    : fmt::format("{}.{}{}", instruction.name, i, frame.suffix));
        out.push_back({value});
    }
    if (!module_.is_partitioned) {
        SW_TRY(const std::vector<sharding::Sharding> stated_shardings,
               shardings_.of(instruction, shape));
        for (std::size_t i = 0; i < stated_shardings.size() && i < out.size(); ++i)
            module_.annotate(out[i].value, stated_shardings[i]);
    }
    return out;
}

Result<ir::ValueId> Lowering::step(const Instruction& instruction, ir::OpKind kind,
                                   std::span<const ir::ValueId> operands, ir::Attributes attributes,
                                   const ir::TensorType& type) {
    builder_.set_line(instruction.line);
    Result<ir::OpId> op = builder_.try_add(kind, operands, std::move(attributes), {&type, 1});
    if (!op.ok()) return source_.place(instruction.name, op.error());
    return module_.result(*op);
}

Result<Leaves> Lowering::pass(Frame& frame, const Instruction& instruction, Leaves leaves) {
    const bool is_result = frame.is_entry && frame.current == frame.computation.root;
    if (is_result || module_.is_partitioned) return leaves;  // results() reads the root's own
    SW_TRY(const std::vector<sharding::Sharding> stated,
           shardings_.of(instruction, instruction.shape));
    for (std::size_t i = 0; i < stated.size() && i < leaves.size(); ++i) {
        const sharding::Sharding* present = module_.annotation(leaves[i].value);
        if (present == nullptr) {
            module_.annotate(leaves[i].value, stated[i]);
        } else if (!(*present == stated[i])) {
            const ir::ValueId value = leaves[i].value;
            builder_.set_scope(module_.intern(scope(frame, instruction)));
            SW_TRY(leaves[i].value,
                   step(instruction, ir::OpKind::kShardingConstraint, {&value, 1},
                        ir::ShardingAttributes{stated[i], {}}, module_.type(value)));
        }
    }
    return leaves;
}

Diagnostic Lowering::not_supported(const Instruction& instruction, std::string_view more) const {
    return source_.unsupported(
        instruction.opcode,
        fmt::format("HLO operation '{}'{}{}", instruction.opcode, more.empty() ? "" : " ", more));
}

}  // namespace shardwright::formats::hlo
