builtin.module {
  func.func @matmul(%a: tensor<10x7xf32>, %b: tensor<7x6xf32>, %c: tensor<10x6xf32>) -> tensor<10x6xf32> {
    %0 = arith.constant 0.000000e+00 : f32
    %1 = tensor.pad %a low[0, 0] high[2, 1] {
    ^bb0(%2: index, %3: index):
      tensor.yield %0 : f32
    } : tensor<10x7xf32> to tensor<12x8xf32>
    %4 = arith.constant 0.000000e+00 : f32
    %5 = tensor.pad %b low[0, 0] high[1, 0] {
    ^bb0(%6: index, %7: index):
      tensor.yield %4 : f32
    } : tensor<7x6xf32> to tensor<8x6xf32>
    %8 = arith.constant 0.000000e+00 : f32
    %9 = tensor.pad %c low[0, 0] high[2, 0] {
    ^bb0(%10: index, %11: index):
      tensor.yield %8 : f32
    } : tensor<10x6xf32> to tensor<12x6xf32>
    %12 = linalg.matmul ins(%1, %5 : tensor<12x8xf32>, tensor<8x6xf32>) outs(%9 : tensor<12x6xf32>) -> tensor<12x6xf32>
    %r = tensor.extract_slice %12[0, 0] [10, 6] [1, 1] : tensor<12x6xf32> to tensor<10x6xf32>
    func.return %r : tensor<10x6xf32>
  }
}
