// batch_norm_inference, _training and _grad, computed in double and rounded once.
#include <cmath>
#include <vector>

#include "exec/convert_array.h"
#include "exec/kernel.h"

namespace shardwright::exec {
namespace {

using Doubles = std::vector<double>;

struct Shape {
    ir::ElementType type{};
    std::int64_t count = 0, features = 1, inner = 1;  // inner: elements behind the feature dim
    double epsilon = 0;

    explicit Shape(const Preparation& p) {
        const auto& a = p.attributes<ir::BatchNormAttributes>();
        const Dims& dims = p.operand(0).dims;
        const auto feature = static_cast<std::size_t>(a.feature);
        type = p.operand(0).element;
        count = p.operand(0).element_count();
        features = dims[feature];
        for (std::size_t d = feature + 1; d < dims.size(); ++d) inner *= dims[d];
        epsilon = a.epsilon;
    }
    std::size_t feature_of(std::int64_t i) const {
        return static_cast<std::size_t>(i / inner % features);
    }
    double per_feature() const {
        return static_cast<double>(count) / static_cast<double>(features);
    }
    Doubles read(const std::byte* data, std::int64_t n) const {
        Doubles out(static_cast<std::size_t>(n));
        convert_array(type, data, ir::ElementType::kF64, reinterpret_cast<std::byte*>(out.data()),
                      n);
        return out;
    }
    void write(const Doubles& values, std::byte* out) const {
        convert_array(ir::ElementType::kF64, reinterpret_cast<const std::byte*>(values.data()),
                      type, out, static_cast<std::int64_t>(values.size()));
    }
    /// Sums of `term(i)` by feature.
    template <class Term>
    Doubles sums(const Term& term) const {
        Doubles out(static_cast<std::size_t>(features), 0.0);
        for (std::int64_t i = 0; i < count; ++i)
            out[feature_of(i)] += term(static_cast<std::size_t>(i));
        return out;
    }
    Doubles normalise(const Doubles& x, const Doubles& scale, const Doubles& offset,
                      const Doubles& mean, const Doubles& variance) const {
        Doubles out(x.size());
        for (std::size_t i = 0; i < x.size(); ++i) {
            const std::size_t f = feature_of(static_cast<std::int64_t>(i));
            out[i] = (x[i] - mean[f]) / std::sqrt(variance[f] + epsilon) * scale[f] + offset[f];
        }
        return out;
    }
};

void inference(const Shape& s, const Call& call) {
    s.write(s.normalise(s.read(call.in[0], s.count), s.read(call.in[1], s.features),
                        s.read(call.in[2], s.features), s.read(call.in[3], s.features),
                        s.read(call.in[4], s.features)),
            call.out[0]);
}

void training(const Shape& s, const Call& call) {
    const Doubles x = s.read(call.in[0], s.count);
    Doubles mean = s.sums([&](std::size_t i) { return x[i]; });
    for (double& m : mean) m /= s.per_feature();
    Doubles variance = s.sums([&](std::size_t i) {
        const double d = x[i] - mean[s.feature_of(static_cast<std::int64_t>(i))];
        return d * d;
    });
    for (double& v : variance) v /= s.per_feature();
    s.write(s.normalise(x, s.read(call.in[1], s.features), s.read(call.in[2], s.features), mean,
                        variance),
            call.out[0]);
    s.write(mean, call.out[1]);
    s.write(variance, call.out[2]);
}

void gradient(const Shape& s, const Call& call) {
    const Doubles x = s.read(call.in[0], s.count), scale = s.read(call.in[1], s.features);
    const Doubles mean = s.read(call.in[2], s.features), variance = s.read(call.in[3], s.features);
    const Doubles g = s.read(call.in[4], s.count);
    const auto normal = [&](std::size_t i) {
        const std::size_t f = s.feature_of(static_cast<std::int64_t>(i));
        return (x[i] - mean[f]) / std::sqrt(variance[f] + s.epsilon);
    };
    const Doubles offset_gradient = s.sums([&](std::size_t i) { return g[i]; });
    const Doubles scale_gradient = s.sums([&](std::size_t i) { return g[i] * normal(i); });
    Doubles operand_gradient(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        const std::size_t f = s.feature_of(static_cast<std::int64_t>(i));
        operand_gradient[i] = scale[f] / std::sqrt(variance[f] + s.epsilon) *
                              (g[i] - offset_gradient[f] / s.per_feature() -
                               normal(i) * scale_gradient[f] / s.per_feature());
    }
    s.write(operand_gradient, call.out[0]);
    s.write(scale_gradient, call.out[1]);
    s.write(offset_gradient, call.out[2]);
}

}  // namespace

Result<Kernel> prepare_batch_norm(const Preparation& p) {
    const Shape shape(p);
    if (!ir::is_float(shape.type)) return p.unsupported_here("batch_norm of this element type");
    auto* const run = p.module.op(p.op).kind == ir::OpKind::kBatchNormInference  ? inference
                      : p.module.op(p.op).kind == ir::OpKind::kBatchNormTraining ? training
                                                                                 : gradient;
    Kernel kernel;
    kernel.run = [shape, run](const Call& call) -> Status {
        run(shape, call);
        return {};
    };
    return kernel;
}

}  // namespace shardwright::exec
