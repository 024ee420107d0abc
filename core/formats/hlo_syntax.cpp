#include "formats/hlo_syntax.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "formats/hlo_cursor.h"
#include "formats/hlo_shape.h"

namespace shardwright::formats::hlo {
namespace {

std::string_view find(std::span<const Attribute> attributes, std::string_view key) {
    for (const Attribute& a : attributes)
        if (a.key == key) return a.value;
    return {};
}

/// The parser proper: one pass, one token of look-ahead.
class Parser {
  public:
    Parser(const Source& source) : source_(source), cursor_(source, source.text) {}

    Result<File> file() {
        if (!cursor_.eat("HloModule")) return cursor_.error("not HLO text", "'HloModule'");
        file_.title = cursor_.word();
        SW_TRY(file_.header, attributes());
        while (!cursor_.at_end()) {
            if (!skip_table()) SW_CHECK(computation());
        }
        if (file_.computations.empty())
            return cursor_.error("module without computations", "an ENTRY computation");
        if (!has_entry_) {
            if (file_.computations.size() > 1)
                return cursor_.error("no computation is marked ENTRY", "'ENTRY'");
            file_.entry = 0;
        }
        return std::move(file_);
    }

  private:
    const Source& source_;
    Cursor cursor_;
    File file_;
    bool has_entry_ = false;
    std::unordered_map<std::string_view, std::uint32_t> names_;  // of the computation being read

    /// `, key=value` pairs up to the end of the line.
    Result<std::vector<Attribute>> attributes() {
        std::vector<Attribute> list;
        for (;;) {
            cursor_.skip_in_line();
            if (cursor_.raw() != ',') return list;
            cursor_.set(cursor_.at() + 1);
            const std::string_view key = cursor_.word();
            if (key.empty()) return cursor_.error("missing attribute", "a name");
            SW_CHECK(cursor_.expect('='));
            SW_TRY(const std::string_view value, cursor_.value());
            list.push_back({key, value});
        }
    }

    /// The tables of source places after the header; nothing of them is kept.
    bool skip_table() {
        for (const std::string_view title :
             {"FileNames", "FunctionNames", "FileLocations", "StackFrames"}) {
            const char* start = cursor_.at();
            if (!cursor_.eat(title)) continue;
            if (cursor_.raw() != '\n' && cursor_.raw() != '\r' && cursor_.raw() != '\0') {
                cursor_.set(start);
                continue;
            }
            while (cursor_.peek() >= '0' && cursor_.peek() <= '9') skip_line();
            return true;
        }
        return false;
    }

    void skip_line() {
        while (cursor_.raw() != '\n' && cursor_.raw() != '\0') cursor_.set(cursor_.at() + 1);
    }

    Status computation() {
        const char* start = cursor_.at();
        Computation computation;
        computation.name = cursor_.word();
        if (computation.name == "ENTRY") {
            if (has_entry_) return source_.error(start, "second ENTRY computation", "one ENTRY");
            has_entry_ = true;
            file_.entry = file_.computations.size();
            if (cursor_.peek() != '{') computation.name = cursor_.word();
        }
        if (computation.name.empty()) return cursor_.error("unexpected text", "a computation");
        if (cursor_.peek() == '(') {  // the signature repeats what the instructions say
            SW_TRY([[maybe_unused]] const std::string_view parameters, cursor_.group());
            if (!cursor_.eat("->")) return cursor_.error("missing result type", "'->'");
            SW_TRY([[maybe_unused]] const Shape result, parse_shape(cursor_));
        }
        SW_CHECK(cursor_.expect('{'));
        names_.clear();
        bool has_root = false;
        while (cursor_.peek() != '}') {
            if (cursor_.at_end()) return cursor_.error("computation without end", "'}'");
            SW_CHECK(instruction(computation, has_root));
        }
        cursor_.set(cursor_.at() + 1);
        SW_TRY([[maybe_unused]] const std::vector<Attribute> trailing, attributes());
        if (computation.instructions.empty())
            return source_.error(start, "computation without instructions", "at least one");
        if (!has_root)
            computation.root = static_cast<std::uint32_t>(computation.instructions.size() - 1);
        SW_CHECK(number_parameters(computation));
        file_.computations.push_back(std::move(computation));
        return {};
    }

