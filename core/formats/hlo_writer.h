#pragma once
// From the IR to HLO text. Regions become computations; what they capture is passed in.

#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/write_model.h"
#include "ir/module.h"

namespace shardwright::formats::hlo {

/// One computation while it is written: its lines, and the name that each value has in it.
struct Body {
    std::string name;
    std::vector<std::string> lines;
    std::string root;  ///< name of the root instruction; empty = the last line
    std::set<std::string, std::less<>> taken;
    std::unordered_map<ir::ValueId, std::string> names;
};

class Writer {
  public:
    Writer(const ir::Module& module, const WriteOptions& options) : m_(module), options_(options) {}
    std::string run();

  private:
    const ir::Module& m_;
    const WriteOptions& options_;
    std::string computations_;  // finished ones, callees first
    std::set<std::string, std::less<>> computation_names_;
    std::unordered_map<std::string, std::string> reducers_;  // "add f32" -> computation
    std::int64_t next_channel_ = 1;

    // --- module (write_hlo.cpp)
    // ---------------------------------------------------------------------
    std::string header(const ir::Function& entry) const;
    std::string aliases(const ir::Function& entry) const;
    void finish(Body& body, bool is_entry);
    std::string computation_name(std::string_view wanted);
    void region(Body& body, ir::RegionId region);

    // --- names and lines (write_hlo.cpp)
    // ------------------------------------------------------------
    std::string fresh(Body& body, std::string_view wanted) const;
    std::string name_for(Body& body, ir::ValueId value) const;
    const std::string& of(Body& body, ir::ValueId value);
    std::string operands(Body& body, ir::OpId op);
    /// `%name = type text`, and returns the name.
    std::string line(Body& body, std::string name, const std::string& type,
                     const std::string& text);
    std::string step(Body& body, const ir::TensorType& type, const std::string& text) {
        return line(body, fresh(body, "t"), ir::hlo_text(type), text);
    }
    std::string tuple_type(std::span<const ir::ValueId> values) const;
    std::string tuple(Body& body, std::span<const ir::ValueId> values);
    const sharding::Sharding* sharding_of(ir::ValueId value) const;
    std::string sharding_text(const sharding::Sharding& s, bool per_value) const;
    std::string annotation(ir::ValueId value) const;
    std::string metadata(std::string_view path) const;

    // --- operations (hlo_write_ops.cpp, hlo_write_control.cpp)
    // ----------------------------------------
    void operation(Body& body, ir::OpId op);
    /// The results of `op` are those of the instruction `text` ("add(%a, %b), attribute=…").
    void results(Body& body, ir::OpId op, const std::string& text);
    void constant(Body& body, ir::OpId op);
    void fallback(Body& body, ir::OpId op);
    bool control(Body& body, ir::OpId op);
    void while_loop(Body& body, ir::OpId op);
    void conditional(Body& body, ir::OpId op);
    void manual(Body& body, ir::OpId op);
    std::string combiner(ir::OpId op, std::size_t region);
    std::vector<ir::ValueId> captures(std::span<const ir::RegionId> regions) const;
    void bind_tuple(Body& body, std::string_view parameter, std::span<const ir::ValueId> values);

    // --- collectives (hlo_write_collectives.cpp)
    // --------------------------------------------------------
    bool collective(Body& body, ir::OpId op);
    void axis_index(Body& body, ir::OpId op);
    void all_to_all(Body& body, ir::OpId op, const std::string& tail);
    std::string reducer(sharding::Reduction reduction, ir::ElementType type);
};

/// `replica_groups=…` of axes: the iota form, whose size does not grow with the devices.
std::string replica_groups_text(const mesh::Mesh& mesh, std::span<const mesh::AxisRef> axes);
/// `{ {1, 2}, {3, 4} }`, `1.5`, `{...}`.
std::string literal_text(const ir::Literal& literal);
/// Attributes that follow the operands: ", dimensions={0}", …; "" when the operation has none.
std::string attributes_text(const ir::Module& module, ir::OpId op);
std::string braces(std::span<const std::int64_t> dims);
/// HLO's opcode of an operation that maps one to one; "" for the others.
std::string_view opcode_of(ir::OpKind kind);

}  // namespace shardwright::formats::hlo
