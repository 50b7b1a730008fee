// 200x104x136 f16, made by generate.py with mlir-opt-22.
func.func @f(%arg0: tensor<200x136xf16>, %arg1: tensor<136x104xf16>) -> tensor<200x104xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<200x104xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<200x104xf32>) -> tensor<200x104xf32>
  %2 = linalg.matmul ins(%arg0, %arg1 : tensor<200x136xf16>, tensor<136x104xf16>) outs(%1 : tensor<200x104xf32>) -> tensor<200x104xf32>
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
    %extracted_slice = tensor.extract_slice %arg0[%17, 0] [%7, 136] [1, 1] : tensor<200x136xf16> to tensor<?x136xf16>
    %extracted_slice_0 = tensor.extract_slice %arg1[0, %19] [136, %8] [1, 1] : tensor<136x104xf16> to tensor<136x?xf16>
    %25 = affine.apply affine_map<(d0) -> (d0 - 1)>(%7)
    %26 = affine.apply affine_map<(d0) -> (d0 - 1)>(%8)
    %27 = affine.apply affine_map<(d0) -> (d0 * 64)>(%arg2)
    %28 = affine.apply affine_map<(d0) -> (d0 - 1)>(%7)
    %29 = affine.apply affine_map<(d0) -> (d0 * 64)>(%arg3)
    %30 = affine.apply affine_map<(d0) -> (d0 - 1)>(%8)
    %extracted_slice_1 = tensor.extract_slice %0[%27, %29] [%7, %8] [1, 1] : tensor<200x104xf32> to tensor<?x?xf32>
    %31 = linalg.fill ins(%cst : f32) outs(%extracted_slice_1 : tensor<?x?xf32>) -> tensor<?x?xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c0_2 = arith.constant 0 : index
    %dim = tensor.dim %31, %c0_2 : tensor<?x?xf32>
    %c1_3 = arith.constant 1 : index
    %dim_4 = tensor.dim %31, %c1_3 : tensor<?x?xf32>
    %c0_5 = arith.constant 0 : index
    %c136 = arith.constant 136 : index
    %c32 = arith.constant 32 : index
    %32 = scf.for %arg5 = %c0_5 to %c136 step %c32 iter_args(%arg6 = %31) -> (tensor<?x?xf32>) {
      %c136_7 = arith.constant 136 : index
      %38 = affine.min affine_map<(d0) -> (-d0 + 136, 32)>(%arg5)
      %39 = affine.apply affine_map<(d0) -> (d0 - 1)>(%7)
      %40 = affine.apply affine_map<(d0) -> (d0 - 1)>(%8)
      %41 = affine.apply affine_map<(d0) -> (d0 - 1)>(%38)
      %42 = affine.apply affine_map<(d0) -> (d0 - 1)>(%7)
      %43 = affine.apply affine_map<(d0) -> (d0 - 1)>(%38)
      %44 = affine.apply affine_map<(d0) -> (d0 - 1)>(%38)
      %45 = affine.apply affine_map<(d0) -> (d0 - 1)>(%8)
      %46 = affine.apply affine_map<(d0) -> (d0 - 1)>(%7)
      %47 = affine.apply affine_map<(d0) -> (d0 - 1)>(%8)
      %extracted_slice_8 = tensor.extract_slice %extracted_slice[0, %arg5] [%7, %38] [1, 1] : tensor<?x136xf16> to tensor<?x?xf16>
      %extracted_slice_9 = tensor.extract_slice %extracted_slice_0[%arg5, 0] [%38, %8] [1, 1] : tensor<136x?xf16> to tensor<?x?xf16>
      %extracted_slice_10 = tensor.extract_slice %arg6[0, 0] [%7, %8] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
      %48 = linalg.matmul ins(%extracted_slice_8, %extracted_slice_9 : tensor<?x?xf16>, tensor<?x?xf16>) outs(%extracted_slice_10 : tensor<?x?xf32>) -> tensor<?x?xf32>
      %49 = affine.apply affine_map<(d0) -> (d0 - 1)>(%7)
      %50 = affine.apply affine_map<(d0) -> (d0 - 1)>(%8)
      %51 = affine.apply affine_map<(d0) -> (d0 - 1)>(%38)
      %52 = affine.apply affine_map<(d0) -> (d0 - 1)>(%7)
      %53 = affine.apply affine_map<(d0) -> (d0 - 1)>(%8)
      %inserted_slice = tensor.insert_slice %48 into %arg6[0, 0] [%7, %8] [1, 1] : tensor<?x?xf32> into tensor<?x?xf32>
      scf.yield %inserted_slice : tensor<?x?xf32>
    }
    %extracted_slice_6 = tensor.extract_slice %arg4[%5, %6] [%7, %8] [1, 1] : tensor<200x104xf32> to tensor<?x?xf32>
    %33 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%32 : tensor<?x?xf32>) outs(%extracted_slice_6 : tensor<?x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %38 = arith.maximumf %in, %cst : f32
      linalg.yield %38 : f32
    } -> tensor<?x?xf32>
    %34 = affine.apply affine_map<(d0) -> (d0 - 1)>(%7)
    %35 = affine.apply affine_map<(d0) -> (d0 - 1)>(%8)
    %36 = affine.apply affine_map<(d0) -> (d0 - 1)>(%7)
    %37 = affine.apply affine_map<(d0) -> (d0 - 1)>(%8)
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %33 into %arg4[%5, %6] [%7, %8] [1, 1] : tensor<?x?xf32> into tensor<200x104xf32>
    }
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return %4 : tensor<200x104xf32>
}
