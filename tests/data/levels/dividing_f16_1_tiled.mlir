// 128x192x64 f16, made by generate.py with mlir-opt-22.
func.func @f(%arg0: tensor<128x64xf16>, %arg1: tensor<64x192xf16>) -> tensor<128x192xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<128x192xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<128x192xf32>) -> tensor<128x192xf32>
  %2 = linalg.matmul ins(%arg0, %arg1 : tensor<128x64xf16>, tensor<64x192xf16>) outs(%1 : tensor<128x192xf32>) -> tensor<128x192xf32>
  %3 = tensor.empty() : tensor<128x192xf32>
  %4 = scf.forall (%arg2, %arg3) in (2, 3) shared_outs(%arg4 = %3) -> (tensor<128x192xf32>) {
    %5 = affine.apply affine_map<(d0) -> (d0 * 64)>(%arg2)
    %6 = affine.apply affine_map<(d0) -> (d0 * 64)>(%arg3)
    %7 = affine.apply affine_map<(d0) -> (d0 * 64)>(%arg2)
    %8 = affine.apply affine_map<(d0) -> (d0 * 64)>(%arg3)
    %9 = affine.apply affine_map<(d0) -> (d0 * 64)>(%arg2)
    %10 = affine.apply affine_map<(d0) -> (d0 * 64)>(%arg3)
    %extracted_slice = tensor.extract_slice %arg0[%7, 0] [64, 64] [1, 1] : tensor<128x64xf16> to tensor<64x64xf16>
    %extracted_slice_0 = tensor.extract_slice %arg1[0, %8] [64, 64] [1, 1] : tensor<64x192xf16> to tensor<64x64xf16>
    %11 = affine.apply affine_map<(d0) -> (d0 * 64)>(%arg2)
    %12 = affine.apply affine_map<(d0) -> (d0 * 64)>(%arg3)
    %extracted_slice_1 = tensor.extract_slice %0[%11, %12] [64, 64] [1, 1] : tensor<128x192xf32> to tensor<64x64xf32>
    %13 = linalg.fill ins(%cst : f32) outs(%extracted_slice_1 : tensor<64x64xf32>) -> tensor<64x64xf32>
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c32 = arith.constant 32 : index
    %14 = scf.for %arg5 = %c0 to %c64 step %c32 iter_args(%arg6 = %13) -> (tensor<64x64xf32>) {
      %extracted_slice_3 = tensor.extract_slice %extracted_slice[0, %arg5] [64, 32] [1, 1] : tensor<64x64xf16> to tensor<64x32xf16>
      %extracted_slice_4 = tensor.extract_slice %extracted_slice_0[%arg5, 0] [32, 64] [1, 1] : tensor<64x64xf16> to tensor<32x64xf16>
      %extracted_slice_5 = tensor.extract_slice %arg6[0, 0] [64, 64] [1, 1] : tensor<64x64xf32> to tensor<64x64xf32>
      %16 = linalg.matmul ins(%extracted_slice_3, %extracted_slice_4 : tensor<64x32xf16>, tensor<32x64xf16>) outs(%extracted_slice_5 : tensor<64x64xf32>) -> tensor<64x64xf32>
      %inserted_slice = tensor.insert_slice %16 into %arg6[0, 0] [64, 64] [1, 1] : tensor<64x64xf32> into tensor<64x64xf32>
      scf.yield %inserted_slice : tensor<64x64xf32>
    }
    %extracted_slice_2 = tensor.extract_slice %arg4[%5, %6] [64, 64] [1, 1] : tensor<128x192xf32> to tensor<64x64xf32>
    %15 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%14 : tensor<64x64xf32>) outs(%extracted_slice_2 : tensor<64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %16 = arith.maximumf %in, %cst : f32
      linalg.yield %16 : f32
    } -> tensor<64x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %15 into %arg4[%5, %6] [64, 64] [1, 1] : tensor<64x64xf32> into tensor<128x192xf32>
    }
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return %4 : tensor<128x192xf32>
}
