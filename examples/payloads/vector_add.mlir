func.func @vector_add(%x: tensor<1048576xf32>, %y: tensor<1048576xf32>) -> tensor<1048576xf32> {
  %empty = tensor.empty() : tensor<1048576xf32>
  %add = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x, %y : tensor<1048576xf32>, tensor<1048576xf32>) outs(%empty : tensor<1048576xf32>) {
  ^bb0(%x_1: f32, %y_1: f32, %out: f32):
    %0 = arith.addf %x_1, %y_1 : f32
    linalg.yield %0 : f32
  } -> tensor<1048576xf32>
  func.return %add : tensor<1048576xf32>
}
