builtin.module {
  func.func @f(%x: tensor<2x7x8x8xf16>, %w: tensor<3x2x8x16xf16>) -> tensor<2x3x6x16xf32> {
    %z = arith.constant 0.000000e+00 : f32
    %e = tensor.empty() : tensor<2x3x6x16xf32>
    %s = linalg.fill ins(%z : f32) outs(%e : tensor<2x3x6x16xf32>) -> tensor<2x3x6x16xf32>
    %0 = tensor.collapse_shape %w [[0, 1, 2], [3]] : tensor<3x2x8x16xf16> into tensor<48x16xf16>
    %1 = tensor.collapse_shape %s [[0, 1, 2], [3]] : tensor<2x3x6x16xf32> into tensor<36x16xf32>
    %2 = tensor.empty() : tensor<36x48xf16>
    %columns = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%2 : tensor<36x48xf16>) {
    ^bb0(%3: f16):
      %4 = linalg.index 0 : index
      %5 = linalg.index 1 : index
      %6 = affine.apply affine_map<(d0) -> ((d0 floordiv 18))>(%4)
      %7 = affine.apply affine_map<(d0, d1) -> (((((d0 mod 18) floordiv 6) * 2) + (d1 floordiv 16)))>(%4, %5)
      %8 = affine.apply affine_map<(d0, d1) -> (((d0 mod 6) + (((d1 mod 16) floordiv 8) * 2)))>(%4, %5)
      %9 = affine.apply affine_map<(d0) -> ((d0 mod 8))>(%5)
      %10 = tensor.extract %x[%6, %7, %8, %9] : tensor<2x7x8x8xf16>
      linalg.yield %10 : f16
    } -> tensor<36x48xf16>
    %r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%columns, %0 : tensor<36x48xf16>, tensor<48x16xf16>) outs(%1 : tensor<36x16xf32>) {
    ^bb0(%11: f16, %12: f16, %13: f32):
      %14 = arith.extf %11 : f16 to f32
      %15 = arith.extf %12 : f16 to f32
      %16 = arith.mulf %14, %15 : f32
      %17 = arith.addf %13, %16 : f32
      linalg.yield %17 : f32
    } -> tensor<36x16xf32>
    %r_1 = tensor.expand_shape %r [[0, 1, 2], [3]] output_shape [2, 3, 6, 16] : tensor<36x16xf32> into tensor<2x3x6x16xf32>
    func.return %r_1 : tensor<2x3x6x16xf32>
  }
}
