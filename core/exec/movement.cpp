// Operations that only move elements: each is one or a few strided copies.
#include <cstring>
#include <memory>

#include "exec/kernel.h"
#include "exec/parallel.h"
#include "exec/strided_copy.h"

namespace shardwright::exec {
namespace {

using ir::OpKind;

/// A copy whose geometry is known beforehand.
struct Copy {
    int bytes = 0;
    Dims sizes, src_strides, dst_strides;
    std::int64_t src_offset = 0, dst_offset = 0;  // in elements

    void run(const std::byte* src, std::byte* dst) const {
        strided_copy(bytes, view(sizes), src + src_offset * bytes, view(src_strides),
                     dst + dst_offset * bytes, view(dst_strides));
    }
};

Copy whole_result(const Preparation& p) {
    Copy copy;
    copy.bytes = ir::storage_bytes(p.result().element);
    copy.sizes = p.result().dims;
    copy.dst_strides = row_major(view(p.result().dims));
    copy.src_strides = Dims(copy.sizes.size(), 0);
    return copy;
}

Kernel kernel_of(Copy copy) {
    Kernel kernel;
    kernel.run = [copy = std::move(copy)](const Call& call) -> Status {
        copy.run(call.in[0], call.out[0]);
        return {};
    };
    return kernel;
}

Kernel broadcast(const Preparation& p) {
    Copy copy = whole_result(p);
    const Dims& map = p.attributes<ir::DimsAttributes>().dims;
    const Dims strides = row_major(view(p.operand(0).dims));
    for (std::size_t d = 0; d < map.size(); ++d)
        if (p.operand(0).dims[d] != 1)
            copy.src_strides[static_cast<std::size_t>(map[d])] = strides[d];
    return kernel_of(std::move(copy));
}

Kernel transpose(const Preparation& p) {
    Copy copy = whole_result(p);
    const Dims& permutation = p.attributes<ir::DimsAttributes>().dims;
    const Dims strides = row_major(view(p.operand(0).dims));
    for (std::size_t d = 0; d < permutation.size(); ++d)
        copy.src_strides[d] = strides[static_cast<std::size_t>(permutation[d])];
    return kernel_of(std::move(copy));
}

Kernel slice(const Preparation& p) {
    Copy copy = whole_result(p);
    const auto& attributes = p.attributes<ir::SliceAttributes>();
    const Dims strides = row_major(view(p.operand(0).dims));
    for (std::size_t d = 0; d < strides.size(); ++d) {
        copy.src_offset += attributes.start[d] * strides[d];
        copy.src_strides[d] = strides[d] * attributes.strides[d];
    }
    return kernel_of(std::move(copy));
}

Kernel reverse(const Preparation& p) {
    Copy copy = whole_result(p);
    copy.src_strides = row_major(view(p.operand(0).dims));
    for (const std::int64_t dim : p.attributes<ir::DimsAttributes>().dims) {
        const auto d = static_cast<std::size_t>(dim);
        copy.src_offset += (copy.sizes[d] - 1) * copy.src_strides[d];
        copy.src_strides[d] = -copy.src_strides[d];
    }
    return kernel_of(std::move(copy));
}

/// The padding value everywhere, then the operand's elements that land inside; negative padding
/// drops some at either end.
Kernel pad(const Preparation& p) {
    Copy copy;
    copy.bytes = ir::storage_bytes(p.result().element);
    const auto& attributes = p.attributes<ir::PadAttributes>();
    const Dims src = row_major(view(p.operand(0).dims)), dst = row_major(view(p.result().dims));
    for (std::size_t d = 0; d < src.size(); ++d) {
        const std::int64_t step = attributes.interior[d] + 1, low = attributes.low[d];
        const std::int64_t first = low >= 0 ? 0 : (-low + step - 1) / step;
        // The last element i with low + i·step < result size.
        const std::int64_t room = p.result().dims[d] - 1 - low;
        const std::int64_t last = std::min(p.operand(0).dims[d] - 1, room < 0 ? -1 : room / step);
        copy.sizes.push_back(std::max<std::int64_t>(0, last - first + 1));
        copy.src_strides.push_back(src[d]);
        copy.dst_strides.push_back(dst[d] * step);
        copy.src_offset += first * src[d];
        copy.dst_offset += (low + first * step) * dst[d];
    }
    Kernel kernel;
    const std::int64_t count = p.result().element_count();
    kernel.run = [copy = std::move(copy), count](const Call& call) -> Status {
        fill(copy.bytes, call.in[1], call.out[0], count);
        copy.run(call.in[0], call.out[0]);
        return {};
    };
    return kernel;
}

Kernel concatenate(const Preparation& p) {
    const auto dim = static_cast<std::size_t>(p.attributes<ir::DimAttributes>().dim);
    const Dims dst = row_major(view(p.result().dims));
    std::vector<Copy> parts;
    std::int64_t at = 0;
    for (std::size_t i = 0; i < p.operand_count(); ++i) {
        Copy copy;
        copy.bytes = ir::storage_bytes(p.result().element);
        copy.sizes = p.operand(i).dims;
        copy.src_strides = row_major(view(copy.sizes));
        copy.dst_strides = dst;
        copy.dst_offset = at * dst[dim];
        at += copy.sizes[dim];
        parts.push_back(std::move(copy));
    }
    Kernel kernel;
    kernel.run = [parts = std::move(parts)](const Call& call) -> Status {
        for (std::size_t i = 0; i < parts.size(); ++i) parts[i].run(call.in[i], call.out[0]);
        return {};
    };
    return kernel;
}

Kernel iota(const Preparation& p) {
    // One line of numbers, broadcast along all other dims.
    const auto dim = static_cast<std::size_t>(p.attributes<ir::DimAttributes>().dim);
    auto line = std::make_shared<std::vector<std::byte>>();
    for (std::int64_t i = 0; i < p.result().dims[dim]; ++i) {
        // Integer types wrap as a counter of their width would.
        const int bits = ir::bit_width(p.result().element);
        const bool wraps = ir::is_integer(p.result().element) && bits < 32;
        std::int64_t value = wraps ? i & ((std::int64_t{1} << bits) - 1) : i;
        if (wraps && ir::is_signed(p.result().element) && ((value >> (bits - 1)) & 1) != 0)
            value -= std::int64_t{1} << bits;
        ir::append_element_int(*line, p.result().element, value);
    }
    Copy copy = whole_result(p);
    copy.src_strides[dim] = 1;
    Kernel kernel;
    kernel.run = [copy = std::move(copy), line](const Call& call) -> Status {
        copy.run(line->data(), call.out[0]);
        return {};
    };
    return kernel;
}

/// Equal bits under another type. Sub-byte elements take a byte each here, so they are packed and
/// unpacked; all others only change their name.
Kernel bitcast(const Preparation& p) {
    const int from = ir::bit_width(p.operand(0).element), to = ir::bit_width(p.result().element);
    const std::int64_t in_count = p.operand(0).element_count();
    const std::int64_t out_count = p.result().element_count();
    const bool sign = ir::is_signed(p.result().element) && to < 8;
    Kernel kernel;
    if (from == to || (from >= 8 && to >= 8)) {
        const auto bytes =
            static_cast<std::size_t>(in_count * ir::storage_bytes(p.operand(0).element));
        kernel.run = [bytes](const Call& call) -> Status {
            if (bytes != 0) std::memcpy(call.out[0], call.in[0], bytes);
            return {};
        };
        return kernel;
    }
    const auto in_bytes = static_cast<std::int64_t>(ir::storage_bytes(p.operand(0).element));
    const auto out_bytes = static_cast<std::int64_t>(ir::storage_bytes(p.result().element));
    kernel.run = [=](const Call& call) -> Status {
        const auto bit = [&](std::int64_t n) {
            const std::int64_t element = n / from, inside = n % from;
            const auto byte = static_cast<unsigned>(call.in[0][element * in_bytes + inside / 8]);
            return (byte >> (inside % 8)) & 1u;
        };
        std::memset(call.out[0], 0, static_cast<std::size_t>(out_count * out_bytes));
        for (std::int64_t n = 0; n < out_count * to; ++n) {
            const std::int64_t element = n / to, inside = n % to;
            std::byte& target = call.out[0][element * out_bytes + inside / 8];
            target |= static_cast<std::byte>(bit(n) << (inside % 8));
            if (sign && inside == to - 1 && bit(n) != 0)
                target |= static_cast<std::byte>(0xFFu << to);
        }
        return {};
    };
    return kernel;
}

Kernel dimension_size(const Preparation& p) {
    const auto dim = static_cast<std::size_t>(p.attributes<ir::DimAttributes>().dim);
    const auto size = static_cast<std::int32_t>(p.operand(0).dims[dim]);
    Kernel kernel;
    kernel.run = [size](const Call& call) -> Status {
        std::memcpy(call.out[0], &size, sizeof size);
        return {};
    };
    return kernel;
}

}  // namespace

Result<Kernel> prepare_movement(const Preparation& p) {
    switch (p.module.op(p.op).kind) {
        case OpKind::kBroadcastInDim:
            return broadcast(p);
        case OpKind::kTranspose:
            return transpose(p);
        case OpKind::kSlice:
            return slice(p);
        case OpKind::kReverse:
            return reverse(p);
        case OpKind::kPad:
            return pad(p);
        case OpKind::kConcatenate:
            return concatenate(p);
        case OpKind::kIota:
            return iota(p);
        case OpKind::kBitcastConvert:
            return bitcast(p);
        case OpKind::kGetDimensionSize:
            return dimension_size(p);
        default:
            return p.unsupported_here("execution");
    }
}

}  // namespace shardwright::exec
