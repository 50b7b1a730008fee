// 200x104x136 f16, made by generate.py with mlir-opt-22.
func.func @f(%arg0: tensor<200x136xf16>, %arg1: tensor<136x104xf16>) -> tensor<200x104xf32> {
  %0 = ub.poison : f16
  %c32 = arith.constant 32 : index
  %c136 = arith.constant 136 : index
  %cst = arith.constant dense<0.000000e+00> : vector<64x64xf32>
  %1 = ub.poison : f32
  %c0 = arith.constant 0 : index
  %2 = tensor.empty() : tensor<200x104xf32>
  %3 = scf.forall (%arg2, %arg3) in (4, 2) shared_outs(%arg4 = %2) -> (tensor<200x104xf32>) {
    %5 = affine.apply affine_map<(d0) -> (d0 * 64)>(%arg2)
    %6 = affine.apply affine_map<(d0) -> (d0 * 64)>(%arg3)
    %7 = affine.min affine_map<(d0) -> (d0 * -64 + 200, 64)>(%arg2)
    %8 = affine.min affine_map<(d0) -> (d0 * -64 + 104, 64)>(%arg3)
    %extracted_slice = tensor.extract_slice %arg0[%5, 0] [%7, 136] [1, 1] : tensor<200x136xf16> to tensor<?x136xf16>
    %extracted_slice_0 = tensor.extract_slice %arg1[0, %6] [136, %8] [1, 1] : tensor<136x104xf16> to tensor<136x?xf16>
    %extracted_slice_1 = tensor.extract_slice %arg4[%5, %6] [%7, %8] [1, 1] : tensor<200x104xf32> to tensor<?x?xf32>
    %9 = vector.create_mask %7, %8 : vector<64x64xi1>
    %10 = vector.transfer_write %cst, %extracted_slice_1[%c0, %c0], %9 {in_bounds = [true, true]} : vector<64x64xf32>, tensor<?x?xf32>
    %11 = scf.for %arg5 = %c0 to %c136 step %c32 iter_args(%arg6 = %10) -> (tensor<?x?xf32>) {
      %12 = affine.min affine_map<(d0) -> (-d0 + 136, 32)>(%arg5)
      %extracted_slice_2 = tensor.extract_slice %extracted_slice[0, %arg5] [%7, %12] [1, 1] : tensor<?x136xf16> to tensor<?x?xf16>
      %extracted_slice_3 = tensor.extract_slice %extracted_slice_0[%arg5, 0] [%12, %8] [1, 1] : tensor<136x?xf16> to tensor<?x?xf16>
      %extracted_slice_4 = tensor.extract_slice %arg6[0, 0] [%7, %8] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
      %13 = vector.create_mask %7, %12 : vector<64x32xi1>
      %14 = vector.transfer_read %extracted_slice_2[%c0, %c0], %0, %13 {in_bounds = [true, true]} : tensor<?x?xf16>, vector<64x32xf16>
      %15 = vector.create_mask %12, %8 : vector<32x64xi1>
      %16 = vector.transfer_read %extracted_slice_3[%c0, %c0], %0, %15 {in_bounds = [true, true]} : tensor<?x?xf16>, vector<32x64xf16>
      %17 = vector.transfer_read %extracted_slice_4[%c0, %c0], %1, %9 {in_bounds = [true, true]} : tensor<?x?xf32>, vector<64x64xf32>
      %18 = vector.create_mask %7, %8, %12 : vector<64x64x32xi1>
      %19 = vector.mask %18 { vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %14, %16, %17 : vector<64x32xf16>, vector<32x64xf16> into vector<64x64xf32> } : vector<64x64x32xi1> -> vector<64x64xf32>
      %20 = vector.transfer_write %19, %extracted_slice_4[%c0, %c0], %9 {in_bounds = [true, true]} : vector<64x64xf32>, tensor<?x?xf32>
      %inserted_slice = tensor.insert_slice %20 into %arg6[0, 0] [%7, %8] [1, 1] : tensor<?x?xf32> into tensor<?x?xf32>
      scf.yield %inserted_slice : tensor<?x?xf32>
    } {triton.num_stages = 3 : i64}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %11 into %arg4[%5, %6] [%7, %8] [1, 1] : tensor<?x?xf32> into tensor<200x104xf32>
    }
  } {mapping = [#gpu.block<y>, #gpu.block<x>], triton.descriptors, triton.num_warps = 8 : i64}
  %4 = scf.forall (%arg2, %arg3) in (4, 2) shared_outs(%arg4 = %2) -> (tensor<200x104xf32>) {
    %5 = affine.apply affine_map<(d0) -> (d0 * 64)>(%arg2)
    %6 = affine.apply affine_map<(d0) -> (d0 * 64)>(%arg3)
    %7 = affine.min affine_map<(d0) -> (d0 * -64 + 200, 64)>(%arg2)
    %8 = affine.min affine_map<(d0) -> (d0 * -64 + 104, 64)>(%arg3)
    %extracted_slice = tensor.extract_slice %3[%5, %6] [%7, %8] [1, 1] : tensor<200x104xf32> to tensor<?x?xf32>
    %extracted_slice_0 = tensor.extract_slice %arg4[%5, %6] [%7, %8] [1, 1] : tensor<200x104xf32> to tensor<?x?xf32>
    %9 = vector.create_mask %7, %8 : vector<64x64xi1>
    %10 = vector.transfer_read %extracted_slice[%c0, %c0], %1, %9 {in_bounds = [true, true]} : tensor<?x?xf32>, vector<64x64xf32>
    %11 = arith.maximumf %10, %cst : vector<64x64xf32>
    %12 = vector.transfer_write %11, %extracted_slice_0[%c0, %c0], %9 {in_bounds = [true, true]} : vector<64x64xf32>, tensor<?x?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %12 into %arg4[%5, %6] [%7, %8] [1, 1] : tensor<?x?xf32> into tensor<200x104xf32>
    }
  } {mapping = [#gpu.block<y>, #gpu.block<x>], triton.descriptors, triton.num_warps = 8 : i64}
  return %4 : tensor<200x104xf32>
}
