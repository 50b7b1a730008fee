builtin.module {
  func.func @matmul_relu(%a: tensor<64x32xf32>, %b: tensor<32x64xf32>) -> tensor<64x64xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %empty = tensor.empty() : tensor<64x64xf32>
    %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
    %product = linalg.matmul ins(%a, %b : tensor<64x32xf32>, tensor<32x64xf32>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
    %out = tensor.empty() : tensor<64x64xf32>
    %result = scf.forall (%0, %1) = (0, 0) to (64, 64) step (16, 32) shared_outs(%2 = %out) -> (tensor<64x64xf32>) {
      %3 = tensor.extract_slice %a[%0, 0] [16, 32] [1, 1] : tensor<64x32xf32> to tensor<16x32xf32>
      %4 = tensor.extract_slice %b[0, %1] [32, 32] [1, 1] : tensor<32x64xf32> to tensor<32x32xf32>
      %5 = tensor.extract_slice %empty[%0, %1] [16, 32] [1, 1] : tensor<64x64xf32> to tensor<16x32xf32>
      %init_1 = linalg.fill ins(%zero : f32) outs(%5 : tensor<16x32xf32>) -> tensor<16x32xf32>
      %product_1 = linalg.matmul ins(%3, %4 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%init_1 : tensor<16x32xf32>) -> tensor<16x32xf32>
      %6 = tensor.extract_slice %2[%0, %1] [16, 32] [1, 1] : tensor<64x64xf32> to tensor<16x32xf32>
      %result_1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%product_1 : tensor<16x32xf32>) outs(%6 : tensor<16x32xf32>) {
      ^bb0(%x: f32, %o: f32):
        %relu = arith.maximumf %x, %zero : f32
        linalg.yield %relu : f32
      } -> tensor<16x32xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %result_1 into %2[%0, %1] [16, 32] [1, 1] : tensor<16x32xf32> into tensor<64x64xf32>
      }
    }
    func.return %result : tensor<64x64xf32>
  }
}
