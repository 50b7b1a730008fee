builtin.module {
  func.func @f(%x: tensor<8x5xf32>, %v: tensor<5xf32>) -> tensor<8x5xf32> {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %empty = tensor.empty() : tensor<8x5xf32>
    %empty_1 = tensor.empty() : tensor<8x5xf32>
    %next_row = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v : tensor<5xf32>) outs(%empty_1 : tensor<8x5xf32>) {
    ^bb0(%w: f32, %out: f32):
      %0 = linalg.index 0 : index
      %1 = linalg.index 1 : index
      %2 = arith.addi %0, %c1 : index
      %3 = arith.remsi %2, %c8 : index
      %e = tensor.extract %x[%3, %1] : tensor<8x5xf32>
      %4 = arith.mulf %e, %w : f32
      linalg.yield %4 : f32
    } -> tensor<8x5xf32>
    func.return %next_row : tensor<8x5xf32>
  }
}
