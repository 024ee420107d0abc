#include <dnnl.hpp>
#include <string>

#include "exec/matmul.h"
#include "exec/onednn.h"

namespace shardwright::exec {

struct OneDnnMatmul::Primitive {
    dnnl::memory::desc a, b, c;
    dnnl::matmul matmul;
};

namespace {

dnnl::memory::data_type data_type(ir::ElementType type) {
    return type == ir::ElementType::kBF16 ? dnnl::memory::data_type::bf16
                                          : dnnl::memory::data_type::f32;
}

}  // namespace

std::shared_ptr<OneDnnMatmul> OneDnnMatmul::create(const MatmulShape& s, ir::ElementType operands,
                                                   ir::ElementType result) {
    using Dims = dnnl::memory::dims;
    auto primitive = std::make_shared<Primitive>();
    const auto in = data_type(operands), out = data_type(result);
    // A batch of one is a plain matrix product, which oneDNN runs faster.
    if (s.batch == 1) {
        primitive->a = {Dims{s.m, s.k}, in, Dims{s.a_row, s.a_column}};
        primitive->b = {Dims{s.k, s.n}, in, Dims{s.b_row, s.b_column}};
        primitive->c = {Dims{s.m, s.n}, out, Dims{s.n, 1}};
    } else {
        primitive->a = {Dims{s.batch, s.m, s.k}, in, Dims{s.a_batch, s.a_row, s.a_column}};
        primitive->b = {Dims{s.batch, s.k, s.n}, in, Dims{s.b_batch, s.b_row, s.b_column}};
        primitive->c = {Dims{s.batch, s.m, s.n}, out, Dims{s.m * s.n, s.n, 1}};
    }
    try {
        const dnnl::matmul::desc description(primitive->a, primitive->b, primitive->c);
        const dnnl::matmul::primitive_desc chosen(description, onednn_engine());
        const std::string name = chosen.impl_info_str();
        if (name.find("ref") != std::string::npos) return nullptr;
        primitive->matmul = dnnl::matmul(chosen);
    } catch (const dnnl::error&) {
        return nullptr;
    }
    auto matmul = std::make_shared<OneDnnMatmul>();
    matmul->primitive_ = std::move(primitive);
    return matmul;
}

void OneDnnMatmul::run(const std::byte* a, const std::byte* b, std::byte* c) const {
    const dnnl::engine& engine = onednn_engine();
    // oneDNN takes writable pointers for inputs as well, and does not write to them.
    dnnl::memory left(primitive_->a, engine, const_cast<std::byte*>(a));
    dnnl::memory right(primitive_->b, engine, const_cast<std::byte*>(b));
    dnnl::memory result(primitive_->c, engine, c);
    dnnl::stream stream(engine);
    primitive_->matmul.execute(
        stream, {{DNNL_ARG_SRC, left}, {DNNL_ARG_WEIGHTS, right}, {DNNL_ARG_DST, result}});
    stream.wait();
}

const dnnl::engine& onednn_engine() {
    static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
    return engine;
}

}  // namespace shardwright::exec
