// scatter: updates in index order, so that the last one of a duplicate set wins everywhere. An
// update element whose place lies outside the operand is dropped.
#include <algorithm>
#include <cstring>
#include <memory>

#include "exec/index_values.h"
#include "exec/kernel.h"
#include "exec/strided_copy.h"

namespace shardwright::exec {
namespace {

bool holds(const Dims& dims, std::size_t d) {
    return std::find(dims.begin(), dims.end(), static_cast<std::int64_t>(d)) != dims.end();
}

struct ScatterDim {
    std::int64_t size, updates, indices;
    int operand_dim;  // of a batching dim, else -1
};
struct WindowDim {
    std::int64_t size, updates, operand_stride;
    std::size_t operand_dim;
};

class Scatter {
  public:
    Scatter(const Preparation& p, std::optional<ElementProgram> program);
    void run(const Call& call) const;

  private:
    void window(const Call& call, ElementProgram::Runner* runner, const Dims& start,
                std::int64_t updates) const;
    void combine(const Call& call, ElementProgram::Runner* runner, std::int64_t operand,
                 std::int64_t updates, std::int64_t count) const;

    std::optional<ElementProgram> program_;  // nothing: the update replaces the element
    std::size_t inputs_ = 1;
    std::vector<int> bytes_;
    std::vector<std::int64_t> total_bytes_;
    ir::ElementType index_type_{};
    Dims operand_dims_, operand_strides_, mapped_;
    std::int64_t index_step_ = 0, scatter_count_ = 1;
    InlineVector<ScatterDim, 4> scatter_;
    InlineVector<WindowDim, 4> window_;
    std::int64_t inner_ = 1;  // elements of the longest run contiguous in operand and updates
    static constexpr std::int64_t kRun = 256;
};

Scatter::Scatter(const Preparation& p, std::optional<ElementProgram> program)
    : program_(std::move(program)) {
    const auto& a = p.attributes<ir::ScatterAttributes>();
    inputs_ = p.operand_count() / 2;
    for (std::size_t i = 0; i < inputs_; ++i) {
        bytes_.push_back(ir::storage_bytes(p.operand(i).element));
        total_bytes_.push_back(p.operand(i).element_count() * bytes_.back());
    }
    const ir::TensorType &operand = p.operand(0), &indices = p.operand(inputs_);
    const ir::TensorType& updates = p.operand(inputs_ + 1);
    index_type_ = indices.element;
    operand_dims_ = operand.dims;
    operand_strides_ = row_major(view(operand.dims));
    mapped_ = a.scatter_dims_to_operand_dims;
    const Dims index_strides = row_major(view(indices.dims));
    const Dims update_strides = row_major(view(updates.dims));
    const auto vector_dim = static_cast<std::size_t>(a.index_vector_dim);
    if (vector_dim < indices.rank()) index_step_ = index_strides[vector_dim];
    std::size_t index_dim = 0, operand_dim = 0;
    for (std::size_t d = 0; d < updates.rank(); ++d) {
        if (holds(a.update_window_dims, d)) {
            while (holds(a.inserted_window_dims, operand_dim) ||
                   holds(a.input_batching_dims, operand_dim))
                ++operand_dim;
            window_.push_back(
                {updates.dims[d], update_strides[d], operand_strides_[operand_dim], operand_dim});
            ++operand_dim;
            continue;
        }
        if (index_dim == vector_dim) ++index_dim;
        ScatterDim dim{updates.dims[d], update_strides[d], index_strides[index_dim], -1};
        for (std::size_t i = 0; i < a.scatter_indices_batching_dims.size(); ++i)
            if (a.scatter_indices_batching_dims[i] == static_cast<std::int64_t>(index_dim))
                dim.operand_dim = static_cast<int>(a.input_batching_dims[i]);
        scatter_count_ *= dim.size;
        scatter_.push_back(dim);
        ++index_dim;
    }
}

void Scatter::combine(const Call& call, ElementProgram::Runner* runner, std::int64_t operand,
                      std::int64_t updates, std::int64_t count) const {
    const std::size_t n = inputs_;
    InlineVector<const std::byte*, 8> in(2 * n);
    InlineVector<std::byte*, 4> out(n);
    for (std::int64_t done = 0; done < count; done += kRun) {
        const std::int64_t run = std::min(kRun, count - done);
        for (std::size_t i = 0; i < n; ++i) {
            out[i] = call.out[i] + (operand + done) * bytes_[i];
            in[i] = out[i];
            in[n + i] = call.in[n + 1 + i] + (updates + done) * bytes_[i];
            if (runner == nullptr)
                std::memcpy(out[i], in[n + i], static_cast<std::size_t>(run * bytes_[i]));
        }
        if (runner != nullptr) runner->run(in.data(), out.data(), static_cast<std::size_t>(run));
    }
}

void Scatter::window(const Call& call, ElementProgram::Runner* runner, const Dims& start,
                     std::int64_t updates) const {
    std::int64_t base = 0;
    for (std::size_t d = 0; d < start.size(); ++d) base += start[d] * operand_strides_[d];
    // Dims that the window does not cover must lie inside by themselves; of the others the valid
    // range is known beforehand.
    InlineVector<std::int64_t, 6> low(window_.size(), 0), high(window_.size(), 0);
    InlineVector<bool, 6> covered(start.size(), false);
    for (std::size_t w = 0; w < window_.size(); ++w) {
        const std::size_t d = window_[w].operand_dim;
        covered[d] = true;
        low[w] = std::max<std::int64_t>(0, -start[d]);
        high[w] = std::min(window_[w].size, operand_dims_[d] - start[d]);
        if (low[w] >= high[w]) return;
    }
    for (std::size_t d = 0; d < start.size(); ++d)
        if (!covered[d] && (start[d] < 0 || start[d] >= operand_dims_[d])) return;
    if (window_.empty()) return combine(call, runner, base, updates, 1);

    const WindowDim& inner = window_.back();
    const bool run = inner.updates == 1 && inner.operand_stride == 1;
    Dims index(low.begin(), low.end());
    const std::size_t last = window_.size() - 1;
    for (;;) {
        std::int64_t o = base, u = updates;
        for (std::size_t w = 0; w < last; ++w) {
            o += index[w] * window_[w].operand_stride;
            u += index[w] * window_[w].updates;
        }
        if (run) {
            combine(call, runner, o + low[last], u + low[last], high[last] - low[last]);
        } else {
            for (std::int64_t i = low[last]; i < high[last]; ++i)
                combine(call, runner, o + i * inner.operand_stride, u + i * inner.updates, 1);
        }
        std::size_t w = last;
        while (w-- > 0) {
            if (++index[w] < high[w]) break;
            index[w] = low[w];
        }
        if (w == static_cast<std::size_t>(-1)) return;
    }
}

void Scatter::run(const Call& call) const {
    for (std::size_t i = 0; i < inputs_; ++i)
        if (call.in[i] != call.out[i] && total_bytes_[i] != 0)
            std::memcpy(call.out[i], call.in[i], static_cast<std::size_t>(total_bytes_[i]));
    std::optional<ElementProgram::Runner> runner;
    if (program_) runner.emplace(*program_, kRun, call.in + 2 * inputs_ + 1);
    for (const WindowDim& w : window_)
        if (w.size == 0) return;
    Dims start(operand_dims_.size(), 0);
    for (std::int64_t s = 0; s < scatter_count_; ++s) {
        std::fill(start.begin(), start.end(), 0);
        std::int64_t rest = s, at_updates = 0, at_indices = 0;
        for (std::size_t d = scatter_.size(); d-- > 0;) {
            const std::int64_t i = rest % scatter_[d].size;
            rest /= scatter_[d].size;
            at_updates += i * scatter_[d].updates;
            at_indices += i * scatter_[d].indices;
            if (scatter_[d].operand_dim >= 0)
                start[static_cast<std::size_t>(scatter_[d].operand_dim)] = i;
        }
        bool sane = true;
        for (std::size_t k = 0; k < mapped_.size(); ++k) {
            const std::int64_t value =
                index_value(call.in[inputs_], index_type_,
                            at_indices + static_cast<std::int64_t>(k) * index_step_);
            const auto d = static_cast<std::size_t>(mapped_[k]);
            start[d] = value;
            // Far outside: the arithmetic below must not overflow.
            sane = sane && value < operand_dims_[d] && value > -(std::int64_t{1} << 40);
        }
        if (sane) window(call, runner ? &*runner : nullptr, start, at_updates);
    }
}

/// The region `(old, new) -> new`.
bool replaces(const ir::Module& m, ir::RegionId region, std::size_t inputs) {
    const auto returned = m.returned(region);
    for (std::size_t i = 0; i < inputs; ++i)
        if (!(returned[i] == m.argument(region, inputs + i))) return false;
    return true;
}

}  // namespace

Result<Kernel> prepare_scatter(const Preparation& p) {
    Kernel kernel;
    std::optional<ElementProgram> program;
    if (!replaces(p.module, p.module.region_of(p.op, 0), p.operand_count() / 2)) {
        SW_TRY(program, p.scalar_program(0));
        kernel.captures.assign(program->captures().begin(), program->captures().end());
    }
    if (p.operand_count() == 3) kernel.in_place_operand = 0;
    auto scatter = std::make_shared<const Scatter>(p, std::move(program));
    kernel.run = [scatter](const Call& call) -> Status {
        scatter->run(call);
        return {};
    };
    return kernel;
}

}  // namespace shardwright::exec
