// select_and_scatter: each window chooses one operand element, which receives the source's value.
#include <cstring>
#include <memory>

#include "exec/kernel.h"
#include "exec/window_geometry.h"

namespace shardwright::exec {
namespace {

struct SelectAndScatter {
    WindowTables tables;
    ElementProgram select, scatter;
    int bytes;
    std::int64_t operand_count;

    void run(const Call& call) const {
        ElementProgram::Runner choose(select, 1, call.in + 3);
        ElementProgram::Runner add(scatter, 1, call.in + 3 + select.captures().size());
        fill(bytes, call.in[2], call.out[0], operand_count);
        Dims output, window;
        for (std::int64_t o = 0; o < tables.outputs; ++o) {
            tables.output_index(o, output);
            std::int64_t chosen = -1;
            for (std::int64_t w = 0; w < tables.positions; ++w) {
                tables.window_index(w, window);
                const std::int64_t at = tables.offset(output, window);
                if (at < 0) continue;
                if (chosen >= 0) {
                    const std::byte* in[] = {call.in[0] + chosen * bytes, call.in[0] + at * bytes};
                    std::byte keep{0};
                    std::byte* result = &keep;
                    choose.run(in, &result, 1);
                    if (keep != std::byte{0}) continue;
                }
                chosen = at;
            }
            if (chosen < 0) continue;
            std::byte* target = call.out[0] + chosen * bytes;
            const std::byte* in[] = {target, call.in[1] + o * bytes};
            add.run(in, &target, 1);
        }
    }
};

}  // namespace

Result<Kernel> prepare_select_and_scatter(const Preparation& p) {
    SW_TRY(ElementProgram select, p.scalar_program(0));
    SW_TRY(ElementProgram scatter, p.scalar_program(1));
    Kernel kernel;
    for (const ir::ValueId v : select.captures()) kernel.captures.push_back(v);
    for (const ir::ValueId v : scatter.captures()) kernel.captures.push_back(v);
    auto op = std::make_shared<const SelectAndScatter>(SelectAndScatter{
        WindowTables(p.attributes<ir::WindowAttributes>(), p.operand(0).dims, p.operand(1).dims),
        std::move(select), std::move(scatter), ir::storage_bytes(p.operand(0).element),
        p.operand(0).element_count()});
    kernel.run = [op](const Call& call) -> Status {
        op->run(call);
        return {};
    };
    return kernel;
}

}  // namespace shardwright::exec
