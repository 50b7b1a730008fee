// 200x104x136 bf16, made by generate.py with mlir-opt-22.
func.func @f(%arg0: tensor<200x136xbf16>, %arg1: tensor<136x104xbf16>) -> tensor<200x104xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<200x104xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<200x104xf32>) -> tensor<200x104xf32>
  %2 = linalg.matmul ins(%arg0, %arg1 : tensor<200x136xbf16>, tensor<136x104xbf16>) outs(%1 : tensor<200x104xf32>) -> tensor<200x104xf32>
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
    %15 = affine.apply affine_map<(d0) -> (d0 - 1)>(%7)
    %16 = affine.apply affine_map<(d0) -> (d0 - 1)>(%8)
    %17 = affine.apply affine_map<(d0) -> (d0 * 64)>(%arg2)
    %18 = affine.apply affine_map<(d0) -> (d0 - 1)>(%7)
    %19 = affine.apply affine_map<(d0) -> (d0 * 64)>(%arg3)
    %20 = affine.apply affine_map<(d0) -> (d0 - 1)>(%8)
    %21 = affine.apply affine_map<(d0) -> (d0 * 64)>(%arg2)
    %22 = affine.apply affine_map<(d0) -> (d0 - 1)>(%7)
    %23 = affine.apply affine_map<(d0) -> (d0 * 64)>(%arg3)
    %24 = affine.apply affine_map<(d0) -> (d0 - 1)>(%8)
    %extracted_slice = tensor.extract_slice %arg0[%17, 0] [%7, 136] [1, 1] : tensor<200x136xbf16> to tensor<?x136xbf16>
    %extracted_slice_0 = tensor.extract_slice %arg1[0, %19] [136, %8] [1, 1] : tensor<136x104xbf16> to tensor<136x?xbf16>
    %25 = affine.apply affine_map<(d0) -> (d0 - 1)>(%7)
    %26 = affine.apply affine_map<(d0) -> (d0 - 1)>(%8)
    %27 = affine.apply affine_map<(d0) -> (d0 * 64)>(%arg2)
    %28 = affine.apply affine_map<(d0) -> (d0 - 1)>(%7)
    %29 = affine.apply affine_map<(d0) -> (d0 * 64)>(%arg3)
    %30 = affine.apply affine_map<(d0) -> (d0 - 1)>(%8)
    %extracted_slice_1 = tensor.extract_slice %0[%27, %29] [%7, %8] [1, 1] : tensor<200x104xf32> to tensor<?x?xf32>
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %extracted_slice_1, %c0 : tensor<?x?xf32>
    %c1 = arith.constant 1 : index
    %dim_2 = tensor.dim %extracted_slice_1, %c1 : tensor<?x?xf32>
    %c0_3 = arith.constant 0 : index
    %31 = ub.poison : f32
    %32 = vector.create_mask %dim, %dim_2 : vector<64x64xi1>
    %33 = vector.mask %32 { vector.transfer_read %extracted_slice_1[%c0_3, %c0_3], %31 {in_bounds = [true, true]} : tensor<?x?xf32>, vector<64x64xf32> } : vector<64x64xi1> -> vector<64x64xf32>
    %c0_4 = arith.constant 0 : index
    %cst_5 = arith.constant dense<0.000000e+00> : vector<64x64xf32>
    %34 = vector.mask %32 { vector.transfer_write %cst_5, %extracted_slice_1[%c0_4, %c0_4] {in_bounds = [true, true]} : vector<64x64xf32>, tensor<?x?xf32> } : vector<64x64xi1> -> tensor<?x?xf32>
    %c0_6 = arith.constant 0 : index
    %c1_7 = arith.constant 1 : index
    %c0_8 = arith.constant 0 : index
    %dim_9 = tensor.dim %34, %c0_8 : tensor<?x?xf32>
    %c1_10 = arith.constant 1 : index
    %dim_11 = tensor.dim %34, %c1_10 : tensor<?x?xf32>
    %c0_12 = arith.constant 0 : index
    %c136 = arith.constant 136 : index
    %c32 = arith.constant 32 : index
    %35 = scf.for %arg5 = %c0_12 to %c136 step %c32 iter_args(%arg6 = %34) -> (tensor<?x?xf32>) {
      %c136_21 = arith.constant 136 : index
      %47 = affine.min affine_map<(d0) -> (-d0 + 136, 32)>(%arg5)
      %48 = affine.apply affine_map<(d0) -> (d0 - 1)>(%7)
      %49 = affine.apply affine_map<(d0) -> (d0 - 1)>(%8)
      %50 = affine.apply affine_map<(d0) -> (d0 - 1)>(%47)
      %51 = affine.apply affine_map<(d0) -> (d0 - 1)>(%7)
      %52 = affine.apply affine_map<(d0) -> (d0 - 1)>(%47)
      %53 = affine.apply affine_map<(d0) -> (d0 - 1)>(%47)
      %54 = affine.apply affine_map<(d0) -> (d0 - 1)>(%8)
      %55 = affine.apply affine_map<(d0) -> (d0 - 1)>(%7)
      %56 = affine.apply affine_map<(d0) -> (d0 - 1)>(%8)
      %extracted_slice_22 = tensor.extract_slice %extracted_slice[0, %arg5] [%7, %47] [1, 1] : tensor<?x136xbf16> to tensor<?x?xbf16>
      %extracted_slice_23 = tensor.extract_slice %extracted_slice_0[%arg5, 0] [%47, %8] [1, 1] : tensor<136x?xbf16> to tensor<?x?xbf16>
      %extracted_slice_24 = tensor.extract_slice %arg6[0, 0] [%7, %8] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
      %c0_25 = arith.constant 0 : index
      %dim_26 = tensor.dim %extracted_slice_22, %c0_25 : tensor<?x?xbf16>
      %c1_27 = arith.constant 1 : index
      %dim_28 = tensor.dim %extracted_slice_23, %c1_27 : tensor<?x?xbf16>
      %c1_29 = arith.constant 1 : index
      %dim_30 = tensor.dim %extracted_slice_22, %c1_29 : tensor<?x?xbf16>
      %c0_31 = arith.constant 0 : index
      %57 = ub.poison : bf16
      %58 = vector.create_mask %dim_26, %dim_30 : vector<64x32xi1>
      %59 = vector.mask %58 { vector.transfer_read %extracted_slice_22[%c0_31, %c0_31], %57 {in_bounds = [true, true, true], permutation_map = affine_map<(d0, d1) -> (d0, 0, d1)>} : tensor<?x?xbf16>, vector<64x64x32xbf16> } : vector<64x32xi1> -> vector<64x64x32xbf16>
      %60 = ub.poison : bf16
      %61 = vector.create_mask %dim_30, %dim_28 : vector<32x64xi1>
      %62 = vector.mask %61 { vector.transfer_read %extracted_slice_23[%c0_31, %c0_31], %60 {in_bounds = [true, true, true], permutation_map = affine_map<(d0, d1) -> (0, d1, d0)>} : tensor<?x?xbf16>, vector<64x64x32xbf16> } : vector<32x64xi1> -> vector<64x64x32xbf16>
      %63 = ub.poison : f32
      %64 = vector.create_mask %dim_26, %dim_28 : vector<64x64xi1>
      %65 = vector.mask %64 { vector.transfer_read %extracted_slice_24[%c0_31, %c0_31], %63 {in_bounds = [true, true]} : tensor<?x?xf32>, vector<64x64xf32> } : vector<64x64xi1> -> vector<64x64xf32>
      %66 = arith.extf %59 : vector<64x64x32xbf16> to vector<64x64x32xf32>
      %67 = arith.extf %62 : vector<64x64x32xbf16> to vector<64x64x32xf32>
      %68 = arith.mulf %66, %67 : vector<64x64x32xf32>
      %69 = vector.create_mask %dim_26, %dim_28, %dim_30 : vector<64x64x32xi1>
      %70 = vector.mask %69 { vector.multi_reduction <add>, %68, %65 [2] : vector<64x64x32xf32> to vector<64x64xf32> } : vector<64x64x32xi1> -> vector<64x64xf32>
      %c0_32 = arith.constant 0 : index
      %71 = vector.mask %64 { vector.transfer_write %70, %extracted_slice_24[%c0_32, %c0_32] {in_bounds = [true, true]} : vector<64x64xf32>, tensor<?x?xf32> } : vector<64x64xi1> -> tensor<?x?xf32>
      %72 = affine.apply affine_map<(d0) -> (d0 - 1)>(%7)
      %73 = affine.apply affine_map<(d0) -> (d0 - 1)>(%8)
      %74 = affine.apply affine_map<(d0) -> (d0 - 1)>(%47)
      %75 = affine.apply affine_map<(d0) -> (d0 - 1)>(%7)
      %76 = affine.apply affine_map<(d0) -> (d0 - 1)>(%8)
      %inserted_slice = tensor.insert_slice %71 into %arg6[0, 0] [%7, %8] [1, 1] : tensor<?x?xf32> into tensor<?x?xf32>
      scf.yield %inserted_slice : tensor<?x?xf32>
    } {triton.num_stages = 3 : i64}
    %extracted_slice_13 = tensor.extract_slice %arg4[%5, %6] [%7, %8] [1, 1] : tensor<200x104xf32> to tensor<?x?xf32>
    %c0_14 = arith.constant 0 : index
    %dim_15 = tensor.dim %35, %c0_14 : tensor<?x?xf32>
    %c1_16 = arith.constant 1 : index
    %dim_17 = tensor.dim %35, %c1_16 : tensor<?x?xf32>
    %c0_18 = arith.constant 0 : index
    %36 = ub.poison : f32
    %37 = vector.create_mask %dim_15, %dim_17 : vector<64x64xi1>
    %38 = vector.mask %37 { vector.transfer_read %35[%c0_18, %c0_18], %36 {in_bounds = [true, true]} : tensor<?x?xf32>, vector<64x64xf32> } : vector<64x64xi1> -> vector<64x64xf32>
    %39 = ub.poison : f32
    %40 = vector.mask %37 { vector.transfer_read %extracted_slice_13[%c0_18, %c0_18], %39 {in_bounds = [true, true]} : tensor<?x?xf32>, vector<64x64xf32> } : vector<64x64xi1> -> vector<64x64xf32>
    %cst_19 = arith.constant dense<0.000000e+00> : vector<64x64xf32>
    %41 = arith.maximumf %38, %cst_19 : vector<64x64xf32>
    %c0_20 = arith.constant 0 : index
    %42 = vector.mask %37 { vector.transfer_write %41, %extracted_slice_13[%c0_20, %c0_20] {in_bounds = [true, true]} : vector<64x64xf32>, tensor<?x?xf32> } : vector<64x64xi1> -> tensor<?x?xf32>
    %43 = affine.apply affine_map<(d0) -> (d0 - 1)>(%7)
    %44 = affine.apply affine_map<(d0) -> (d0 - 1)>(%8)
    %45 = affine.apply affine_map<(d0) -> (d0 - 1)>(%7)
    %46 = affine.apply affine_map<(d0) -> (d0 - 1)>(%8)
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %42 into %arg4[%5, %6] [%7, %8] [1, 1] : tensor<?x?xf32> into tensor<200x104xf32>
    }
  } {mapping = [#gpu.block<y>, #gpu.block<x>], triton.descriptors, triton.num_warps = 8 : i64}
  return %4 : tensor<200x104xf32>
}
