builtin.module {
  func.func @moments(%x: tensor<7x3000xbf16>) -> (tensor<7xf32>, tensor<7xf32>) {
    %zero = arith.constant 0.000000e+00 : f32
    %count = arith.constant 3.000000e+03 : f32
    %empty = tensor.empty() : tensor<7xf32>
    %z = linalg.fill ins(%zero : f32) outs(%empty : tensor<7xf32>) -> tensor<7xf32>
    %sum, %squares = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<7x3000xbf16>) outs(%z, %z : tensor<7xf32>, tensor<7xf32>) {
    ^bb0(%a: bf16, %l: f32, %h: f32):
      %w = arith.extf %a : bf16 to f32
      %0 = arith.addf %w, %l : f32
      %1 = arith.mulf %w, %w : f32
      %2 = arith.addf %1, %h : f32
      linalg.yield %0, %2 : f32, f32
    } -> (tensor<7xf32>, tensor<7xf32>)
    %empty_1 = tensor.empty() : tensor<7xf32>
    %mean, %var = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%sum, %squares : tensor<7xf32>, tensor<7xf32>) outs(%empty_1, %empty_1 : tensor<7xf32>, tensor<7xf32>) {
    ^bb0(%s: f32, %q: f32, %o1: f32, %o2: f32):
      %3 = arith.divf %s, %count : f32
      %4 = arith.divf %q, %count : f32
      %5 = arith.mulf %3, %3 : f32
      %6 = arith.subf %4, %5 : f32
      linalg.yield %3, %6 : f32, f32
    } -> (tensor<7xf32>, tensor<7xf32>)
    func.return %mean, %var : tensor<7xf32>, tensor<7xf32>
  }
}
