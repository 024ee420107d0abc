#include "rules/signature.h"

#include <string>

#include "rules/families.h"
#include "rules/index_parallel.h"

namespace shardwright::rules {
namespace {

/// Appends the attributes that rules read.
struct AttributeWriter {
    std::vector<std::int64_t>& out;

    void list(const Dims& dims) const {
        out.push_back(static_cast<std::int64_t>(dims.size()));
        out.insert(out.end(), dims.begin(), dims.end());
    }
    template <class A>
    void operator()(const A&) const {}  // the others do not change what the dims mean
    void operator()(const ir::DimsAttributes& a) const { list(a.dims); }
    void operator()(const ir::DimAttributes& a) const { out.push_back(a.dim); }
    void operator()(const ir::SliceAttributes& a) const {
        for (const Dims* d : {&a.start, &a.limit, &a.strides}) list(*d);
    }
    void operator()(const ir::PadAttributes& a) const {
        for (const Dims* d : {&a.low, &a.high, &a.interior}) list(*d);
    }
    void operator()(const ir::DotAttributes& a) const {
        for (const Dims* d : {&a.lhs_batch, &a.rhs_batch, &a.lhs_contracting, &a.rhs_contracting})
            list(*d);
    }
    void operator()(const ir::ConvolutionAttributes& a) const {
        for (const std::int64_t n :
             {a.lhs_batch, a.lhs_feature, a.rhs_input_feature, a.rhs_output_feature, a.result_batch,
              a.result_feature, a.feature_groups, a.batch_groups})
            out.push_back(n);
        for (const Dims* d : {&a.lhs_spatial, &a.rhs_spatial, &a.result_spatial, &a.strides,
                              &a.pad_low, &a.pad_high, &a.lhs_dilation, &a.rhs_dilation})
            list(*d);
        for (const bool reversed : a.window_reversal) out.push_back(reversed);
    }
    void operator()(const ir::WindowAttributes& a) const {
        for (const Dims* d :
             {&a.sizes, &a.strides, &a.base_dilation, &a.window_dilation, &a.pad_low, &a.pad_high})
            list(*d);
    }
    void operator()(const ir::GatherAttributes& a) const {
        for (const Dims* d : {&a.offset_dims, &a.collapsed_slice_dims, &a.operand_batching_dims,
                              &a.start_indices_batching_dims, &a.start_index_map, &a.slice_sizes})
            list(*d);
        out.push_back(a.index_vector_dim);
    }
    void operator()(const ir::ScatterAttributes& a) const {
        for (const Dims* d :
             {&a.update_window_dims, &a.inserted_window_dims, &a.input_batching_dims,
              &a.scatter_indices_batching_dims, &a.scatter_dims_to_operand_dims})
            list(*d);
        out.push_back(a.index_vector_dim);
    }
    void operator()(const ir::SortAttributes& a) const { out.push_back(a.dim); }
    void operator()(const ir::FftAttributes& a) const { list(a.length); }
    void operator()(const ir::TriangularSolveAttributes& a) const { out.push_back(a.left_side); }
    void operator()(const ir::BatchNormAttributes& a) const { out.push_back(a.feature); }
    void operator()(const ir::CustomCallAttributes& a) const { out.push_back(a.target.index); }
    void operator()(const ir::CollectiveAttributes& a) const {
        out.push_back(a.dim);
        out.push_back(a.concat_dim);
    }
    void operator()(const ir::BarrierAttributes& a) const {
        out.push_back(static_cast<std::int64_t>(a.allowed));
    }
};

}  // namespace

std::int64_t SignatureWriter::shape(ir::ValueId value) {
    const std::uint32_t type = module_.value(value).type.index;
    if (type >= shape_of_type_.size()) shape_of_type_.resize(type + 1, -1);
    std::int64_t& number = shape_of_type_[type];
    if (number < 0) {
        const Dims& dims = module_.type(value).dims;
        std::string key(reinterpret_cast<const char*>(dims.data()),
                        dims.size() * sizeof(std::int64_t));
        number = shapes_.emplace(std::move(key), static_cast<std::int64_t>(shapes_.size()))
                     .first->second;
    }
    return number;
}

void SignatureWriter::write(ir::OpId id, std::vector<std::int64_t>& out) {
    out.clear();
    const ir::Op& op = module_.op(id);
    const bool elementwise = ir::info(op.kind).elementwise;
    out.push_back(elementwise ? -1 : static_cast<std::int64_t>(op.kind));
    out.push_back(op.operand_count);
    for (const ir::ValueId v : module_.operands(op)) out.push_back(shape(v));
    for (std::uint32_t i = 0; i < op.result_count; ++i) out.push_back(shape(module_.result(id, i)));
    if (elementwise) return;
    std::visit(AttributeWriter{out}, module_.all_attributes(id));
    if (op.kind == ir::OpKind::kReduce || op.kind == ir::OpKind::kScatter)
        for (const ir::RegionId region : module_.regions(id))
            out.push_back(static_cast<std::int64_t>(region_reduction(module_, region)));
    // An index that counts ties dims: what the indices are made from belongs to the signature.
    Dims iotas;
    if (const auto* g = module_.attributes_if<ir::GatherAttributes>(id))
        iotas = iota_components(module_, module_.operand(id, 1), g->index_vector_dim);
    if (const auto* s = module_.attributes_if<ir::ScatterAttributes>(id))
        iotas = iota_components(module_, module_.operand(id, op.result_count), s->index_vector_dim);
    out.insert(out.end(), iotas.begin(), iotas.end());
}

}  // namespace shardwright::rules
