builtin.module {
  func.func @matmul_relu(%a: tensor<64x32xf32>, %b: tensor<32x64xf32>) -> tensor<64x64xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %empty = tensor.empty() : tensor<64x64xf32>
    %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
    %product = linalg.matmul ins(%a, %b : tensor<64x32xf32>, tensor<32x64xf32>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
    %out = tensor.empty() : tensor<64x64xf32>
    %0 = arith.constant 0 : index
    %1 = arith.constant 64 : index
    %2 = arith.constant 8 : index
    %result = scf.for %3 = %0 to %1 step %2 iter_args(%4 = %out) -> (tensor<64x64xf32>) {
      %5 = tensor.extract_slice %a[%3, 0] [8, 32] [1, 1] : tensor<64x32xf32> to tensor<8x32xf32>
      %6 = tensor.extract_slice %empty[%3, 0] [8, 64] [1, 1] : tensor<64x64xf32> to tensor<8x64xf32>
      %init_1 = linalg.fill ins(%zero : f32) outs(%6 : tensor<8x64xf32>) -> tensor<8x64xf32>
      %product_1 = linalg.matmul ins(%5, %b : tensor<8x32xf32>, tensor<32x64xf32>) outs(%init_1 : tensor<8x64xf32>) -> tensor<8x64xf32>
      %7 = tensor.extract_slice %4[%3, 0] [8, 64] [1, 1] : tensor<64x64xf32> to tensor<8x64xf32>
      %result_1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%product_1 : tensor<8x64xf32>) outs(%7 : tensor<8x64xf32>) {
      ^bb0(%x: f32, %o: f32):
        %relu = arith.maximumf %x, %zero : f32
        linalg.yield %relu : f32
      } -> tensor<8x64xf32>
      %8 = tensor.insert_slice %result_1 into %4[%3, 0] [8, 64] [1, 1] : tensor<8x64xf32> into tensor<64x64xf32>
      scf.yield %8 : tensor<64x64xf32>
    }
    func.return %result : tensor<64x64xf32>
  }
}
