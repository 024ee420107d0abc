// rng_bit_generator: ThreeFry-2x32 and Philox-4x32 (Salmon et al., SC 2011), numbered as XLA
// numbers them. rng: a function of (operation, element index) alone.
#include <array>
#include <cmath>
#include <cstring>
#include <numbers>

#include "exec/inputs.h"
#include "exec/kernel.h"
#include "exec/parallel.h"
#include "exec/strided_copy.h"

namespace shardwright::exec {
namespace {

using Words2 = std::array<std::uint32_t, 2>;
using Words4 = std::array<std::uint32_t, 4>;

std::uint32_t rotate_left(std::uint32_t x, int by) {
    return (x << by) | (x >> (32 - by));
}

Words2 threefry(Words2 x, Words2 key) {
    constexpr int kRotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
    const std::uint32_t schedule[] = {key[0], key[1], key[0] ^ key[1] ^ 0x1BD11BDAu};
    x[0] += schedule[0];
    x[1] += schedule[1];
    for (std::uint32_t group = 0; group < 5; ++group) {
        for (const int by : kRotations[group % 2]) {
            x[0] += x[1];
            x[1] = rotate_left(x[1], by) ^ x[0];
        }
        x[0] += schedule[(group + 1) % 3];
        x[1] += schedule[(group + 2) % 3] + group + 1;
    }
    return x;
}

Words4 philox(Words4 x, Words2 key) {
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t a = std::uint64_t{x[0]} * 0xD2511F53u;
        const std::uint64_t b = std::uint64_t{x[2]} * 0xCD9E8D57u;
        x = {static_cast<std::uint32_t>(b >> 32) ^ x[1] ^ key[0], static_cast<std::uint32_t>(b),
             static_cast<std::uint32_t>(a >> 32) ^ x[3] ^ key[1], static_cast<std::uint32_t>(a)};
        key[0] += 0x9E3779B9u;
        key[1] += 0xBB67AE85u;
    }
    return x;
}

Words2 words(std::uint64_t x) {
    return {static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(x >> 32)};
}

struct Generator {
    bool is_threefry = false;
    int bytes = 4;
    Dims dims;
    std::size_t state_words = 2;  // 64-bit
    std::int64_t count = 0;
    // ThreeFry makes pairs; their halves are neighbours along this dim.
    std::size_t split_dim = 0;
    Dims half;

    void run(const Call& call) const {
        std::uint64_t state[3] = {};
        std::memcpy(state, call.in[0], 8 * state_words);
        if (is_threefry) {
            state[1] += run_threefry(state[0], state[1], call.out[1]);
        } else {
            // Two words: the second counts. Three: the counter has 128 bits.
            const bool wide = state_words >= 3;
            const std::uint64_t low = state[1], high = wide ? state[2] : state[0];
            const std::uint64_t used = run_philox(state[0], low, high, call.out[1]);
            state[1] = low + used;
            if (wide && state[1] < low) ++state[2];
        }
        std::memcpy(call.out[0], state, 8 * state_words);
    }

  private:
    std::uint64_t run_threefry(std::uint64_t key, std::uint64_t counter, std::byte* out) const {
        if (bytes == 8) {
            parallel_for(count, 4096, [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t i = begin; i < end; ++i) {
                    const Words2 x =
                        threefry(words(counter + static_cast<std::uint64_t>(i)), words(key));
                    std::memcpy(out + i * 8, x.data(), 8);
                }
            });
            return static_cast<std::uint64_t>(count);
        }
        const Dims half_strides = row_major(view(half));
        std::int64_t half_count = 1;
        for (const std::int64_t d : half) half_count *= d;
        parallel_for(count, 4096, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i) {
                std::int64_t rest = i, at = 0, which = 0;
                for (std::size_t d = dims.size(); d-- > 0;) {
                    std::int64_t index = rest % dims[d];
                    rest /= dims[d];
                    if (d == split_dim) {
                        which = index % 2;
                        index /= 2;
                    }
                    at += index * half_strides[d];
                }
                const Words2 x =
                    threefry(words(counter + static_cast<std::uint64_t>(at)), words(key));
                std::memcpy(out + i * bytes, &x[static_cast<std::size_t>(which)],
                            static_cast<std::size_t>(bytes));
            }
        });
        return static_cast<std::uint64_t>(half_count);
    }
    std::uint64_t run_philox(std::uint64_t key, std::uint64_t low, std::uint64_t high,
                             std::byte* out) const {
        const std::int64_t each = bytes == 8 ? 2 : 4;  // elements of one 128-bit block
        const std::int64_t blocks = (count + each - 1) / each;
        parallel_for(blocks, 2048, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t b = begin; b < end; ++b) {
                const std::uint64_t at = low + static_cast<std::uint64_t>(b);
                const Words2 l = words(at), h = words(high + (at < low ? 1 : 0));
                const Words4 x = philox({l[0], l[1], h[0], h[1]}, words(key));
                for (std::int64_t i = b * each; i < std::min(count, (b + 1) * each); ++i)
                    std::memcpy(out + i * bytes,
                                &x[static_cast<std::size_t>((i - b * each) * (4 / each))],
                                static_cast<std::size_t>(bytes));
            }
        });
        return static_cast<std::uint64_t>(blocks);
    }
};

