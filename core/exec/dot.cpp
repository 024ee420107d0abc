// dot_general: operands seen as batches of matrices (packed only when their strides do not allow
// it), then one matrix product.
#include <algorithm>
#include <memory>

#include "exec/convert_array.h"
#include "exec/kernel.h"
#include "exec/matmul.h"
#include "exec/narrow.h"
#include "exec/strided_copy.h"

namespace shardwright::exec {
namespace {

using ir::ElementType;

/// Below this many multiplications a library call costs more than the loops.
constexpr std::int64_t kSmallWork = 8192;

/// One operand as [batch, rows, columns]: the permuted dims and whether three strides describe it.
struct Side {
    Dims sizes, strides;                 // permuted, one a dim
    std::int64_t extent[3] = {1, 1, 1};  // batch, rows, columns
    std::int64_t stride[3] = {0, 0, 0};  // of the groups, when `uniform`
    bool uniform = true;
    bool dense = false;  // already row-major [batch, rows, columns]

    Side(const Dims& dims, const Dims& batch, const Dims& rows, const Dims& columns) {
        const Dims all = row_major(view(dims));
        const Dims* groups[] = {&batch, &rows, &columns};
        for (int g = 0; g < 3; ++g) {
            std::int64_t next = -1;  // stride × size that the next dim of the group must meet
            for (const std::int64_t dim : *groups[g]) {
                const auto d = static_cast<std::size_t>(dim);
                sizes.push_back(dims[d]);
                strides.push_back(all[d]);
                extent[g] *= dims[d];
                if (dims[d] == 1) continue;
                if (next >= 0 && next != all[d] * dims[d]) uniform = false;
                stride[g] = next = all[d];
            }
        }
        const std::int64_t want[] = {extent[1] * extent[2], extent[2], 1};
        dense = uniform;
        for (int g = 0; g < 3; ++g)
            if (extent[g] == 1)
                stride[g] = want[g];
            else if (stride[g] != want[g])
                dense = false;
        // Matrix libraries want one of the two inner dims contiguous, and rows that do not overlap.
        if (uniform && stride[1] != 1 && stride[2] != 1) uniform = false;
    }
    std::int64_t count() const { return extent[0] * extent[1] * extent[2]; }
    void make_dense() {
        uniform = dense = true;
        stride[0] = extent[1] * extent[2];
        stride[1] = extent[2];
        stride[2] = 1;
    }
};

Dims free_dims(std::size_t rank, const Dims& batch, const Dims& contracting) {
    Dims free;
    for (std::size_t d = 0; d < rank; ++d) {
        const auto dim = static_cast<std::int64_t>(d);
        if (std::find(batch.begin(), batch.end(), dim) == batch.end() &&
            std::find(contracting.begin(), contracting.end(), dim) == contracting.end())
            free.push_back(dim);
    }
    return free;
}

/// The type in which products are summed.
ElementType accumulation_type(ElementType operand, ElementType result, bool f64) {
    if (ir::is_complex(result) || !ir::is_float(result)) return result;
    if (f64 || result == ElementType::kF64 || operand == ElementType::kF64)
        return ElementType::kF64;
    return ElementType::kF32;
}

/// Operands as they are, or packed and converted into memory of their own.
class Operand {
  public:
    Operand(Side side, ElementType from, ElementType to, bool need_dense)
        : side_(std::move(side)), from_(from), to_(to) {
        pack_ = need_dense ? !side_.dense : !side_.uniform;
        if (pack_) side_.make_dense();
    }
    const Side& side() const { return side_; }

    const std::byte* get(const std::byte* data, std::vector<std::byte>& packed,
                         std::vector<std::byte>& converted) const {
        const std::int64_t count = side_.count();
        if (pack_) {
            const int bytes = ir::storage_bytes(from_);
            packed.resize(static_cast<std::size_t>(count * bytes));
            strided_copy(bytes, view(side_.sizes), data, view(side_.strides), packed.data(),
                         view(row_major(view(side_.sizes))));
            data = packed.data();
        }
        if (from_ == to_) return data;
        converted.resize(static_cast<std::size_t>(count * ir::storage_bytes(to_)));
        convert_array(from_, data, to_, converted.data(), count);
        return converted.data();
    }

