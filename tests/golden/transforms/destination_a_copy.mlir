builtin.module {
  func.func @f(%x: tensor<5x7xf32>, %n: index, %v: f32) -> tensor<5x7xf32> {
    %c = arith.constant 3.000000e+00 : f32
    %0 = bufferization.alloc_tensor() : tensor<5x7xf32>
    %r = linalg.copy {made} ins(%x : tensor<5x7xf32>) outs(%0 : tensor<5x7xf32>) -> tensor<5x7xf32>
    func.return %r : tensor<5x7xf32>
  }
}