/// The first even dim, else the longest: where ThreeFry's pairs lie.
std::size_t pair_dim(const Dims& dims) {
    std::size_t longest = 0;
    for (std::size_t d = 0; d < dims.size(); ++d) {
        if (dims[d] % 2 == 0) return d;
        if (dims[d] > dims[longest]) longest = d;
    }
    return longest;
}

Result<Kernel> bit_generator(const Preparation& p) {
    Generator g;
    g.is_threefry =
        p.attributes<ir::RngBitGeneratorAttributes>().algorithm == ir::RngAlgorithm::kThreeFry;
    const ir::TensorType& bits = p.result(1);
    g.bytes = ir::storage_bytes(bits.element);
    g.count = bits.element_count();
    g.dims = bits.dims;
    const std::int64_t state =
        p.operand(0).element_count() * ir::storage_bytes(p.operand(0).element);
    const bool sub_byte = ir::bit_width(bits.element) < 8;
    if (sub_byte || ir::is_complex(bits.element) || (state != 16 && (g.is_threefry || state != 24)))
        return p.unsupported_here("this state or element type of rng_bit_generator");
    g.state_words = static_cast<std::size_t>(state) / 8;
    g.split_dim = pair_dim(g.dims);
    g.half = g.dims;
    if (!g.half.empty()) g.half[g.split_dim] = (g.half[g.split_dim] + 1) / 2;
    Kernel kernel;
    kernel.run = [g](const Call& call) -> Status {
        g.run(call);
        return {};
    };
    return kernel;
}

Result<Kernel> plain_rng(const Preparation& p) {
    const ir::TensorType type = p.result();
    const bool normal =
        p.attributes<ir::RngAttributes>().distribution == ir::RngDistribution::kNormal;
    const ir::OpId origin = p.module.op(p.op).origin;
    const std::uint64_t id = origin.valid() ? origin.index : p.op.index;
    const ir::ElementType element = type.element;
    if (ir::is_complex(element)) return p.unsupported_here("rng of complex numbers");
    Kernel kernel;
    kernel.run = [=](const Call& call) -> Status {
        const ir::TensorType draws{ir::ElementType::kF64, {2 * type.element_count()}};
        std::vector<double> unit(static_cast<std::size_t>(2 * type.element_count()));
        fill_random(draws, 0x5EED, id, RandomRange{0, 1, 1},
                    reinterpret_cast<std::byte*>(unit.data()));
        const auto bytes = static_cast<std::size_t>(ir::storage_bytes(element));
        const double a = ir::element_as_double({call.in[0], bytes}, element, 0);
        const double b = ir::element_as_double({call.in[1], bytes}, element, 0);
        std::vector<std::byte> one;
        for (std::size_t i = 0; i < unit.size() / 2; ++i) {
            const double u = unit[2 * i], v = unit[2 * i + 1];
            double x = a + (b - a) * u;
            if (normal)
                x = a + b * std::sqrt(-2 * std::log1p(-u)) * std::cos(2 * std::numbers::pi * v);
            else if (!ir::is_float(element))
                x = std::floor(x);
            one.clear();
            ir::append_element(one, element, x);
            std::memcpy(call.out[0] + i * bytes, one.data(), bytes);
        }
        return {};
    };
    return kernel;
}

}  // namespace

Result<Kernel> prepare_random(const Preparation& p) {
    return p.module.op(p.op).kind == ir::OpKind::kRng ? plain_rng(p) : bit_generator(p);
}

}  // namespace shardwright::exec