    Status instruction(Computation& computation, bool& has_root) {
        const auto index = static_cast<std::uint32_t>(computation.instructions.size());
        Instruction instruction;
        instruction.name = cursor_.word();
        instruction.line = cursor_.line();
        if (instruction.name == "ROOT" && cursor_.peek() != '=') {
            if (has_root) return cursor_.error("second ROOT instruction", "one ROOT");
            has_root = true;
            computation.root = index;
            instruction.name = cursor_.word();
        }
        if (instruction.name.empty()) return cursor_.error("unexpected text", "an instruction");
        SW_CHECK(cursor_.expect('='));
        SW_TRY(instruction.shape, parse_shape(cursor_));
        instruction.opcode = cursor_.word();
        if (instruction.opcode.empty()) return cursor_.error("missing opcode", "an HLO opcode");
        if (cursor_.peek() != '(') return cursor_.error("missing operands", "'('");
        SW_TRY(instruction.argument, cursor_.group());
        SW_TRY(instruction.attributes, attributes());
        if (instruction.opcode == "parameter") {
            Cursor number(source_, instruction.argument);
            SW_TRY(instruction.parameter, number.expect_integer());
        } else if (instruction.opcode != "constant") {
            SW_CHECK(operands(instruction));
        }
        if (!names_.emplace(instruction.name, index).second)
            return source_.error(
                instruction.name,
                "instruction '" + std::string(instruction.name) + "' defined twice",
                "distinct names");
        computation.instructions.push_back(std::move(instruction));
        return {};
    }

    /// Operands: `%x`, `x`, `f32[2]{0} %x` or `(f32[], s32[]) %x`.
    Status operands(Instruction& instruction) {
        Cursor list(source_, instruction.argument);
        while (!list.at_end()) {
            if (list.peek() == '(') {
                SW_TRY([[maybe_unused]] const Shape type, parse_shape(list));
            }
            const char* start = list.at();
            std::string_view name = list.word();
            if (list.raw() == '[') {
                list.set(start);
                SW_TRY([[maybe_unused]] const Shape type, parse_shape(list));
                list.skip();
                start = list.at();
                name = list.word();
            }
            const auto found = names_.find(name);
            if (found == names_.end())
                return source_.error(start, "unknown operand '" + std::string(name) + "'",
                                     "an instruction defined above in this computation");
            instruction.operands.push_back(found->second);
            if (!list.eat(',') && !list.at_end()) return list.error("unexpected text", "','");
        }
        return {};
    }

    Status number_parameters(Computation& computation) {
        constexpr std::uint32_t kMissing = std::numeric_limits<std::uint32_t>::max();
        std::vector<std::uint32_t>& order = computation.parameters;
        const auto count =
            std::count_if(computation.instructions.begin(), computation.instructions.end(),
                          [](const Instruction& i) { return i.opcode == "parameter"; });
        order.assign(static_cast<std::size_t>(count), kMissing);
        for (std::uint32_t i = 0; i < computation.instructions.size(); ++i) {
            const Instruction& instruction = computation.instructions[i];
            if (instruction.opcode != "parameter") continue;
            const std::int64_t number = instruction.parameter;
            if (number < 0 || number >= count ||
                order[static_cast<std::size_t>(number)] != kMissing)
                return source_.error(instruction.argument,
                                     "bad parameter number " + std::to_string(number),
                                     "each of 0 to " + std::to_string(count - 1) + " once");
            order[static_cast<std::size_t>(number)] = i;
        }
        return {};
    }
};

}  // namespace

std::string_view Instruction::attribute(std::string_view key) const {
    return find(attributes, key);
}
std::string_view File::header_attribute(std::string_view key) const {
    return find(header, key);
}

Result<File> parse_hlo_syntax(std::string_view text, const std::string& file) {
    const Source source{text, file};
    return Parser(source).file();
}

}  // namespace shardwright::formats::hlo
