// Pairs that lie side by side: real and imaginary parts, each read in steps of two.
func.func @magnitude(%x: tensor<5x200xf32>) -> tensor<5x100xf32> {
  %empty = tensor.empty() : tensor<5x100xf32>
  %pairs = tensor.expand_shape %x [[0], [1, 2]] output_shape [5, 100, 2] : tensor<5x200xf32> into tensor<5x100x2xf32>
  %real = tensor.extract_slice %pairs[0, 0, 0] [5, 100, 1] [1, 1, 1] : tensor<5x100x2xf32> to tensor<5x100xf32>
  %imag = tensor.extract_slice %x[0, 1] [5, 100] [1, 2] : tensor<5x200xf32> to tensor<5x100xf32>
  %out = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%real, %imag : tensor<5x100xf32>, tensor<5x100xf32>) outs(%empty : tensor<5x100xf32>) {
  ^bb0(%r: f32, %i: f32, %o: f32):
    %rr = arith.mulf %r, %r : f32
    %ii = arith.mulf %i, %i : f32
    %sum = arith.addf %rr, %ii : f32
    %root = math.sqrt %sum : f32
    linalg.yield %root : f32
  } -> tensor<5x100xf32>
  return %out : tensor<5x100xf32>
}
