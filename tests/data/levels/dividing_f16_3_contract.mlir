// 128x192x64 f16, made by generate.py with mlir-opt-22.
func.func @f(%arg0: tensor<128x64xf16>, %arg1: tensor<64x192xf16>) -> tensor<128x192xf32> {
  %0 = ub.poison : f16
  %c32 = arith.constant 32 : index
  %cst = arith.constant dense<0.000000e+00> : vector<64x64xf32>
  %1 = ub.poison : f32
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %2 = tensor.empty() : tensor<128x192xf32>
  %3 = scf.forall (%arg2, %arg3) in (2, 3) shared_outs(%arg4 = %2) -> (tensor<128x192xf32>) {
    %4 = affine.apply affine_map<(d0) -> (d0 * 64)>(%arg2)
    %5 = affine.apply affine_map<(d0) -> (d0 * 64)>(%arg3)
    %extracted_slice = tensor.extract_slice %arg0[%4, 0] [64, 64] [1, 1] : tensor<128x64xf16> to tensor<64x64xf16>
    %extracted_slice_0 = tensor.extract_slice %arg1[0, %5] [64, 64] [1, 1] : tensor<64x192xf16> to tensor<64x64xf16>
    %extracted_slice_1 = tensor.extract_slice %2[%4, %5] [64, 64] [1, 1] : tensor<128x192xf32> to tensor<64x64xf32>
    %6 = vector.transfer_write %cst, %extracted_slice_1[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, tensor<64x64xf32>
    %7 = scf.for %arg5 = %c0 to %c64 step %c32 iter_args(%arg6 = %6) -> (tensor<64x64xf32>) {
      %extracted_slice_3 = tensor.extract_slice %extracted_slice[0, %arg5] [64, 32] [1, 1] : tensor<64x64xf16> to tensor<64x32xf16>
      %extracted_slice_4 = tensor.extract_slice %extracted_slice_0[%arg5, 0] [32, 64] [1, 1] : tensor<64x64xf16> to tensor<32x64xf16>
      %11 = vector.transfer_read %extracted_slice_3[%c0, %c0], %0 {in_bounds = [true, true]} : tensor<64x32xf16>, vector<64x32xf16>
      %12 = vector.transfer_read %extracted_slice_4[%c0, %c0], %0 {in_bounds = [true, true]} : tensor<32x64xf16>, vector<32x64xf16>
      %13 = vector.transfer_read %arg6[%c0, %c0], %1 {in_bounds = [true, true]} : tensor<64x64xf32>, vector<64x64xf32>
      %14 = vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %11, %12, %13 : vector<64x32xf16>, vector<32x64xf16> into vector<64x64xf32>
      %15 = vector.transfer_write %14, %arg6[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, tensor<64x64xf32>
      scf.yield %15 : tensor<64x64xf32>
    } {triton.num_stages = 3 : i64}
    %extracted_slice_2 = tensor.extract_slice %arg4[%4, %5] [64, 64] [1, 1] : tensor<128x192xf32> to tensor<64x64xf32>
    %8 = vector.transfer_read %7[%c0, %c0], %1 {in_bounds = [true, true]} : tensor<64x64xf32>, vector<64x64xf32>
    %9 = arith.maximumf %8, %cst : vector<64x64xf32>
    %10 = vector.transfer_write %9, %extracted_slice_2[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, tensor<64x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %10 into %arg4[%4, %5] [64, 64] [1, 1] : tensor<64x64xf32> into tensor<128x192xf32>
    }
  } {mapping = [#gpu.block<y>, #gpu.block<x>], triton.descriptors, triton.num_warps = 8 : i64}
  return %3 : tensor<128x192xf32>
}
