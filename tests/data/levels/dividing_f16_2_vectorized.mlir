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
    %c64 = arith.constant 64 : index
    %c64_2 = arith.constant 64 : index
    %c0 = arith.constant 0 : index
    %13 = ub.poison : f32
    %14 = vector.transfer_read %extracted_slice_1[%c0, %c0], %13 : tensor<64x64xf32>, vector<64x64xf32>
    %c0_3 = arith.constant 0 : index
    %cst_4 = arith.constant dense<0.000000e+00> : vector<64x64xf32>
    %15 = vector.transfer_write %cst_4, %extracted_slice_1[%c0_3, %c0_3] : vector<64x64xf32>, tensor<64x64xf32>
    %c0_5 = arith.constant 0 : index
    %c64_6 = arith.constant 64 : index
    %c32 = arith.constant 32 : index
    %16 = scf.for %arg5 = %c0_5 to %c64_6 step %c32 iter_args(%arg6 = %15) -> (tensor<64x64xf32>) {
      %extracted_slice_13 = tensor.extract_slice %extracted_slice[0, %arg5] [64, 32] [1, 1] : tensor<64x64xf16> to tensor<64x32xf16>
      %extracted_slice_14 = tensor.extract_slice %extracted_slice_0[%arg5, 0] [32, 64] [1, 1] : tensor<64x64xf16> to tensor<32x64xf16>
      %extracted_slice_15 = tensor.extract_slice %arg6[0, 0] [64, 64] [1, 1] : tensor<64x64xf32> to tensor<64x64xf32>
      %c64_16 = arith.constant 64 : index
      %c64_17 = arith.constant 64 : index
      %c32_18 = arith.constant 32 : index
      %c0_19 = arith.constant 0 : index
      %23 = ub.poison : f16
      %24 = vector.transfer_read %extracted_slice_13[%c0_19, %c0_19], %23 {permutation_map = affine_map<(d0, d1) -> (d0, 0, d1)>} : tensor<64x32xf16>, vector<64x64x32xf16>
      %25 = ub.poison : f16
      %26 = vector.transfer_read %extracted_slice_14[%c0_19, %c0_19], %25 {permutation_map = affine_map<(d0, d1) -> (0, d1, d0)>} : tensor<32x64xf16>, vector<64x64x32xf16>
      %27 = ub.poison : f32
      %28 = vector.transfer_read %extracted_slice_15[%c0_19, %c0_19], %27 : tensor<64x64xf32>, vector<64x64xf32>
      %29 = arith.extf %24 : vector<64x64x32xf16> to vector<64x64x32xf32>
      %30 = arith.extf %26 : vector<64x64x32xf16> to vector<64x64x32xf32>
      %31 = arith.mulf %29, %30 : vector<64x64x32xf32>
      %32 = vector.multi_reduction <add>, %31, %28 [2] : vector<64x64x32xf32> to vector<64x64xf32>
      %c0_20 = arith.constant 0 : index
      %33 = vector.transfer_write %32, %extracted_slice_15[%c0_20, %c0_20] : vector<64x64xf32>, tensor<64x64xf32>
      %inserted_slice = tensor.insert_slice %33 into %arg6[0, 0] [64, 64] [1, 1] : tensor<64x64xf32> into tensor<64x64xf32>
      scf.yield %inserted_slice : tensor<64x64xf32>
    } {triton.num_stages = 3 : i64}
    %extracted_slice_7 = tensor.extract_slice %arg4[%5, %6] [64, 64] [1, 1] : tensor<128x192xf32> to tensor<64x64xf32>
    %c64_8 = arith.constant 64 : index
    %c64_9 = arith.constant 64 : index
    %c0_10 = arith.constant 0 : index
    %17 = ub.poison : f32
    %18 = vector.transfer_read %16[%c0_10, %c0_10], %17 : tensor<64x64xf32>, vector<64x64xf32>
    %19 = ub.poison : f32
    %20 = vector.transfer_read %extracted_slice_7[%c0_10, %c0_10], %19 : tensor<64x64xf32>, vector<64x64xf32>
    %cst_11 = arith.constant dense<0.000000e+00> : vector<64x64xf32>
    %21 = arith.maximumf %18, %cst_11 : vector<64x64xf32>
    %c0_12 = arith.constant 0 : index
    %22 = vector.transfer_write %21, %extracted_slice_7[%c0_12, %c0_12] : vector<64x64xf32>, tensor<64x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %22 into %arg4[%5, %6] [64, 64] [1, 1] : tensor<64x64xf32> into tensor<128x192xf32>
    }
  } {mapping = [#gpu.block<y>, #gpu.block<x>], triton.descriptors, triton.num_warps = 8 : i64}
  return %4 : tensor<128x192xf32>
}
