#pragma once
// Copies a module operation by operation; a pass drops, replaces or adds some on the way.

#include <functional>
#include <vector>

#include "ir/module.h"

namespace shardwright::partition {

class Rewriter {
  public:
    explicit Rewriter(const ir::Module& from);

    /// Called for every operation, in order, before it is copied: false = it is not (the hook has
    /// mapped its results, or nobody needs them).
    using Hook = std::function<bool(Rewriter&, ir::OpId)>;
    ir::Module run(const Hook& hook);

    const ir::Module& from() const { return from_; }
    ir::Module& to() { return to_; }
    /// The copy of a value.
    ir::ValueId mapped(ir::ValueId old) const { return map_[old.index]; }
    void map(ir::ValueId old, ir::ValueId made) { map_[old.index] = made; }
    /// Copies `id`, with other attributes, kind, operands or result type where given.
    struct Change {
        const ir::OpKind* kind = nullptr;
        const ir::Attributes* attributes = nullptr;
        std::span<const ir::ValueId> operands = {};  ///< of the new module; empty = the mapped ones
        std::span<const ir::TensorType> results = {};  ///< empty = the same
    };
    ir::OpId copy(ir::OpId id, const Change& change);
    /// A new operation in the place of `like` (its scope, line and origin).
    ir::OpId add(ir::OpId like, ir::OpKind kind, std::span<const ir::ValueId> operands,
                 const ir::TensorType& result, ir::Attributes attributes = {});

  private:
    ir::RegionId region(ir::RegionId old, const Hook& hook);
    ir::OpId emit(ir::OpId like, ir::OpKind kind, std::span<const ir::ValueId> operands,
                  std::span<const ir::TypeId> types, ir::Attributes attributes,
                  std::span<const ir::RegionId> regions);
    void rename(ir::Attributes& attributes);

    const ir::Module& from_;
    ir::Module to_;
    std::vector<ir::ValueId> map_;
    ir::RegionId current_;
    const Hook* hook_ = nullptr;
};

}  // namespace shardwright::partition
