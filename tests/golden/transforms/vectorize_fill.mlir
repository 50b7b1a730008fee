builtin.module {
  func.func @matmul_relu(%a: tensor<16x4xf32>, %b: tensor<4x16xf32>) -> tensor<16x16xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %empty = tensor.empty() : tensor<16x16xf32>
    %0 = arith.constant 0 : index
    %1 = arith.constant dense<0.000000e+00> : vector<16x16xf32>
    %init = vector.transfer_write %1, %empty[%0, %0] {in_bounds = [true, true]} : vector<16x16xf32>, tensor<16x16xf32>
    %product = linalg.matmul ins(%a, %b : tensor<16x4xf32>, tensor<4x16xf32>) outs(%init : tensor<16x16xf32>) -> tensor<16x16xf32>
    %out = tensor.empty() : tensor<16x16xf32>
    %result = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%product : tensor<16x16xf32>) outs(%out : tensor<16x16xf32>) {
    ^bb0(%x: f32, %o: f32):
      %relu = arith.maximumf %x, %zero : f32
      linalg.yield %relu : f32
    } -> tensor<16x16xf32>
    func.return %result : tensor<16x16xf32>
  }
}
