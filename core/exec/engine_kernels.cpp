// One device's work: kernels, and chains of elementwise operations, over the active devices.
#include <algorithm>

#include "exec/engine.h"
#include "exec/parallel.h"

namespace shardwright::exec {
namespace {

/// Runs a kernel for each of the devices, which never share what they write.
template <class One>
Status run_devices(const Kernel& kernel, std::span<const std::int64_t> devices, std::int64_t bytes,
                   const One& one) {
    Status status;
    if (kernel.own_threads || devices.size() == 1) {
        for (std::size_t d = 0; d < devices.size() && status.ok(); ++d) status = one(devices[d]);
        return status;
    }
    std::vector<Status> each(devices.size());
    parallel_for(static_cast<std::int64_t>(devices.size()), grain_for(bytes, 65536),
                 [&](std::int64_t begin, std::int64_t end) {
                     for (std::int64_t i = begin; i < end; ++i)
                         each[static_cast<std::size_t>(i)] =
                             one(devices[static_cast<std::size_t>(i)]);
                 });
    for (Status& s : each)
        if (status.ok() && !s.ok()) status = std::move(s);
    return status;
}

}  // namespace

Status Engine::run_kernel(const Step& step, const Frame& frame) {
    const ir::OpId op = step.op;
    const std::int64_t total = frame.world.device_count();
    const std::vector<ir::ValueId>& inputs = step.inputs;
    // Inputs are held here, so that the table can let go of those that die with this operation.
    std::vector<BufferRef> in;
    in.reserve(inputs.size());
    for (const ir::ValueId v : inputs) in.push_back(values_[v.index]);
    // What depends on values that are the same everywhere is computed once for all devices.
    bool everywhere = module_.op(op).kind != ir::OpKind::kRng;
    for (const BufferRef& b : in) everywhere = everywhere && b->devices == 1;
    const std::int64_t slots = everywhere ? 1 : total;

    std::vector<BufferRef> out(module_.op(op).result_count);
    // The result may take an input's memory when nobody else will read it, now or later.
    const auto reusable = [&](std::size_t i) {
        const ir::ValueId v = inputs[i];
        const auto& dying = step.last_uses;
        return std::find(dying.begin(), dying.end(), v) != dying.end() &&
               std::count(inputs.begin(), inputs.end(), v) == 1 && in[i]->devices == slots &&
               in[i]->capacity != 0 && in[i].use_count() == 2 &&  // by the table and by `in`
               in[i]->bytes == slot_bytes(module_.type(module_.result(op)));
    };
    if (step.chain) {
        const int width = ir::storage_bytes(step.chain->out);
        for (std::size_t i = 0; i < inputs.size() && !out[0]; ++i)
            if (step.chain->inputs[i].read == ChainInput::Read::kFlat &&
                ir::storage_bytes(step.chain->inputs[i].element) == width && reusable(i))
                out[0] = in[i];
    } else if (step.kernel.in_place_operand >= 0) {
        const auto i = static_cast<std::size_t>(step.kernel.in_place_operand);
        if (reusable(i)) out[0] = in[i];
    }
    for (std::size_t r = 0; r < out.size(); ++r)
        if (!out[r]) {
            SW_TRY(out[r], allocate_for(module_.result(op, r), slots));
        }

    Status status;
    if (arena_.is_rehearsal()) {
        // Nothing to compute.
    } else if (step.chain) {
        run_chain(*step.chain, frame, in, *out[0]);
    } else {
        const auto one = [&](std::int64_t d) {
            InlineVector<const std::byte*, 8> from;
            InlineVector<std::byte*, 4> to;
            for (const BufferRef& b : in) from.push_back(b->slot(d, total));
            for (const BufferRef& b : out) to.push_back(b->slot(d, total));
            return step.kernel.run(Call{from.data(), to.data()});
        };
        status = everywhere ? one(0)
                            : run_devices(step.kernel, frame.active.devices,
                                          out.empty() ? 0 : out[0]->bytes, one);
    }
    if (!status.ok()) return place(status.error(), op);
    for (std::size_t r = 0; r < out.size(); ++r)
        values_[module_.result(op, r).index] = std::move(out[r]);
    return {};
}

void Engine::run_chain(const ElementwiseChain& chain, const Frame& frame,
                       std::span<const BufferRef> in, Buffer& out) {
    const std::int64_t total = frame.world.device_count();
    // Arrays that lie one after the other for all devices are one long array.
    bool joined = out.devices == 1 || (frame.active.all && chain.is_flat());
    for (const BufferRef& b : in) joined = joined && b->devices == out.devices;
    const std::int64_t length = joined ? chain.elements * out.devices : chain.elements;
    const auto devices =
        joined ? std::int64_t{1} : static_cast<std::int64_t>(frame.active.devices.size());
    constexpr std::int64_t kPiece = 16 * static_cast<std::int64_t>(Elementwise::kBlock);
    const std::int64_t pieces = (length + kPiece - 1) / kPiece;
    // Small arrays are not worth waking other threads for.
    const std::int64_t grain = length < kPiece ? grain_for(length, kPiece) : 1;
    parallel_for(devices * pieces, grain, [&](std::int64_t first, std::int64_t last) {
        InlineVector<const std::byte*, 16> from;
        from.resize(in.size());
        for (std::int64_t p = first; p < last; ++p) {
            const std::int64_t d =
                joined ? 0 : frame.active.devices[static_cast<std::size_t>(p / pieces)];
            for (std::size_t i = 0; i < in.size(); ++i) from[i] = in[i]->slot(d, total);
            const std::int64_t begin = p % pieces * kPiece;
            chain.run(from.data(), out.slot(d, total), begin, std::min(length, begin + kPiece));
        }
    });
}

}  // namespace shardwright::exec
