// map: a scalar region over whole arrays.
#include <algorithm>
#include <memory>

#include "exec/kernel.h"
#include "exec/parallel.h"

namespace shardwright::exec {

Result<Kernel> prepare_map(const Preparation& p) {
    SW_TRY(ElementProgram program, p.scalar_program(0));
    Kernel kernel;
    kernel.captures.assign(program.captures().begin(), program.captures().end());
    std::vector<int> bytes;
    for (std::size_t i = 0; i < p.operand_count(); ++i)
        bytes.push_back(ir::storage_bytes(p.operand(i).element));
    const std::int64_t count = p.result().element_count();
    const std::int64_t width = ir::storage_bytes(p.result().element);
    auto shared = std::make_shared<const ElementProgram>(std::move(program));
    kernel.run = [shared, bytes, count, width](const Call& call) -> Status {
        constexpr std::int64_t kBlock = 256;
        parallel_for((count + kBlock - 1) / kBlock, 16, [&](std::int64_t begin, std::int64_t end) {
            ElementProgram::Runner runner(*shared, kBlock, call.in + bytes.size());
            std::vector<const std::byte*> in(bytes.size());
            for (std::int64_t at = begin * kBlock; at < std::min(count, end * kBlock);
                 at += kBlock) {
                for (std::size_t i = 0; i < in.size(); ++i) in[i] = call.in[i] + at * bytes[i];
                std::byte* out = call.out[0] + at * width;
                runner.run(in.data(), &out, static_cast<std::size_t>(std::min(kBlock, count - at)));
            }
        });
        return {};
    };
    return kernel;
}

}  // namespace shardwright::exec
