#pragma once
// Every operation name that the reader knows: how its pretty form is spelt, how it becomes ir.

#include <cstdint>
#include <string_view>

#include "ir/op_kind.h"

namespace shardwright::formats::mlir {

/// The family of an operation's pretty form. All operations have the generic form besides.
enum class Form : std::uint8_t {
    kList,      ///< `%a, %b, key = value {…} : signature`, perhaps in parentheses
    kPairwise,  ///< the same, each listed type being a result's
    kNoResult,  ///< the same without results
    kCompare,
    kSlice,
    kConvolution,
    kReduce,
    kWhile,
    kCustomCall,
    kCall,
    kComposite,
    kConstant,
    kCheckConstant,  ///< `%a, dense<…> : t`
    kReturn,
    kGlobal,
    kGlobalAddress,
    kGlobalLoad,
    kMesh,
    kManual,
    kNamed,
    kSharded,     ///< `sdy.reshard %a <@mesh, …> : t`
    kGroup,       ///< `sdy.sharding_group %a group_id = 0 : t`
    kBarrier,     ///< `sdy.propagation_barrier %a allowed_direction=FORWARD : t`
    kEdge,        ///< `sdy.data_flow_edge %a sharding=<…> : t`
    kCollective,  ///< `sdy.all_gather [{}, {"x"}] %a out_sharding=<…> : t`
};

/// What the importer does with it.
enum class Lower : std::uint8_t {
    kPlain,  ///< one operation of `kind` with decoded attributes
    kConstant,
    kConstantLike,
    kDot,
    kEinsum,
    kBroadcast,
    kCreateToken,
    kCall,
    kComposite,
    kReturn,
    kCustomCall,
    kRunParallel,
    kCheckConstant,
    kGlobal,
    kGlobalAddress,
    kGlobalLoad,
    kMesh,
    kManual,
    kNamed,
    kReshardLike,
    kFuncEdge,
    kChlo,           ///< expanded by name
    kChloBroadcast,  ///< `broadcast_add`: broadcast both, then `kind`
    kUnsupported,
};

struct Operation {
    std::string_view name;  ///< with the dialect
    Form form = Form::kList;
    Lower lower = Lower::kPlain;
    ir::OpKind kind = ir::OpKind::kConstant;
};

/// Null when no such operation is known. `return`, `call` and `constant` stand for func's and
/// arith's.
const Operation* find_operation(std::string_view name);

}  // namespace shardwright::formats::mlir