  private:
    Side side_;
    ElementType from_, to_;
    bool pack_ = false;
};

struct Dot {
    Operand lhs, rhs;
    MatmulShape shape;
    ElementType accumulate, result;
    ElementType produced;  ///< what the matrix product writes
    std::shared_ptr<OneDnnMatmul> library;

    Status run(const Call& call) const {
        std::vector<std::byte> memory[5];
        const std::byte* a = lhs.get(call.in[0], memory[0], memory[1]);
        const std::byte* b = rhs.get(call.in[1], memory[2], memory[3]);
        const std::int64_t count = shape.batch * shape.m * shape.n;
        std::byte* target = call.out[0];
        if (produced != result) {
            memory[4].resize(static_cast<std::size_t>(count * ir::storage_bytes(produced)));
            target = memory[4].data();
        }
        if (library)
            library->run(a, b, target);
        else
            plain_matmul(produced, shape, a, b, target);
        if (produced != result) convert_array(produced, target, result, call.out[0], count);
        return {};
    }
};

MatmulShape matmul_shape(const Side& l, const Side& r) {
    MatmulShape s;
    s.batch = l.extent[0];
    s.m = l.extent[1];
    s.k = l.extent[2];
    s.n = r.extent[2];
    s.a_batch = l.stride[0], s.a_row = l.stride[1], s.a_column = l.stride[2];
    s.b_batch = r.stride[0], s.b_row = r.stride[1], s.b_column = r.stride[2];
    return s;
}

}  // namespace

Result<Kernel> prepare_dot(const Preparation& p) {
    const auto& d = p.attributes<ir::DotAttributes>();
    const ElementType left = p.operand(0).element, right = p.operand(1).element;
    const ElementType result = p.result().element;
    const Side l(p.operand(0).dims, d.lhs_batch,
                 free_dims(p.operand(0).rank(), d.lhs_batch, d.lhs_contracting), d.lhs_contracting);
    const Side r(p.operand(1).dims, d.rhs_batch, d.rhs_contracting,
                 free_dims(p.operand(1).rank(), d.rhs_batch, d.rhs_contracting));
    const ElementType accumulate = accumulation_type(left, result, p.options.accumulate_f64);
    if (result == ElementType::kBool || !can_convert(left, accumulate) ||
        !can_convert(right, accumulate) || !can_convert(accumulate, result))
        return p.unsupported_here("dot_general of these element types");

    const auto plan = [&](ElementType operands, ElementType produced, bool dense) {
        const Operand a(l, left, operands, dense), b(r, right, operands, dense);
        return Dot{a, b, matmul_shape(a.side(), b.side()), accumulate, result, produced, nullptr};
    };
    Dot dot = plan(accumulate, accumulate, true);
    const std::int64_t work = dot.shape.work();
    if (accumulate == ElementType::kF32 && work > kSmallWork) {
        const bool half = left == ElementType::kBF16 && right == ElementType::kBF16 &&
                          (result == ElementType::kBF16 || result == ElementType::kF32);
        Dot fast = plan(half ? ElementType::kBF16 : accumulate, half ? result : accumulate, false);
        fast.library =
            OneDnnMatmul::create(fast.shape, half ? ElementType::kBF16 : accumulate, fast.produced);
        if (!fast.library && half) {
            fast = plan(accumulate, accumulate, false);
            fast.library = OneDnnMatmul::create(fast.shape, accumulate, accumulate);
        }
        if (fast.library) dot = std::move(fast);
    }
    Kernel kernel;
    kernel.own_threads = dot.library != nullptr;
    auto shared = std::make_shared<Dot>(std::move(dot));
    kernel.run = [shared](const Call& call) { return shared->run(call); };
    return kernel;
}

}  // namespace shardwright::exec
