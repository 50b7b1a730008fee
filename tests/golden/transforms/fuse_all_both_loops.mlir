builtin.module {
  func.func @matmul_relu(%a: tensor<64x32xf32>, %b: tensor<32x64xf32>) -> tensor<64x64xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %empty = tensor.empty() : tensor<64x64xf32>
    %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
    %product = linalg.matmul ins(%a, %b : tensor<64x32xf32>, tensor<32x64xf32>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
    %out = tensor.empty() : tensor<64x64xf32>
    %0 = arith.constant 0 : index
    %1 = arith.constant 0 : index
    %2 = arith.constant 64 : index
    %3 = arith.constant 64 : index
    %4 = arith.constant 16 : index
    %5 = arith.constant 32 : index
    %result = scf.for %6 = %0 to %2 step %4 iter_args(%7 = %out) -> (tensor<64x64xf32>) {
      %8 = scf.for %9 = %1 to %3 step %5 iter_args(%10 = %7) -> (tensor<64x64xf32>) {
        %11 = tensor.extract_slice %a[%6, 0] [16, 32] [1, 1] : tensor<64x32xf32> to tensor<16x32xf32>
        %12 = tensor.extract_slice %b[0, %9] [32, 32] [1, 1] : tensor<32x64xf32> to tensor<32x32xf32>
        %13 = tensor.extract_slice %empty[%6, %9] [16, 32] [1, 1] : tensor<64x64xf32> to tensor<16x32xf32>
        %init_1 = linalg.fill ins(%zero : f32) outs(%13 : tensor<16x32xf32>) -> tensor<16x32xf32>
        %product_1 = linalg.matmul ins(%11, %12 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%init_1 : tensor<16x32xf32>) -> tensor<16x32xf32>
        %14 = tensor.extract_slice %10[%6, %9] [16, 32] [1, 1] : tensor<64x64xf32> to tensor<16x32xf32>
        %result_1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%product_1 : tensor<16x32xf32>) outs(%14 : tensor<16x32xf32>) {
        ^bb0(%x: f32, %o: f32):
          %relu = arith.maximumf %x, %zero : f32
          linalg.yield %relu : f32
        } -> tensor<16x32xf32>
        %15 = tensor.insert_slice %result_1 into %10[%6, %9] [16, 32] [1, 1] : tensor<16x32xf32> into tensor<64x64xf32>
        scf.yield %15 : tensor<64x64xf32>
      }
      scf.yield %8 : tensor<64x64xf32>
    }
    func.return %result : tensor<64x64xf32>
  }
}
