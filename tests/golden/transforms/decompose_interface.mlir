builtin.module {
  func.func @f(%x: tensor<4x32xf32>, %o: tensor<4x32xf32>) -> tensor<4x32xf32> {
    %0 = tensor.empty() : tensor<4xf32>
    %1 = arith.constant 0xFFC00000 : f32
    %2 = linalg.fill ins(%1 : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
    %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x32xf32>) outs(%2 : tensor<4xf32>) {
    ^bb0(%4: f32, %5: f32):
      %6 = arith.maxnumf %4, %5 : f32
      linalg.yield %6 : f32
    } -> tensor<4xf32>
    %7 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x, %3 : tensor<4x32xf32>, tensor<4xf32>) outs(%o : tensor<4x32xf32>) {
    ^bb0(%8: f32, %9: f32, %10: f32):
      %11 = arith.subf %8, %9 : f32
      %12 = math.exp %11 : f32
      linalg.yield %12 : f32
    } -> tensor<4x32xf32>
    %13 = arith.constant 0.000000e+00 : f32
    %14 = linalg.fill ins(%13 : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
    %15 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%7 : tensor<4x32xf32>) outs(%14 : tensor<4xf32>) {
    ^bb0(%16: f32, %17: f32):
      %18 = arith.addf %16, %17 : f32
      linalg.yield %18 : f32
    } -> tensor<4xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%7, %15 : tensor<4x32xf32>, tensor<4xf32>) outs(%o : tensor<4x32xf32>) attrs = {last} {
    ^bb0(%19: f32, %20: f32, %21: f32):
      %22 = arith.divf %19, %20 : f32
      linalg.yield %22 : f32
    } -> tensor<4x32xf32>
    func.return %r : tensor<4x32xf32>
  }
}
