#pragma once
// One case of shape inference as data: operands and results in HLO's spelling, `f32[2,3] s32[]`.

#include <sstream>
#include <string>
#include <vector>

#include "ir/builder.h"
#include "ir/infer.h"

namespace shardwright::test {

struct InferenceCase {
    const char* name;
    ir::OpKind kind;
    const char* operands;
    ir::Attributes attributes;
    const char* expected;      ///< result types, or "!part of the message"
    const char* stated = "";   ///< types that the file states
    const char* regions = "";  ///< words: add:f32 (combiner), lt:f32 (comparator), …
};

inline std::vector<ir::TensorType> parse_types(const char* text) {
    std::vector<ir::TensorType> types;
    std::istringstream in(text);
    for (std::string word; in >> word;) {
        const std::size_t open = word.find('[');
        ir::TensorType t;
        t.element = ir::parse_hlo_element_type(word.substr(0, open)).value();
        if (open != std::string::npos) {
            std::istringstream dims(word.substr(open + 1, word.size() - open - 2));
            for (std::string d; std::getline(dims, d, ',');) t.dims.push_back(std::stoll(d));
        }
        types.push_back(t);
    }
    return types;
}

/// A region of the wanted sort on scalars.
inline ir::RegionId make_region(ir::Builder& b, const std::string& word) {
    const std::size_t colon = word.find(':');
    const ir::ElementType e = ir::parse_hlo_element_type(word.substr(colon + 1)).value();
    const std::string op = word.substr(0, colon);
    if (op != "lt") return b.combiner_region(*ir::find_op_kind(op), e);
    const std::vector<ir::TensorType> arguments(2, ir::TensorType{e, {}});
    const ir::RegionId region = b.make_region(arguments);
    const ir::RegionId outer = b.region();
    b.set_region(region);
    const ir::ValueId less = b.compare(b.module().argument(region, 0),
                                       b.module().argument(region, 1), ir::Direction::kLt);
    b.ret({&less, 1});
    b.set_region(outer);
    return region;
}

/// What inference says: types in HLO's spelling, or "!" and the message.
inline std::string infer(const InferenceCase& c) {
    ir::Module m;
    ir::Builder b(m);
    const auto arguments = parse_types(c.operands);
    const ir::RegionId body = b.begin_function("main", arguments);
    std::vector<ir::ValueId> operands;
    for (std::size_t i = 0; i < arguments.size(); ++i) operands.push_back(m.argument(body, i));
    std::vector<ir::RegionId> regions;
    std::istringstream in(c.regions);
    for (std::string word; in >> word;) regions.push_back(make_region(b, word));
    const auto stated = parse_types(c.stated);
    const auto types = ir::infer_types(m, {c.kind, operands, c.attributes, regions}, stated);
    if (!types.ok()) return "!" + types.error().text();
    std::string text;
    for (const ir::TensorType& t : *types) text += (text.empty() ? "" : " ") + ir::hlo_text(t);
    return text;
}

}  // namespace shardwright::test
