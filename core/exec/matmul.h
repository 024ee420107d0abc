#pragma once
// Batched matrix products on plain arrays: oneDNN where it is good, own loops elsewhere.

#include <cstdint>
#include <memory>

#include "ir/element_type.h"

namespace shardwright::exec {

/// C[b,m,n] = Σ_k A[b,m,k]·B[b,k,n]; C is row-major and dense, A and B have strides in elements.
struct MatmulShape {
    std::int64_t batch = 1, m = 1, n = 1, k = 1;
    std::int64_t a_batch = 0, a_row = 0, a_column = 0;  ///< strides of b, m, k
    std::int64_t b_batch = 0, b_row = 0, b_column = 0;  ///< strides of b, k, n
    std::int64_t work() const { return batch * m * n * k; }
};

/// A oneDNN matmul of f32 or bf16 (f32 accumulation) matrices. Runs on OpenMP.
class OneDnnMatmul {
  public:
    /// Null when oneDNN has only a slow reference implementation for it on this machine.
    static std::shared_ptr<OneDnnMatmul> create(const MatmulShape& shape, ir::ElementType operands,
                                                ir::ElementType result);
    void run(const std::byte* a, const std::byte* b, std::byte* c) const;

  private:
    struct Primitive;
    std::shared_ptr<Primitive> primitive_;
};

/// Own loops over dense row-major A [b,m,k] and B [b,k,n] of one type: f32, f64, c64, c128, or an
/// integer (products wrap). The same bits for any number of threads.
void plain_matmul(ir::ElementType type, const MatmulShape& shape, const std::byte* a,
                  const std::byte* b, std::byte* c);

}  // namespace shardwright::exec
