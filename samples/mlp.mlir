module @mlp attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%x: tensor<32x64xf32> loc("x"), %w1: tensor<64x128xf32> loc("w1"), %b1: tensor<128xf32> loc("b1"), %w2: tensor<128x128xf32> loc("w2"), %b2: tensor<128xf32> loc("b2"), %w3: tensor<128x16xf32> loc("w3"), %b3: tensor<16xf32> loc("b3")) -> (tensor<32x16xf32>) {
    %0 = stablehlo.dot_general %x, %w1, contracting_dims = [1] x [0] : (tensor<32x64xf32>, tensor<64x128xf32>) -> tensor<32x128xf32> loc("mlp/layer_1/dot_general")
    %1 = stablehlo.broadcast_in_dim %b1, dims = [1] : (tensor<128xf32>) -> tensor<32x128xf32> loc("mlp/layer_1/broadcast_in_dim")
    %2 = stablehlo.add %0, %1 : tensor<32x128xf32> loc("mlp/layer_1/add")
    %3 = stablehlo.constant dense<0.0> : tensor<32x128xf32> loc("mlp/layer_1/constant")
    %hidden = stablehlo.maximum %2, %3 : tensor<32x128xf32> loc("mlp/layer_1/maximum")
    %4 = stablehlo.dot_general %hidden, %w2, contracting_dims = [1] x [0] : (tensor<32x128xf32>, tensor<128x128xf32>) -> tensor<32x128xf32> loc("mlp/layer_2/dot_general")
    %5 = stablehlo.broadcast_in_dim %b2, dims = [1] : (tensor<128xf32>) -> tensor<32x128xf32> loc("mlp/layer_2/broadcast_in_dim")
    %6 = stablehlo.add %4, %5 : tensor<32x128xf32> loc("mlp/layer_2/add")
    %7 = stablehlo.constant dense<0.0> : tensor<32x128xf32> loc("mlp/layer_2/constant")
    %hidden2 = stablehlo.maximum %6, %7 : tensor<32x128xf32> loc("mlp/layer_2/maximum")
    %8 = stablehlo.dot_general %hidden2, %w3, contracting_dims = [1] x [0] : (tensor<32x128xf32>, tensor<128x16xf32>) -> tensor<32x16xf32> loc("mlp/layer_3/dot_general")
    %9 = stablehlo.broadcast_in_dim %b3, dims = [1] : (tensor<16xf32>) -> tensor<32x16xf32> loc("mlp/layer_3/broadcast_in_dim")
    %output = stablehlo.add %8, %9 : tensor<32x16xf32> loc("mlp/layer_3/add")
    return %output : tensor<32x16xf32> loc("mlp/return")
  }
}
