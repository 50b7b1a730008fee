builtin.module {
  func.func @f(%a: tensor<7x10xf32>, %b: tensor<10x9xf32>, %c: tensor<7x9xf32>) -> tensor<7x9xf32> {
    %0 = arith.constant 0 : index
    %1 = arith.constant 0 : index
    %2 = arith.constant 7 : index
    %3 = arith.constant 10 : index
    %4 = arith.constant 3 : index
    %5 = arith.constant 4 : index
    %r = scf.for %6 = %0 to %2 step %4 iter_args(%7 = %c) -> (tensor<7x9xf32>) {
      %8 = arith.constant 8 : index
      %9 = scf.for %10 = %1 to %8 step %5 iter_args(%11 = %7) -> (tensor<7x9xf32>) {
        %12 = affine.min affine_map<(d0) -> (((d0 * -1) + 7), 3)>(%6)
        %13 = affine.apply affine_map<(d0) -> (4)>(%10)
        %14 = tensor.extract_slice %a[%6, %10] [%12, %13] [1, 1] : tensor<7x10xf32> to tensor<?x?xf32>
        %15 = tensor.extract_slice %b[%10, 0] [%13, 9] [1, 1] : tensor<10x9xf32> to tensor<?x9xf32>
        %16 = tensor.extract_slice %11[%6, 0] [%12, 9] [1, 1] : tensor<7x9xf32> to tensor<?x9xf32>
        %r_1 = linalg.matmul ins(%14, %15 : tensor<?x?xf32>, tensor<?x9xf32>) outs(%16 : tensor<?x9xf32>) -> tensor<?x9xf32>
        %17 = tensor.insert_slice %r_1 into %11[%6, 0] [%12, 9] [1, 1] : tensor<?x9xf32> into tensor<7x9xf32>
        scf.yield %17 : tensor<7x9xf32>
      }
      %18 = scf.for %19 = %8 to %3 step %5 iter_args(%20 = %9) -> (tensor<7x9xf32>) {
        %21 = affine.min affine_map<(d0) -> (((d0 * -1) + 7), 3)>(%6)
        %22 = affine.apply affine_map<(d0) -> (((d0 * -1) + 10))>(%19)
        %23 = tensor.extract_slice %a[%6, %19] [%21, %22] [1, 1] : tensor<7x10xf32> to tensor<?x?xf32>
        %24 = tensor.extract_slice %b[%19, 0] [%22, 9] [1, 1] : tensor<10x9xf32> to tensor<?x9xf32>
        %25 = tensor.extract_slice %20[%6, 0] [%21, 9] [1, 1] : tensor<7x9xf32> to tensor<?x9xf32>
        %r_2 = linalg.matmul ins(%23, %24 : tensor<?x?xf32>, tensor<?x9xf32>) outs(%25 : tensor<?x9xf32>) -> tensor<?x9xf32>
        %26 = tensor.insert_slice %r_2 into %20[%6, 0] [%21, 9] [1, 1] : tensor<?x9xf32> into tensor<7x9xf32>
        scf.yield %26 : tensor<7x9xf32>
      }
      scf.yield %18 : tensor<7x9xf32>
    }
    func.return %r : tensor<7x9xf32>
  }
}
