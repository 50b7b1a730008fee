builtin.module {
  func.func @matmul_relu(%a: tensor<64x32xf32>, %b: tensor<32x64xf32>) -> tensor<64x64xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %empty = tensor.empty() : tensor<64x64xf32>
    %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
    %product = scf.forall (%0, %1) in (2, 2) shared_outs(%2 = %empty) -> (tensor<64x64xf32>) {
      %3 = affine.apply affine_map<(d0) -> ((d0 * 32))>(%0)
      %4 = affine.apply affine_map<(d0) -> ((d0 * 32))>(%1)
      %5 = tensor.extract_slice %a[%3, 0] [32, 32] [1, 1] : tensor<64x32xf32> to tensor<32x32xf32>
      %6 = tensor.extract_slice %b[0, %4] [32, 32] [1, 1] : tensor<32x64xf32> to tensor<32x32xf32>
      %7 = tensor.extract_slice %2[%3, %4] [32, 32] [1, 1] : tensor<64x64xf32> to tensor<32x32xf32>
      %init_1 = linalg.fill ins(%zero : f32) outs(%7 : tensor<32x32xf32>) -> tensor<32x32xf32>
      %product_1 = linalg.matmul ins(%5, %6 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%init_1 : tensor<32x32xf32>) -> tensor<32x32xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %product_1 into %2[%3, %4] [32, 32] [1, 1] : tensor<32x32xf32> into tensor<64x64xf32>
      }
    } {mapping = [#gpu.block<y>, #gpu.block<x>]}
    %out = tensor.empty() : tensor<64x64xf32>
    %result = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%product : tensor<64x64xf32>) outs(%out : tensor<64x64xf32>) {
    ^bb0(%x: f32, %o: f32):
      %relu = arith.maximumf %x, %zero : f32
      linalg.yield %relu : f32
    } -> tensor<64x64xf32>
    func.return %result : tensor<64x64xf32>
  }
}
