#pragma once
// A convolution brought to one form: input [n, groups·c, spatial], kernel [groups·o, c, spatial],
// result [n, groups·o, spatial], all dense, input padded and dilated already where a plain
// convolution could not express it.

#include <cstdint>

#include "exec/kernel.h"
#include "exec/strided_copy.h"

namespace shardwright::exec {

struct ConvolutionForm {
    std::int64_t batch = 1, groups = 1, in_channels = 1, out_channels = 1;  // channels per group
    Dims input, kernel, result;                                             // spatial sizes
    Dims strides, dilation, pad_low, pad_high;

    // How the operands get there: strided copies (source strides, target sizes and strides).
    struct Move {
        Dims sizes, from, to;
        std::int64_t from_offset = 0, to_offset = 0, count = 0;
        bool clears = false;  ///< the target has places that the source does not fill
        void run(int bytes, const std::byte* src, std::byte* dst) const;
    };
    Move input_move, kernel_move, result_move;

    explicit ConvolutionForm(const Preparation& p);
    std::int64_t work() const;

  private:
    void move_input(const ir::ConvolutionAttributes& a, const Dims& lhs);
    void move_kernel(const ir::ConvolutionAttributes& a, const Dims& rhs);
    void move_result(const ir::ConvolutionAttributes& a, const Dims& out);
};

}  // namespace shardwright::exec
