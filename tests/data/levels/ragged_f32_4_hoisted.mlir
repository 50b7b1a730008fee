// 200x104x136 f32, made by generate.py with mlir-opt-22.
func.func @f(%arg0: tensor<200x136xf32>, %arg1: tensor<136x104xf32>) -> tensor<200x104xf32> {
  %c32 = arith.constant 32 : index
  %c136 = arith.constant 136 : index
  %cst = arith.constant dense<0.000000e+00> : vector<64x64xf32>
  %0 = ub.poison : f32
  %c0 = arith.constant 0 : index
  %1 = tensor.empty() : tensor<200x104xf32>
  %2 = scf.forall (%arg2, %arg3) in (4, 2) shared_outs(%arg4 = %1) -> (tensor<200x104xf32>) {
    %3 = affine.apply affine_map<(d0) -> (d0 * 64)>(%arg2)
    %4 = affine.apply affine_map<(d0) -> (d0 * 64)>(%arg3)
    %5 = affine.min affine_map<(d0) -> (d0 * -64 + 200, 64)>(%arg2)
    %6 = affine.min affine_map<(d0) -> (d0 * -64 + 104, 64)>(%arg3)
    %extracted_slice = tensor.extract_slice %arg0[%3, 0] [%5, 136] [1, 1] : tensor<200x136xf32> to tensor<?x136xf32>
    %extracted_slice_0 = tensor.extract_slice %arg1[0, %4] [136, %6] [1, 1] : tensor<136x104xf32> to tensor<136x?xf32>
    %extracted_slice_1 = tensor.extract_slice %1[%3, %4] [%5, %6] [1, 1] : tensor<200x104xf32> to tensor<?x?xf32>
    %7 = vector.create_mask %5, %6 : vector<64x64xi1>
    %8 = vector.transfer_write %cst, %extracted_slice_1[%c0, %c0], %7 {in_bounds = [true, true]} : vector<64x64xf32>, tensor<?x?xf32>
    %extracted_slice_2 = tensor.extract_slice %8[0, 0] [%5, %6] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
    %9 = vector.transfer_read %extracted_slice_2[%c0, %c0], %0, %7 {in_bounds = [true, true]} : tensor<?x?xf32>, vector<64x64xf32>
    %10 = scf.for %arg5 = %c0 to %c136 step %c32 iter_args(%arg6 = %9) -> (vector<64x64xf32>) {
      %15 = affine.min affine_map<(d0) -> (-d0 + 136, 32)>(%arg5)
      %extracted_slice_4 = tensor.extract_slice %extracted_slice[0, %arg5] [%5, %15] [1, 1] : tensor<?x136xf32> to tensor<?x?xf32>
      %extracted_slice_5 = tensor.extract_slice %extracted_slice_0[%arg5, 0] [%15, %6] [1, 1] : tensor<136x?xf32> to tensor<?x?xf32>
      %16 = vector.create_mask %5, %15 : vector<64x32xi1>
      %17 = vector.transfer_read %extracted_slice_4[%c0, %c0], %0, %16 {in_bounds = [true, true]} : tensor<?x?xf32>, vector<64x32xf32>
      %18 = vector.create_mask %15, %6 : vector<32x64xi1>
      %19 = vector.transfer_read %extracted_slice_5[%c0, %c0], %0, %18 {in_bounds = [true, true]} : tensor<?x?xf32>, vector<32x64xf32>
      %20 = vector.create_mask %5, %6, %15 : vector<64x64x32xi1>
      %21 = vector.mask %20 { vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %17, %19, %arg6 : vector<64x32xf32>, vector<32x64xf32> into vector<64x64xf32> } : vector<64x64x32xi1> -> vector<64x64xf32>
      scf.yield %21 : vector<64x64xf32>
    } {triton.num_stages = 3 : i64}
    %11 = vector.transfer_write %10, %extracted_slice_2[%c0, %c0], %7 {in_bounds = [true, true]} : vector<64x64xf32>, tensor<?x?xf32>
    %inserted_slice = tensor.insert_slice %11 into %8[0, 0] [%5, %6] [1, 1] : tensor<?x?xf32> into tensor<?x?xf32>
    %extracted_slice_3 = tensor.extract_slice %arg4[%3, %4] [%5, %6] [1, 1] : tensor<200x104xf32> to tensor<?x?xf32>
    %12 = vector.transfer_read %inserted_slice[%c0, %c0], %0, %7 {in_bounds = [true, true]} : tensor<?x?xf32>, vector<64x64xf32>
    %13 = arith.maximumf %12, %cst : vector<64x64xf32>
    %14 = vector.transfer_write %13, %extracted_slice_3[%c0, %c0], %7 {in_bounds = [true, true]} : vector<64x64xf32>, tensor<?x?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %14 into %arg4[%3, %4] [%5, %6] [1, 1] : tensor<?x?xf32> into tensor<200x104xf32>
    }
  } {mapping = [#gpu.block<y>, #gpu.block<x>], triton.descriptors, triton.num_warps = 8 : i64}
  return %2 : tensor<200x104xf32>
}
