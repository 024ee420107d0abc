#pragma once
// Shape inference: the result types of an operation, shared by readers, builders and the verifier.

#include <vector>

#include "base/result.h"
#include "ir/module.h"

namespace shardwright::ir {

/// What inference sees of an operation before it exists.
struct OpSignature {
    OpKind kind;
    std::span<const ValueId> operands;
    const Attributes& attributes;
    std::span<const RegionId> regions;
};

/// Infers result types by StableHLO's rules and checks the operands and attributes on the way; the
/// diagnostic says what is wrong and what was expected (without a place: the caller knows it).
/// Operations whose result type is their own choice (constant, iota, convert, bitcast_convert,
/// reshape, broadcast_in_dim, rng, rng_bit_generator, custom_call, infeed, recv, dynamic ones) need
/// `stated`; the others may be given it, and it is then checked for agreement. dot_general's and
/// convolution's element type follows `stated` when present (preferred element type).
Result<std::vector<TensorType>> infer_types(const Module& module, const OpSignature& op,
                                            std::span<const TensorType> stated = {});

/// Checks a whole module: every operation against `infer_types`, dominance of operands, regions'
/// arities, terminators, annotations' ranks and meshes.
Status verify_module(const Module& module);

}  // namespace shardwright::ir
