#pragma once
// f32 convolutions in the dense form of convolution_geometry.h, by oneDNN.

#include <memory>

#include "exec/convolution_geometry.h"

namespace shardwright::exec {

class OneDnnConvolution {
  public:
    /// Null when oneDNN has no fast implementation of this shape (more than 3 spatial dims, …).
    static std::shared_ptr<OneDnnConvolution> create(const ConvolutionForm& form);
    void run(const float* input, const float* kernel, float* result) const;

  private:
    struct Primitive;
    std::shared_ptr<Primitive> primitive_;
};

}  // namespace shardwright::exec
