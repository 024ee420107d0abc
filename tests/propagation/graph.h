#pragma once
// A small graph with annotations, completed and read back in the short text form.

#include <initializer_list>
#include <string>

#include "ir/builder.h"
#include "propagation/propagate.h"
#include "registry.h"
#include "sharding/text.h"

namespace shardwright::test {

/// Example: Graph g("x=2,y=2", {{8, 4}}); auto y = g.b.add(kNegate, {g.arg(0)}); g.ret({y});
/// g.annotate(g.arg(0), "[x,-]"); g.complete(); g.text(y) == "[x, -]".
class Graph {
  public:
    Graph(std::string_view mesh, std::initializer_list<Dims> arguments,
          ir::ElementType element = ir::ElementType::kF32)
        : b(m) {
        mesh_id = m.add_mesh(mesh::Mesh::parse(mesh).value());
        std::vector<ir::TensorType> types;
        for (const Dims& d : arguments) types.push_back({element, d});
        body = b.begin_function("main", types);
    }
    ir::ValueId arg(std::size_t i) const { return m.argument(body, i); }
    void ret(std::initializer_list<ir::ValueId> values) { b.ret({values.begin(), values.size()}); }
    sharding::Sharding parse(ir::ValueId v, std::string_view text) const {
        return sharding::parse_short(text, m.mesh(mesh_id), mesh_id, m.type(v).rank()).value();
    }
    void annotate(ir::ValueId v, std::string_view text) { m.annotate(v, parse(v, text)); }
    ir::ValueId constrain(ir::ValueId v, std::string_view text, Dims unspecified = {}) {
        return b.add(ir::OpKind::kShardingConstraint, {v},
                     ir::ShardingAttributes{parse(v, text), std::move(unspecified)});
    }
    const propagation::Result& complete(propagation::Options options = {}) {
        const rules::RuleTable rules(m);
        result = propagation::propagate(m, rules, mesh_id, options);
        return result;
    }
    std::string text(ir::ValueId v) const {
        sharding::Sharding s = result.of(v);
        for (sharding::DimSharding& dim : s.dims)
            dim.open = false;  // which axes, not which may come
        return sharding::print_short(s, m.mesh(mesh_id));
    }

    ir::Module m;
    ir::Builder b;
    sharding::MeshId mesh_id;
    ir::RegionId body;
    propagation::Result result;
};

/// The usual matrix product: the last dim of lhs with the first of rhs.
inline ir::DotAttributes matmul(std::int64_t lhs_contracting = 1,
                                std::int64_t rhs_contracting = 0) {
    ir::DotAttributes a;
    a.lhs_contracting = {lhs_contracting};
    a.rhs_contracting = {rhs_contracting};
    return a;
}

}  // namespace shardwright::test
