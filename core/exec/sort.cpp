// sort and top_k. Our own merge sort: stable, and safe with comparators that contradict themselves
// (a plain "<" does, when it meets NaN).
#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>

#include "exec/kernel.h"
#include "exec/order_keys.h"
#include "exec/parallel.h"
#include "exec/strided_copy.h"

namespace shardwright::exec {
namespace {

/// Sorts `order` by `before(a, b)`; runs of 8 by insertion, then merges.
template <class Before>
void merge_sort(std::vector<std::int32_t>& order, std::vector<std::int32_t>& spare,
                const Before& before) {
    const std::size_t n = order.size();
    constexpr std::size_t kRun = 8;
    for (std::size_t first = 0; first < n; first += kRun)
        for (std::size_t i = first + 1; i < std::min(n, first + kRun); ++i) {
            const std::int32_t x = order[i];
            std::size_t j = i;
            for (; j > first && before(x, order[j - 1]); --j) order[j] = order[j - 1];
            order[j] = x;
        }
    spare.resize(n);
    for (std::size_t width = kRun; width < n; width *= 2) {
        for (std::size_t first = 0; first < n; first += 2 * width) {
            const std::size_t middle = std::min(n, first + width),
                              end = std::min(n, first + 2 * width);
            std::size_t a = first, b = middle, at = first;
            while (a < middle && b < end)
                spare[at++] = before(order[b], order[a]) ? order[b++] : order[a++];
            while (a < middle) spare[at++] = order[a++];
            while (b < end) spare[at++] = order[b++];
        }
        order.swap(spare);
    }
}

/// A comparator that compares one operand's two elements, nothing else.
struct SimpleOrder {
    std::size_t operand;
    bool descending, total;
};

std::optional<SimpleOrder> simple_order(const ir::Module& m, ir::RegionId region) {
    const auto& ops = m.region(region).ops;
    if (ops.size() != 2 || m.op(ops[0]).kind != ir::OpKind::kCompare) return std::nullopt;
    if (!(m.returned(region)[0] == m.result(ops[0]))) return std::nullopt;
    const auto& compare = m.attributes<ir::CompareAttributes>(ops[0]);
    const ir::Value &a = m.value(m.operand(ops[0], 0)), &b = m.value(m.operand(ops[0], 1));
    if (a.def.valid() || b.def.valid() || !(a.region == region) || !(b.region == region))
        return std::nullopt;
    if (compare.direction != ir::Direction::kLt && compare.direction != ir::Direction::kGt)
        return std::nullopt;
    if (a.index / 2 != b.index / 2 || a.index == b.index) return std::nullopt;
    const bool swapped = a.index > b.index;
    return SimpleOrder{a.index / 2, (compare.direction == ir::Direction::kGt) != swapped,
                       compare.type == ir::CompareType::kTotalOrder};
}

struct Sort {
    std::int64_t length = 1, stride = 1, lines = 1;
    std::vector<int> bytes = {};
    std::vector<ir::ElementType> types = {};
    std::optional<SimpleOrder> simple = {};
    ElementProgram program;

