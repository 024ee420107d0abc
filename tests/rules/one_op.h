#pragma once
// A module of one operation, to ask for its rule.

#include <initializer_list>
#include <vector>

#include "ir/module.h"
#include "rules/rule.h"

namespace shardwright::test {

/// Arguments of the given dims; then operations on them, each with explicit result dims.
class OneOp {
  public:
    explicit OneOp(std::initializer_list<Dims> arguments) {
        body_ = m_.add_region();
        std::vector<ir::TypeId> types;
        for (const Dims& d : arguments) types.push_back(type(d));
        m_.set_arguments(body_, types);
        m_.add_function("main", body_);
        for (std::size_t i = 0; i < types.size(); ++i) values_.push_back(m_.argument(body_, i));
    }
    ir::Module& module() { return m_; }
    /// All arguments, or what `use` chose.
    OneOp& use(std::vector<ir::ValueId> values) {
        values_ = std::move(values);
        return *this;
    }
    ir::ValueId argument(std::size_t i) const { return m_.argument(body_, i); }
    ir::OpId add(ir::OpKind kind, std::initializer_list<Dims> results,
                 ir::Attributes attributes = {}, std::vector<ir::RegionId> regions = {}) {
        std::vector<ir::TypeId> types;
        for (const Dims& d : results) types.push_back(type(d));
        return m_.add_op(body_, kind, values_, types, std::move(attributes), regions);
    }
    std::string text(ir::OpKind kind, std::initializer_list<Dims> results,
                     ir::Attributes attributes = {}, std::vector<ir::RegionId> regions = {}) {
        return rules::einsum_text(
            rules::make_rule(m_, add(kind, results, std::move(attributes), std::move(regions))));
    }
    /// A region `(a, b) -> combiner(a, b)`.
    ir::RegionId combiner(ir::OpKind kind) {
        const ir::RegionId region = m_.add_region();
        const ir::TypeId scalar = type({});
        const ir::TypeId two[] = {scalar, scalar};
        m_.set_arguments(region, two);
        const ir::ValueId both[] = {m_.argument(region, 0), m_.argument(region, 1)};
        const ir::ValueId value = m_.result(m_.add_op(region, kind, both, {&scalar, 1}));
        m_.add_op(region, ir::OpKind::kReturn, {&value, 1}, {});
        return region;
    }

  private:
    ir::TypeId type(const Dims& dims) { return m_.intern_type({ir::ElementType::kF32, dims}); }
    ir::Module m_;
    ir::RegionId body_;
    std::vector<ir::ValueId> values_;
};

}  // namespace shardwright::test
