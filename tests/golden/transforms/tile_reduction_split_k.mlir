builtin.module {
  func.func @matmul(%a: tensor<8x64xf32>, %b: tensor<64x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %0 = tensor.empty() : tensor<8x8x4xf32>
    %1 = arith.constant 0.000000e+00 : f32
    %2 = linalg.fill {r0} ins(%1 : f32) outs(%0 : tensor<8x8x4xf32>) -> tensor<8x8x4xf32>
    %3 = scf.forall (%4) in (4) shared_outs(%5 = %2) -> (tensor<8x8x4xf32>) {
      %6 = affine.apply affine_map<(d0) -> ((d0 * 16))>(%4)
      %7 = tensor.extract_slice %a[0, %6] [8, 16] [1, 1] : tensor<8x64xf32> to tensor<8x16xf32>
      %8 = tensor.extract_slice %b[%6, 0] [16, 8] [1, 1] : tensor<64x8xf32> to tensor<16x8xf32>
      %9 = tensor.extract_slice %5[0, 0, %4] [8, 8, 1] [1, 1, 1] : tensor<8x8x4xf32> to tensor<8x8xf32>
      %10 = linalg.matmul {r1} ins(%7, %8 : tensor<8x16xf32>, tensor<16x8xf32>) outs(%9 : tensor<8x8xf32>) -> tensor<8x8xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %10 into %5[0, 0, %4] [8, 8, 1] [1, 1, 1] : tensor<8x8xf32> into tensor<8x8x4xf32>
      }
    } {r3}
    %r = linalg.reduce ins(%3 : tensor<8x8x4xf32>) outs(%c : tensor<8x8xf32>) dimensions = [2] {r2} (%11: f32, %12: f32) {
      %13 = arith.addf %11, %12 : f32
      linalg.yield %13 : f32
    }
    func.return %r : tensor<8x8xf32>
  }
}
