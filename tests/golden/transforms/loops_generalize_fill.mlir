builtin.module {
  func.func @matmul_relu(%a: tensor<8x5xf32>, %b: tensor<5x7xf32>) -> tensor<8x7xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %empty = tensor.empty() : tensor<8x7xf32>
    %init = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%zero : f32) outs(%empty : tensor<8x7xf32>) attrs = {made} {
    ^bb0(%0: f32, %1: f32):
      linalg.yield %0 : f32
    } -> tensor<8x7xf32>
    %product = linalg.matmul ins(%a, %b : tensor<8x5xf32>, tensor<5x7xf32>) outs(%init : tensor<8x7xf32>) -> tensor<8x7xf32>
    %out = tensor.empty() : tensor<8x7xf32>
    %result = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%product : tensor<8x7xf32>) outs(%out : tensor<8x7xf32>) {
    ^bb0(%x: f32, %o: f32):
      %relu = arith.maximumf %x, %zero : f32
      linalg.yield %relu : f32
    } -> tensor<8x7xf32>
    func.return %result : tensor<8x7xf32>
  }
}
