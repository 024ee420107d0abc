#include "exec/elementwise_chain.h"

#include <algorithm>
#include <cstring>

#include "exec/element_width.h"
#include "exec/strided_copy.h"

namespace shardwright::exec {
namespace {

using Read = ChainInput::Read;
constexpr auto kBlock = static_cast<std::int64_t>(Elementwise::kBlock);

/// Elements [begin, begin + count) of a broadcast. Gives the input's own memory where they lie
/// there one after the other, else fills `block`.
template <class T>
const std::byte* read_broadcast(const ChainInput& input, const std::byte* from, std::int64_t begin,
                                std::int64_t count, std::byte* block) {
    const std::size_t rank = input.sizes.size();
    constexpr std::size_t kMostDims = 16;
    std::int64_t index[kMostDims] = {};
    std::int64_t offset = 0;
    for (std::size_t d = rank, rest = static_cast<std::size_t>(begin); d-- > 0;) {
        const auto size = static_cast<std::size_t>(input.sizes[d]);
        index[d] = static_cast<std::int64_t>(rest % size);
        rest /= size;
        offset += index[d] * input.strides[d];
    }
    const auto* source = reinterpret_cast<const T*>(from);
    auto* target = reinterpret_cast<T*>(block);
    const std::size_t last = rank - 1;
    const std::int64_t stride = input.strides[last];
    if (stride == 1 && input.sizes[last] - index[last] >= count)
        return reinterpret_cast<const std::byte*>(source + offset);
    for (std::int64_t done = 0;;) {
        const std::int64_t run = std::min(input.sizes[last] - index[last], count - done);
        if (stride == 0)
            std::fill_n(target + done, run, source[offset]);
        else if (stride == 1)
            std::copy_n(source + offset, run, target + done);
        else
            for (std::int64_t i = 0; i < run; ++i) target[done + i] = source[offset + i * stride];
        done += run;
        if (done == count) return block;
        // The run ended with its row: on to the next one.
        offset -= index[last] * stride;
        index[last] = 0;
        for (std::size_t d = last; d-- > 0;) {
            offset += input.strides[d];
            if (++index[d] < input.sizes[d]) break;
            offset -= input.sizes[d] * input.strides[d];
            index[d] = 0;
        }
    }
}

/// A thread's memory for registers and for inputs that are not read in place.
std::byte* scratch(std::size_t bytes) {
    thread_local std::vector<std::byte> memory;
    if (memory.size() < bytes + 64) memory.resize(bytes + 64);
    const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
    return memory.data() + (64 - address % 64) % 64;
}

}  // namespace

bool ElementwiseChain::is_flat() const {
    return std::all_of(inputs.begin(), inputs.end(),
                       [](const ChainInput& i) { return i.read == Read::kFlat; });
}

void ElementwiseChain::run(const std::byte* const* in, std::byte* output, std::int64_t begin,
                           std::int64_t end) const {
    constexpr std::size_t kMostSlots = 128;  // more than the widest chain that fusion makes
    const std::byte* spread[kMostSlots];
    const std::byte* reads[kMostSlots];
    std::byte* writes[kMostSlots];
    const std::size_t slots = inputs.size() + register_widths.size();
    const auto width = [&](std::size_t slot) {
        return slot < inputs.size() ? ir::storage_bytes(inputs[slot].element)
                                    : register_widths[slot - inputs.size()];
    };
    std::size_t bytes = 0;
    for (std::size_t s = 0; s < slots; ++s)
        if (s >= inputs.size() || inputs[s].read != Read::kFlat)
            bytes += static_cast<std::size_t>(width(s)) * Elementwise::kBlock;
    for (const ChainLiteral& l : literals)
        bytes += static_cast<std::size_t>(ir::storage_bytes(l.element)) * Elementwise::kBlock;
    std::byte* memory = scratch(bytes);
    for (std::size_t l = 0; l < literals.size(); ++l) {
        const int element = ir::storage_bytes(literals[l].element);
        fill(element, literals[l].value.data(), memory, std::min(kBlock, end - begin));
        spread[l] = memory;
        memory += static_cast<std::size_t>(element) * Elementwise::kBlock;
    }
    for (std::size_t s = 0; s < slots; ++s) {
        reads[s] = writes[s] = nullptr;
        if (s < inputs.size() && inputs[s].read == Read::kFlat) continue;
        reads[s] = writes[s] = memory;
        memory += static_cast<std::size_t>(width(s)) * Elementwise::kBlock;
        if (s < inputs.size() && inputs[s].read == Read::kScalar)
            fill(width(s), in[s], writes[s], std::min(kBlock, end - begin));
    }
    const std::int64_t out_width = ir::storage_bytes(out);
    for (std::int64_t first = begin; first < end; first += kBlock) {
        const std::int64_t count = std::min(kBlock, end - first);
        for (std::size_t s = 0; s < inputs.size(); ++s) {
            if (inputs[s].read == Read::kFlat)
                reads[s] = in[s] + first * width(s);
            else if (inputs[s].read == Read::kBroadcast)
                reads[s] = with_width(width(s), [&](auto zero) {
                    return read_broadcast<decltype(zero)>(inputs[s], in[s], first, count,
                                                          writes[s]);
                });
        }
        for (const ChainInstruction& step : code) {
            const std::byte* operands[3] = {};
            for (int i = 0; i < step.kernel.arity; ++i)
                operands[i] = step.operand[i] >= 0
                                  ? reads[step.operand[i]]
                                  : spread[ChainInstruction::literal_at(step.operand[i])];
            std::byte* target = step.result < 0 ? output + first * out_width : writes[step.result];
            step.kernel.run(operands, target, static_cast<std::size_t>(count));
        }
    }
}

ChainInput broadcast_input(const ir::TensorType& operand, const ir::TensorType& result,
                           std::span<const std::int64_t> dims) {
    ChainInput input;
    input.element = operand.element;
    std::vector<std::int64_t> along(result.rank(), 0);
    std::int64_t stride = 1;
    for (std::size_t d = operand.rank(); d-- > 0;) {
        if (operand.dims[d] != 1) along[static_cast<std::size_t>(dims[d])] = stride;
        stride *= operand.dims[d];
    }
    for (std::size_t d = 0; d < result.rank(); ++d) {
        const std::int64_t size = result.dims[d];
        if (size == 1) continue;
        // Two dimensions are one when a step of the outer is as far as the whole inner.
        if (!input.sizes.empty() && input.strides.back() == along[d] * size) {
            input.sizes.back() *= size;
            input.strides.back() = along[d];
            continue;
        }
        input.sizes.push_back(size);
        input.strides.push_back(along[d]);
    }
    if (input.sizes.empty() || (input.sizes.size() == 1 && input.strides[0] == 0))
        input.read = Read::kScalar;
    else if (input.sizes.size() == 1 && input.strides[0] == 1)
        input.read = Read::kFlat;
    else
        input.read = Read::kBroadcast;
    return input;
}

}  // namespace shardwright::exec
