#pragma once
// What an operation has to do: FLOPs and memory traffic, from its shapes alone.

#include <cstdint>
#include <vector>

#include "ir/module.h"

namespace shardwright::cost {

/// FLOPs by the unit that does them, and bytes read and written if nothing is fused.
struct Work {
    double matrix_flops = 0;  ///< dots and convolutions: a multiply-add counts two
    double vector_flops = 0;  ///< elementwise work and reductions: one an element
    double bytes = 0;

    double flops() const { return matrix_flops + vector_flops; }
    Work& operator+=(const Work& other) {
        matrix_flops += other.matrix_flops;
        vector_flops += other.vector_flops;
        bytes += other.bytes;
        return *this;
    }
    Work times(double n) const { return {matrix_flops * n, vector_flops * n, bytes * n}; }
};

/// One execution of an operation. Operations with bodies that run (while, case, if, manual
/// computation) count their bodies: a while trip count times (1 when unknown), a case its dearest
/// branch. A dot of [M,K]·[K,N] has 2·M·N·K FLOPs; a convolution 2 · result elements · kernel
/// elements an output. Slices and updates at run-time indices touch only what they move.
/// Collectives do no work here: `collective_time.h` has their time.
Work work(const ir::Module& module, ir::OpId op);

/// The sum over a region's operations.
Work region_work(const ir::Module& module, ir::RegionId region);

/// FLOPs of one operation, and of one run of the entry function.
double flops(const ir::Module& module, ir::OpId op);
double flops(const ir::Module& module);
/// FLOPs of the matrix unit in one run of the entry function, and those of them that repeat forward
/// work for the backward pass (scope paths with `rematted_computation`).
struct ModelFlops {
    double all = 0, matrix = 0, rematerialised = 0;
};
ModelFlops model_flops(const ir::Module& module);

/// How often a while runs: what is known, else 1.
double trips(const ir::Module& module, ir::OpId while_op);

}  // namespace shardwright::cost