    std::int64_t line_offset(std::int64_t line) const {
        return line / stride * stride * length + line % stride;
    }
    void run(const Call& call) const {
        parallel_for(lines, grain_for(length * 64), [&](std::int64_t begin, std::int64_t end) {
            ElementProgram::Runner runner(program, 1, call.in + bytes.size());
            std::vector<std::int32_t> order(static_cast<std::size_t>(length)), spare;
            for (std::int64_t line = begin; line < end; ++line) {
                std::iota(order.begin(), order.end(), 0);
                const std::int64_t base = line_offset(line);
                sort_line(call, runner, order, spare, base);
                for (std::size_t i = 0; i < bytes.size(); ++i)
                    for (std::int64_t k = 0; k < length; ++k)
                        std::memcpy(
                            call.out[i] + (base + k * stride) * bytes[i],
                            call.in[i] +
                                (base + order[static_cast<std::size_t>(k)] * stride) * bytes[i],
                            static_cast<std::size_t>(bytes[i]));
            }
        });
    }
    void sort_line(const Call& call, ElementProgram::Runner& runner,
                   std::vector<std::int32_t>& order, std::vector<std::int32_t>& spare,
                   std::int64_t base) const {
        if (simple && !ir::is_complex(types[simple->operand])) {
            const std::size_t i = simple->operand;
            const OrderKeys k =
                order_keys(types[i], call.in[i] + base * bytes[i], stride, length, simple->total);
            if (!k.has_nan || simple->total) {
                const std::int64_t* keys = k.keys.data();
                if (simple->descending)
                    merge_sort(order, spare, [&](auto a, auto b) { return keys[a] > keys[b]; });
                else
                    merge_sort(order, spare, [&](auto a, auto b) { return keys[a] < keys[b]; });
                return;
            }
        }
        InlineVector<const std::byte*, 8> in(2 * bytes.size());
        merge_sort(order, spare, [&](std::int32_t a, std::int32_t b) {
            for (std::size_t i = 0; i < bytes.size(); ++i) {
                in[2 * i] = call.in[i] + (base + a * stride) * bytes[i];
                in[2 * i + 1] = call.in[i] + (base + b * stride) * bytes[i];
            }
            std::byte holds{0};
            std::byte* out = &holds;
            runner.run(in.data(), &out, 1);
            return holds != std::byte{0};
        });
    }
};

}  // namespace

Result<Kernel> prepare_sort(const Preparation& p) {
    const auto dim = static_cast<std::size_t>(p.attributes<ir::SortAttributes>().dim);
    const Dims& dims = p.operand(0).dims;
    SW_TRY(ElementProgram program, p.scalar_program(0));
    Kernel kernel;
    kernel.captures.assign(program.captures().begin(), program.captures().end());
    Sort sort{.program = std::move(program)};
    sort.length = dims[dim];
    sort.stride = row_major(view(dims))[dim];
    for (std::size_t d = 0; d < dims.size(); ++d)
        if (d != dim) sort.lines *= dims[d];
    if (sort.length == 0) sort.lines = 0;
    for (std::size_t i = 0; i < p.operand_count(); ++i) {
        sort.types.push_back(p.operand(i).element);
        sort.bytes.push_back(ir::storage_bytes(p.operand(i).element));
    }
    if (sort.length > 0x7FFFFFFF) return p.unsupported_here("a dimension this long");
    sort.simple = simple_order(p.module, p.module.region_of(p.op, 0));
    auto shared = std::make_shared<const Sort>(std::move(sort));
    kernel.run = [shared](const Call& call) -> Status {
        shared->run(call);
        return {};
    };
    return kernel;
}

Result<Kernel> prepare_top_k(const Preparation& p) {
    const auto& a = p.attributes<ir::TopKAttributes>();
    const ir::TensorType type = p.operand(0);
    const std::int64_t n = type.dims.back(), k = a.k;
    const std::int64_t rows = n == 0 ? 0 : type.element_count() / n;
    const int bytes = ir::storage_bytes(type.element);
    const bool largest = a.largest;
    if (ir::is_complex(type.element)) return p.unsupported_here("top_k of complex numbers");
    Kernel kernel;
    kernel.run = [=](const Call& call) -> Status {
        parallel_for(rows, grain_for(n * 8), [&](std::int64_t begin, std::int64_t end) {
            std::vector<std::int32_t> order(static_cast<std::size_t>(n));
            for (std::int64_t r = begin; r < end; ++r) {
                const std::byte* row = call.in[0] + r * n * bytes;
                const OrderKeys keys = order_keys(type.element, row, 1, n, true);
                std::iota(order.begin(), order.end(), 0);
                std::partial_sort(order.begin(), order.begin() + k, order.end(),
                                  [&](std::int32_t x, std::int32_t y) {
                                      const auto a_key = keys.keys[static_cast<std::size_t>(x)];
                                      const auto b_key = keys.keys[static_cast<std::size_t>(y)];
                                      if (a_key != b_key)
                                          return largest ? a_key > b_key : a_key < b_key;
                                      return x < y;
                                  });
                for (std::int64_t i = 0; i < k; ++i) {
                    const std::int32_t at = order[static_cast<std::size_t>(i)];
                    std::memcpy(call.out[0] + (r * k + i) * bytes, row + at * bytes,
                                static_cast<std::size_t>(bytes));
                    std::memcpy(call.out[1] + (r * k + i) * 4, &at, 4);
                }
            }
        });
        return {};
    };
    return kernel;
}

}  // namespace shardwright::exec
