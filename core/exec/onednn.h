#pragma once
// oneDNN's one CPU engine, for the kernels that use it.

#include <dnnl.hpp>

namespace shardwright::exec {

const dnnl::engine& onednn_engine();

}  // namespace shardwright::exec
