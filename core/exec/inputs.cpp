#include "exec/inputs.h"

#include <algorithm>
#include <cstring>

#include "exec/execute.h"
#include "exec/narrow.h"
#include "exec/parallel.h"

namespace shardwright::exec {
namespace {

using ir::ElementType;

/// A number's fate from (seed, id, index) alone: Steele, Lea and Flood's splitmix64 finaliser.
std::uint64_t mix(std::uint64_t x) {
    x += 0x9E3779B97F4A7C15ull;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return x ^ (x >> 31);
}

double unit(std::uint64_t bits) {
    return static_cast<double>(bits >> 11) * 0x1p-53;
}

}  // namespace

void fill_random(const ir::TensorType& type, std::uint64_t seed, std::uint64_t id,
                 const RandomRange& range, std::byte* out) {
    const std::uint64_t key = mix(mix(seed) ^ id);
    const ElementType element = ir::real_type(type.element);
    const std::int64_t count = type.element_count() * (ir::is_complex(type.element) ? 2 : 1);
    const std::int64_t bytes = ir::storage_bytes(element);
    if (bytes == 0) return;
    const std::int64_t integers =
        ir::is_integer(element) && ir::bit_width(element) < 8
            ? std::min<std::int64_t>(
                  range.integers,
                  std::int64_t{1} << (ir::bit_width(element) - (ir::is_signed(element) ? 1 : 0)))
            : range.integers;
    parallel_for(count, 8192, [&](std::int64_t begin, std::int64_t end) {
        std::vector<std::byte> one;
        for (std::int64_t i = begin; i < end; ++i) {
            const std::uint64_t bits = mix(key + static_cast<std::uint64_t>(i));
            if (ir::is_float(element)) {
                double value = range.low + (range.high - range.low) * unit(bits);
                if (element == ElementType::kF8E8M0FNU) value = value < 0 ? -value : value;
                if (element == ElementType::kF32) {
                    const auto narrow_value = static_cast<float>(value);
                    std::memcpy(out + i * 4, &narrow_value, 4);
                    continue;
                }
                one.clear();
                ir::append_element(one, element, value);
            } else {
                one.clear();
                const std::uint64_t bound =
                    element == ElementType::kBool ? 2 : static_cast<std::uint64_t>(integers);
                ir::append_element_int(one, element,
                                       static_cast<std::int64_t>((bits >> 32) % bound));
            }
            std::memcpy(out + i * bytes, one.data(), static_cast<std::size_t>(bytes));
        }
    });
}

void fill_elided(const ir::TensorType& type, std::uint64_t seed, std::uint64_t id, std::byte* out) {
    fill_random(type, seed, id + 0x100000000ull, RandomRange{-0.05, 0.05, 8}, out);
}

std::vector<Tensor> random_inputs(const ir::Module& module, std::size_t function,
                                  std::uint64_t seed) {
    std::vector<Tensor> inputs = zero_inputs(module, function);
    for (std::size_t i = 0; i < inputs.size(); ++i)
        fill_random(inputs[i].type, seed, i, RandomRange{}, inputs[i].data.data());
    return inputs;
}

std::vector<Tensor> zero_inputs(const ir::Module& module, std::size_t function) {
    const ir::RegionId body = module.functions()[function].body;
    std::vector<Tensor> inputs;
    for (std::size_t i = 0; i < module.region(body).argument_count; ++i)
        inputs.push_back(Tensor::zeros(module.type(module.argument(body, i))));
    return inputs;
}

}  // namespace shardwright::exec
