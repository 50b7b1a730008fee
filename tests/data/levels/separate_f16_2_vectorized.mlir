// 200x104x136 f16, made by generate.py with mlir-opt-22.
func.func @f(%arg0: tensor<200x136xf16>, %arg1: tensor<136x104xf16>) -> tensor<200x104xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<200x104xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<200x104xf32>) -> tensor<200x104xf32>
  %2 = scf.forall (%arg2, %arg3) in (4, 2) shared_outs(%arg4 = %0) -> (tensor<200x104xf32>) {
    %5 = affine.apply affine_map<(d0) -> (d0 * 64)>(%arg2)
    %6 = affine.apply affine_map<(d0) -> (d0 * 64)>(%arg3)
    %c200 = arith.constant 200 : index
    %7 = affine.min affine_map<(d0) -> (-d0 + 200, 64)>(%5)
    %c104 = arith.constant 104 : index
    %8 = affine.min affine_map<(d0) -> (-d0 + 104, 64)>(%6)
    %9 = affine.apply affine_map<(d0) -> (d0 - 1)>(%7)
    %10 = affine.apply affine_map<(d0) -> (d0 - 1)>(%8)
    %11 = affine.apply affine_map<(d0) -> (d0 - 1)>(%7)
    %12 = affine.apply affine_map<(d0) -> (d0 - 1)>(%8)
    %13 = affine.apply affine_map<(d0) -> (d0 - 1)>(%7)
    %14 = affine.apply affine_map<(d0) -> (d0 - 1)>(%8)
    %extracted_slice = tensor.extract_slice %arg0[%5, 0] [%7, 136] [1, 1] : tensor<200x136xf16> to tensor<?x136xf16>
    %extracted_slice_0 = tensor.extract_slice %arg1[0, %6] [136, %8] [1, 1] : tensor<136x104xf16> to tensor<136x?xf16>
    %15 = affine.apply affine_map<(d0) -> (d0 - 1)>(%7)
    %16 = affine.apply affine_map<(d0) -> (d0 - 1)>(%8)
    %17 = affine.apply affine_map<(d0) -> (d0 * 64)>(%arg2)
    %18 = affine.apply affine_map<(d0) -> (d0 - 1)>(%7)
    %19 = affine.apply affine_map<(d0) -> (d0 * 64)>(%arg3)
    %20 = affine.apply affine_map<(d0) -> (d0 - 1)>(%8)
    %extracted_slice_1 = tensor.extract_slice %arg4[%17, %19] [%7, %8] [1, 1] : tensor<200x104xf32> to tensor<?x?xf32>
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %extracted_slice_1, %c0 : tensor<?x?xf32>
    %c1 = arith.constant 1 : index
    %dim_2 = tensor.dim %extracted_slice_1, %c1 : tensor<?x?xf32>
    %c0_3 = arith.constant 0 : index
    %21 = ub.poison : f32
    %22 = vector.create_mask %dim, %dim_2 : vector<64x64xi1>
    %23 = vector.mask %22 { vector.transfer_read %extracted_slice_1[%c0_3, %c0_3], %21 {in_bounds = [true, true]} : tensor<?x?xf32>, vector<64x64xf32> } : vector<64x64xi1> -> vector<64x64xf32>
    %c0_4 = arith.constant 0 : index
    %cst_5 = arith.constant dense<0.000000e+00> : vector<64x64xf32>
    %24 = vector.mask %22 { vector.transfer_write %cst_5, %extracted_slice_1[%c0_4, %c0_4] {in_bounds = [true, true]} : vector<64x64xf32>, tensor<?x?xf32> } : vector<64x64xi1> -> tensor<?x?xf32>
    %c0_6 = arith.constant 0 : index
    %c1_7 = arith.constant 1 : index
    %c0_8 = arith.constant 0 : index
    %dim_9 = tensor.dim %24, %c0_8 : tensor<?x?xf32>
    %c1_10 = arith.constant 1 : index
    %dim_11 = tensor.dim %24, %c1_10 : tensor<?x?xf32>
    %c0_12 = arith.constant 0 : index
    %c136 = arith.constant 136 : index
    %c32 = arith.constant 32 : index
    %25 = scf.for %arg5 = %c0_12 to %c136 step %c32 iter_args(%arg6 = %24) -> (tensor<?x?xf32>) {
      %c136_13 = arith.constant 136 : index
      %30 = affine.min affine_map<(d0) -> (-d0 + 136, 32)>(%arg5)
      %31 = affine.apply affine_map<(d0) -> (d0 - 1)>(%7)
      %32 = affine.apply affine_map<(d0) -> (d0 - 1)>(%8)
      %33 = affine.apply affine_map<(d0) -> (d0 - 1)>(%30)
      %34 = affine.apply affine_map<(d0) -> (d0 - 1)>(%7)
      %35 = affine.apply affine_map<(d0) -> (d0 - 1)>(%30)
      %36 = affine.apply affine_map<(d0) -> (d0 - 1)>(%30)
      %37 = affine.apply affine_map<(d0) -> (d0 - 1)>(%8)
      %38 = affine.apply affine_map<(d0) -> (d0 - 1)>(%7)
      %39 = affine.apply affine_map<(d0) -> (d0 - 1)>(%8)
      %extracted_slice_14 = tensor.extract_slice %extracted_slice[0, %arg5] [%7, %30] [1, 1] : tensor<?x136xf16> to tensor<?x?xf16>
      %extracted_slice_15 = tensor.extract_slice %extracted_slice_0[%arg5, 0] [%30, %8] [1, 1] : tensor<136x?xf16> to tensor<?x?xf16>
      %extracted_slice_16 = tensor.extract_slice %arg6[0, 0] [%7, %8] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
      %c0_17 = arith.constant 0 : index
      %dim_18 = tensor.dim %extracted_slice_14, %c0_17 : tensor<?x?xf16>
      %c1_19 = arith.constant 1 : index
      %dim_20 = tensor.dim %extracted_slice_15, %c1_19 : tensor<?x?xf16>
      %c1_21 = arith.constant 1 : index
      %dim_22 = tensor.dim %extracted_slice_14, %c1_21 : tensor<?x?xf16>
      %c0_23 = arith.constant 0 : index
      %40 = ub.poison : f16
      %41 = vector.create_mask %dim_18, %dim_22 : vector<64x32xi1>
      %42 = vector.mask %41 { vector.transfer_read %extracted_slice_14[%c0_23, %c0_23], %40 {in_bounds = [true, true, true], permutation_map = affine_map<(d0, d1) -> (d0, 0, d1)>} : tensor<?x?xf16>, vector<64x64x32xf16> } : vector<64x32xi1> -> vector<64x64x32xf16>
      %43 = ub.poison : f16
      %44 = vector.create_mask %dim_22, %dim_20 : vector<32x64xi1>
      %45 = vector.mask %44 { vector.transfer_read %extracted_slice_15[%c0_23, %c0_23], %43 {in_bounds = [true, true, true], permutation_map = affine_map<(d0, d1) -> (0, d1, d0)>} : tensor<?x?xf16>, vector<64x64x32xf16> } : vector<32x64xi1> -> vector<64x64x32xf16>
      %46 = ub.poison : f32
      %47 = vector.create_mask %dim_18, %dim_20 : vector<64x64xi1>
      %48 = vector.mask %47 { vector.transfer_read %extracted_slice_16[%c0_23, %c0_23], %46 {in_bounds = [true, true]} : tensor<?x?xf32>, vector<64x64xf32> } : vector<64x64xi1> -> vector<64x64xf32>
      %49 = arith.extf %42 : vector<64x64x32xf16> to vector<64x64x32xf32>
      %50 = arith.extf %45 : vector<64x64x32xf16> to vector<64x64x32xf32>
      %51 = arith.mulf %49, %50 : vector<64x64x32xf32>
      %52 = vector.create_mask %dim_18, %dim_20, %dim_22 : vector<64x64x32xi1>
      %53 = vector.mask %52 { vector.multi_reduction <add>, %51, %48 [2] : vector<64x64x32xf32> to vector<64x64xf32> } : vector<64x64x32xi1> -> vector<64x64xf32>
      %c0_24 = arith.constant 0 : index
      %54 = vector.mask %47 { vector.transfer_write %53, %extracted_slice_16[%c0_24, %c0_24] {in_bounds = [true, true]} : vector<64x64xf32>, tensor<?x?xf32> } : vector<64x64xi1> -> tensor<?x?xf32>
      %55 = affine.apply affine_map<(d0) -> (d0 - 1)>(%7)
      %56 = affine.apply affine_map<(d0) -> (d0 - 1)>(%8)
      %57 = affine.apply affine_map<(d0) -> (d0 - 1)>(%30)
      %58 = affine.apply affine_map<(d0) -> (d0 - 1)>(%7)
      %59 = affine.apply affine_map<(d0) -> (d0 - 1)>(%8)
      %inserted_slice = tensor.insert_slice %54 into %arg6[0, 0] [%7, %8] [1, 1] : tensor<?x?xf32> into tensor<?x?xf32>
      scf.yield %inserted_slice : tensor<?x?xf32>
    } {triton.num_stages = 3 : i64}
    %26 = affine.apply affine_map<(d0) -> (d0 - 1)>(%7)
    %27 = affine.apply affine_map<(d0) -> (d0 - 1)>(%8)
    %28 = affine.apply affine_map<(d0) -> (d0 - 1)>(%7)
    %29 = affine.apply affine_map<(d0) -> (d0 - 1)>(%8)
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %25 into %arg4[%5, %6] [%7, %8] [1, 1] : tensor<?x?xf32> into tensor<200x104xf32>
    }
  } {mapping = [#gpu.block<y>, #gpu.block<x>], triton.descriptors, triton.num_warps = 8 : i64}
  %3 = tensor.empty() : tensor<200x104xf32>
  %4 = scf.forall (%arg2, %arg3) in (4, 2) shared_outs(%arg4 = %3) -> (tensor<200x104xf32>) {
    %5 = affine.apply affine_map<(d0) -> (d0 * 64)>(%arg2)
    %6 = affine.apply affine_map<(d0) -> (d0 * 64)>(%arg3)
    %c200 = arith.constant 200 : index
    %7 = affine.min affine_map<(d0) -> (-d0 + 200, 64)>(%5)
    %c104 = arith.constant 104 : index
    %8 = affine.min affine_map<(d0) -> (-d0 + 104, 64)>(%6)
    %9 = affine.apply affine_map<(d0) -> (d0 - 1)>(%7)
    %10 = affine.apply affine_map<(d0) -> (d0 - 1)>(%8)
    %11 = affine.apply affine_map<(d0) -> (d0 - 1)>(%7)
    %12 = affine.apply affine_map<(d0) -> (d0 - 1)>(%8)
    %13 = affine.apply affine_map<(d0) -> (d0 - 1)>(%7)
    %14 = affine.apply affine_map<(d0) -> (d0 - 1)>(%8)
    %extracted_slice = tensor.extract_slice %2[%5, %6] [%7, %8] [1, 1] : tensor<200x104xf32> to tensor<?x?xf32>
    %extracted_slice_0 = tensor.extract_slice %arg4[%5, %6] [%7, %8] [1, 1] : tensor<200x104xf32> to tensor<?x?xf32>
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %extracted_slice, %c0 : tensor<?x?xf32>
    %c1 = arith.constant 1 : index
    %dim_1 = tensor.dim %extracted_slice, %c1 : tensor<?x?xf32>
    %c0_2 = arith.constant 0 : index
    %15 = ub.poison : f32
    %16 = vector.create_mask %dim, %dim_1 : vector<64x64xi1>
    %17 = vector.mask %16 { vector.transfer_read %extracted_slice[%c0_2, %c0_2], %15 {in_bounds = [true, true]} : tensor<?x?xf32>, vector<64x64xf32> } : vector<64x64xi1> -> vector<64x64xf32>
    %18 = ub.poison : f32
    %19 = vector.mask %16 { vector.transfer_read %extracted_slice_0[%c0_2, %c0_2], %18 {in_bounds = [true, true]} : tensor<?x?xf32>, vector<64x64xf32> } : vector<64x64xi1> -> vector<64x64xf32>
    %cst_3 = arith.constant dense<0.000000e+00> : vector<64x64xf32>
    %20 = arith.maximumf %17, %cst_3 : vector<64x64xf32>
    %c0_4 = arith.constant 0 : index
    %21 = vector.mask %16 { vector.transfer_write %20, %extracted_slice_0[%c0_4, %c0_4] {in_bounds = [true, true]} : vector<64x64xf32>, tensor<?x?xf32> } : vector<64x64xi1> -> tensor<?x?xf32>
    %22 = affine.apply affine_map<(d0) -> (d0 - 1)>(%7)
    %23 = affine.apply affine_map<(d0) -> (d0 - 1)>(%8)
    %24 = affine.apply affine_map<(d0) -> (d0 - 1)>(%7)
    %25 = affine.apply affine_map<(d0) -> (d0 - 1)>(%8)
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %21 into %arg4[%5, %6] [%7, %8] [1, 1] : tensor<?x?xf32> into tensor<200x104xf32>
    }
  } {mapping = [#gpu.block<y>, #gpu.block<x>], triton.descriptors, triton.num_warps = 8 : i64}
  return %4 : tensor<200x104xf32>
}
