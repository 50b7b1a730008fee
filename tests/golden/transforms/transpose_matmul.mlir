builtin.module {
  func.func @matmul(%a: tensor<4x7xf16>, %b: tensor<7x5xf16>, %c: tensor<4x5xf32>) -> tensor<4x5xf32> {
    %0 = tensor.empty() : tensor<5x7xf16>
    %1 = linalg.transpose ins(%b : tensor<7x5xf16>) outs(%0 : tensor<5x7xf16>) permutation = [1, 0]
    %r = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>] {made} ins(%a, %1 : tensor<4x7xf16>, tensor<5x7xf16>) outs(%c : tensor<4x5xf32>) -> tensor<4x5xf32>
    func.return %r : tensor<4x5xf32>
  }
}
