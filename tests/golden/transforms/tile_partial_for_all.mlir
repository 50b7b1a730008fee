builtin.module {
  func.func @matmul(%a: tensor<40x20xf32>, %b: tensor<20x24xf32>, %c: tensor<40x24xf32>) -> tensor<40x24xf32> {
    %0 = arith.constant 0 : index
    %1 = arith.constant 0 : index
    %2 = arith.constant 0 : index
    %3 = arith.constant 40 : index
    %4 = arith.constant 24 : index
    %5 = arith.constant 20 : index
    %6 = arith.constant 32 : index
    %7 = arith.constant 16 : index
    %8 = arith.constant 8 : index
    %r = scf.for %9 = %0 to %3 step %6 iter_args(%10 = %c) -> (tensor<40x24xf32>) {
      %11 = scf.for %12 = %1 to %4 step %7 iter_args(%13 = %10) -> (tensor<40x24xf32>) {
        %14 = scf.for %15 = %2 to %5 step %8 iter_args(%16 = %13) -> (tensor<40x24xf32>) {
          %17 = affine.min affine_map<(d0) -> (((d0 * -1) + 40), 32)>(%9)
          %18 = affine.min affine_map<(d0) -> (((d0 * -1) + 24), 16)>(%12)
          %19 = affine.min affine_map<(d0) -> (((d0 * -1) + 20), 8)>(%15)
          %20 = tensor.extract_slice %a[%9, %15] [%17, %19] [1, 1] : tensor<40x20xf32> to tensor<?x?xf32>
          %21 = tensor.extract_slice %b[%15, %12] [%19, %18] [1, 1] : tensor<20x24xf32> to tensor<?x?xf32>
          %22 = tensor.extract_slice %16[%9, %12] [%17, %18] [1, 1] : tensor<40x24xf32> to tensor<?x?xf32>
          %r_1 = linalg.matmul ins(%20, %21 : tensor<?x?xf32>, tensor<?x?xf32>) outs(%22 : tensor<?x?xf32>) -> tensor<?x?xf32>
          %23 = tensor.insert_slice %r_1 into %16[%9, %12] [%17, %18] [1, 1] : tensor<?x?xf32> into tensor<40x24xf32>
          scf.yield %23 : tensor<40x24xf32>
        }
        scf.yield %14 : tensor<40x24xf32>
      }
      scf.yield %11 : tensor<40x24xf32>
    }
    func.return %r : tensor<40x24xf32>
  }
}
