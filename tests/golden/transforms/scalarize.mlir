builtin.module {
  func.func @f(%a: tensor<?x4xf32>, %b: tensor<4x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %0 = arith.constant 0 : index
    %1 = tensor.dim %a, %0 : tensor<?x4xf32>
    %2 = arith.constant 1 : index
    %3 = tensor.dim %b, %2 : tensor<4x?xf32>
    %4 = arith.constant 0 : index
    %5 = arith.constant 0 : index
    %6 = arith.constant 1 : index
    %7 = arith.constant 1 : index
    %r = scf.for %8 = %4 to %1 step %6 iter_args(%9 = %c) -> (tensor<?x?xf32>) {
      %10 = scf.for %11 = %5 to %3 step %7 iter_args(%12 = %9) -> (tensor<?x?xf32>) {
        %13 = tensor.extract_slice %a[%8, 0] [1, 4] [1, 1] : tensor<?x4xf32> to tensor<1x4xf32>
        %14 = tensor.extract_slice %b[0, %11] [4, 1] [1, 1] : tensor<4x?xf32> to tensor<4x1xf32>
        %15 = tensor.extract_slice %12[%8, %11] [1, 1] [1, 1] : tensor<?x?xf32> to tensor<1x1xf32>
        %r_1 = linalg.matmul {made} ins(%13, %14 : tensor<1x4xf32>, tensor<4x1xf32>) outs(%15 : tensor<1x1xf32>) -> tensor<1x1xf32>
        %16 = tensor.insert_slice %r_1 into %12[%8, %11] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<?x?xf32>
        scf.yield %16 : tensor<?x?xf32>
      }
      scf.yield %10 : tensor<?x?xf32>
    }
    func.return %r : tensor<?x?xf32>
  }
}
