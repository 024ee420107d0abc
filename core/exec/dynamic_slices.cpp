// dynamic_slice and dynamic_update_slice: start indices clamp so that the window lies inside.
#include <algorithm>
#include <cstring>

#include "exec/index_values.h"
#include "exec/kernel.h"
#include "exec/strided_copy.h"

namespace shardwright::exec {
namespace {

struct Window {
    int bytes = 0;
    Dims operand, sizes, strides, window_strides;
    std::vector<ir::ElementType> index_types;

    /// Offset in elements of the clamped window.
    std::int64_t offset(const std::byte* const* indices) const {
        std::int64_t at = 0;
        for (std::size_t d = 0; d < sizes.size(); ++d) {
            const std::int64_t start = index_value(indices[d], index_types[d], 0);
            at += std::clamp<std::int64_t>(start, 0, operand[d] - sizes[d]) * strides[d];
        }
        return at;
    }
};

Window window_of(const Preparation& p, const Dims& sizes, std::size_t first_index) {
    Window w;
    w.bytes = ir::storage_bytes(p.operand(0).element);
    w.operand = p.operand(0).dims;
    w.sizes = sizes;
    w.strides = row_major(view(w.operand));
    w.window_strides = row_major(view(sizes));
    for (std::size_t i = first_index; i < p.operand_count(); ++i)
        w.index_types.push_back(p.operand(i).element);
    return w;
}

}  // namespace

Result<Kernel> prepare_dynamic(const Preparation& p) {
    Kernel kernel;
    if (p.module.op(p.op).kind == ir::OpKind::kDynamicSlice) {
        kernel.run = [w = window_of(p, p.result().dims, 1)](const Call& call) -> Status {
            strided_copy(w.bytes, view(w.sizes), call.in[0] + w.offset(call.in + 1) * w.bytes,
                         view(w.strides), call.out[0], view(w.window_strides));
            return {};
        };
        return kernel;
    }
    const std::int64_t total = p.result().element_count() * ir::storage_bytes(p.result().element);
    kernel.in_place_operand = 0;
    kernel.run = [w = window_of(p, p.operand(1).dims, 2), total](const Call& call) -> Status {
        if (call.in[0] != call.out[0] && total != 0)
            std::memcpy(call.out[0], call.in[0], static_cast<std::size_t>(total));
        strided_copy(w.bytes, view(w.sizes), call.in[1], view(w.window_strides),
                     call.out[0] + w.offset(call.in + 2) * w.bytes, view(w.strides));
        return {};
    };
    return kernel;
}

}  // namespace shardwright::exec
