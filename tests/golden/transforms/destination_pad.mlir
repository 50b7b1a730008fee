builtin.module {
  func.func @f(%x: tensor<5x7xf32>, %n: index, %v: f32) -> tensor<9x12xf32> {
    %c = arith.constant 3.000000e+00 : f32
    %0 = tensor.empty() : tensor<9x12xf32>
    %1 = arith.constant 3.000000e+00 : f32
    %2 = linalg.fill ins(%1 : f32) outs(%0 : tensor<9x12xf32>) -> tensor<9x12xf32>
    %r = tensor.insert_slice %x into %2[2, 1] [5, 7] [1, 1] {made} : tensor<5x7xf32> into tensor<9x12xf32>
    func.return %r : tensor<9x12xf32>
  }
}
