// 200x104x136 bf16, made by generate.py with mlir-opt-22.
func.func @f(%arg0: tensor<200x136xbf16>, %arg1: tensor<136x104xbf16>) -> tensor<200x104xf32> {
  %0 = ub.poison : bf16
  %c32 = arith.constant 32 : index
  %c136 = arith.constant 136 : index
  %cst = arith.constant dense<0.000000e+00> : vector<64x64xf32>
  %1 = ub.poison : f32
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %2 = tensor.empty() : tensor<200x104xf32>
  %3 = scf.forall (%arg2, %arg3) in (4, 2) shared_outs(%arg4 = %2) -> (tensor<200x104xf32>) {
    %4 = affine.apply affine_map<(d0) -> (d0 * 64)>(%arg2)
    %5 = affine.apply affine_map<(d0) -> (d0 * 64)>(%arg3)
    %6 = affine.min affine_map<(d0) -> (d0 * -64 + 200, 64)>(%arg2)
    %7 = affine.min affine_map<(d0) -> (d0 * -64 + 104, 64)>(%arg3)
    %extracted_slice = tensor.extract_slice %arg0[%4, 0] [%6, 136] [1, 1] : tensor<200x136xbf16> to tensor<?x136xbf16>
    %extracted_slice_0 = tensor.extract_slice %arg1[0, %5] [136, %7] [1, 1] : tensor<136x104xbf16> to tensor<136x?xbf16>
    %extracted_slice_1 = tensor.extract_slice %2[%4, %5] [%6, %7] [1, 1] : tensor<200x104xf32> to tensor<?x?xf32>
    %8 = vector.create_mask %6, %7 : vector<64x64xi1>
    %9 = vector.transfer_write %cst, %extracted_slice_1[%c0, %c0], %8 {in_bounds = [true, true]} : vector<64x64xf32>, tensor<?x?xf32>
    %10 = scf.for %arg5 = %c0 to %c136 step %c32 iter_args(%arg6 = %9) -> (tensor<?x?xf32>) {
      %15 = affine.min affine_map<(d0) -> (-d0 + 136, 32)>(%arg5)
      %extracted_slice_4 = tensor.extract_slice %extracted_slice[0, %arg5] [%6, %15] [1, 1] : tensor<?x136xbf16> to tensor<?x?xbf16>
      %extracted_slice_5 = tensor.extract_slice %extracted_slice_0[%arg5, 0] [%15, %7] [1, 1] : tensor<136x?xbf16> to tensor<?x?xbf16>
      %extracted_slice_6 = tensor.extract_slice %arg6[0, 0] [%6, %7] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
      %16 = vector.create_mask %6, %15 : vector<64x32xi1>
      %17 = vector.transfer_read %extracted_slice_4[%c0, %c0], %0, %16 {in_bounds = [true, true]} : tensor<?x?xbf16>, vector<64x32xbf16>
      %18 = vector.create_mask %15, %7 : vector<32x64xi1>
      %19 = vector.transfer_read %extracted_slice_5[%c0, %c0], %0, %18 {in_bounds = [true, true]} : tensor<?x?xbf16>, vector<32x64xbf16>
      %20 = vector.transfer_read %extracted_slice_6[%c0, %c0], %1, %8 {in_bounds = [true, true]} : tensor<?x?xf32>, vector<64x64xf32>
      %21 = vector.create_mask %6, %7, %15 : vector<64x64x32xi1>
      %22 = vector.mask %21 { vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %17, %19, %20 : vector<64x32xbf16>, vector<32x64xbf16> into vector<64x64xf32> } : vector<64x64x32xi1> -> vector<64x64xf32>
      %23 = vector.transfer_write %22, %extracted_slice_6[%c0, %c0], %8 {in_bounds = [true, true]} : vector<64x64xf32>, tensor<?x?xf32>
      %inserted_slice = tensor.insert_slice %23 into %arg6[0, 0] [%6, %7] [1, 1] : tensor<?x?xf32> into tensor<?x?xf32>
      scf.yield %inserted_slice : tensor<?x?xf32>
    } {triton.num_stages = 3 : i64}
    %extracted_slice_2 = tensor.extract_slice %arg4[%4, %5] [%6, %7] [1, 1] : tensor<200x104xf32> to tensor<?x?xf32>
    %dim = tensor.dim %10, %c0 : tensor<?x?xf32>
    %dim_3 = tensor.dim %10, %c1 : tensor<?x?xf32>
    %11 = vector.create_mask %dim, %dim_3 : vector<64x64xi1>
    %12 = vector.transfer_read %10[%c0, %c0], %1, %11 {in_bounds = [true, true]} : tensor<?x?xf32>, vector<64x64xf32>
    %13 = arith.maximumf %12, %cst : vector<64x64xf32>
    %14 = vector.transfer_write %13, %extracted_slice_2[%c0, %c0], %11 {in_bounds = [true, true]} : vector<64x64xf32>, tensor<?x?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %14 into %arg4[%4, %5] [%6, %7] [1, 1] : tensor<?x?xf32> into tensor<200x104xf32>
    }
  } {mapping = [#gpu.block<y>, #gpu.block<x>], triton.descriptors, triton.num_warps = 8 : i64}
  return %3 : tensor<200x104xf32>
}
