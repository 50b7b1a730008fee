// 200x104x136 f32, made by generate.py with mlir-opt-22.
func.func @f(%arg0: tensor<200x136xf32>, %arg1: tensor<136x104xf32>) -> tensor<200x104xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<200x104xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<200x104xf32>) -> tensor<200x104xf32>
  %2 = linalg.matmul ins(%arg0, %arg1 : tensor<200x136xf32>, tensor<136x104xf32>) outs(%1 : tensor<200x104xf32>) -> tensor<200x104xf32>
  %3 = tensor.empty() : tensor<200x104xf32>
  %4 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<200x104xf32>) outs(%3 : tensor<200x104xf32>) {
  ^bb0(%in: f32, %out: f32):
    %5 = arith.maximumf %in, %cst : f32
    linalg.yield %5 : f32
  } -> tensor<200x104xf32>
  return %4 : tensor<200x104xf32>
}
