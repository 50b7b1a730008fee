builtin.module {
  func.func @matmul(%a: tensor<10x7xf32>, %b: tensor<7x6xf32>, %c: tensor<10x6xf32>) -> tensor<10x6xf32> {
    %0 = arith.constant 0.000000e+00 : f32
    %1 = tensor.pad %a nofold low[0, 0] high[0, 0] {
    ^bb0(%2: index, %3: index):
      tensor.yield %0 : f32
    } {b} : tensor<10x7xf32> to tensor<10x7xf32>
    %4 = arith.constant 0.000000e+00 : f32
    %5 = tensor.pad %b nofold low[0, 0] high[0, 0] {
    ^bb0(%6: index, %7: index):
      tensor.yield %4 : f32
    } {b} : tensor<7x6xf32> to tensor<7x6xf32>
    %8 = linalg.matmul {a} ins(%1, %5 : tensor<10x7xf32>, tensor<7x6xf32>) outs(%c : tensor<10x6xf32>) -> tensor<10x6xf32>
    %9 = tensor.extract_slice %8[0, 0] [10, 6] [1, 1] : tensor<10x6xf32> to tensor<10x6xf32>
    %r = bufferization.materialize_in_destination %9 in %c {c} : (tensor<10x6xf32>, tensor<10x6xf32>) -> tensor<10x6xf32>
    func.return %r : tensor<10x6xf32>
  }
}
