// Each script brings its payload.
// -----
// vectorize a matmul
func.func @f(%a: tensor<8x16xf32>, %b: tensor<16x4xf32>, %c: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x4xf32>) outs(%c : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m : !transform.any_op
  transform.yield
}

// -----
// vectorize a matmul under masks
func.func @f(%a: tensor<8x16xf32>, %b: tensor<16x4xf32>, %c: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x4xf32>) outs(%c : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m vector_sizes [16, 8, 32] : !transform.any_op
  transform.yield
}

// -----
// vectorize a matmul, sizes of its loops
func.func @f(%a: tensor<8x16xf32>, %b: tensor<16x4xf32>, %c: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x4xf32>) outs(%c : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m vector_sizes [8, 4, 16] : !transform.any_op
  transform.yield
}

// -----
// vectorize a matmul as a contraction
func.func @f(%a: tensor<8x16xf32>, %b: tensor<16x4xf32>, %c: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x4xf32>) outs(%c : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m {create_named_contraction} : !transform.any_op
  transform.yield
}

// -----
// vectorize a matmul by too few sizes
func.func @f(%a: tensor<8x16xf32>, %b: tensor<16x4xf32>, %c: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x4xf32>) outs(%c : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m vector_sizes [8, 4] : !transform.any_op
  transform.yield
}

// -----
// vectorize a matmul by sizes that are too small
func.func @f(%a: tensor<8x16xf32>, %b: tensor<16x4xf32>, %c: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x4xf32>) outs(%c : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m vector_sizes [4, 4, 16] : !transform.any_op
  transform.yield
}

// -----
// vectorize twice
func.func @f(%a: tensor<8x16xf32>, %b: tensor<16x4xf32>, %c: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x4xf32>) outs(%c : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m : !transform.any_op
  transform.structured.vectorize %m : !transform.any_op
  transform.yield
}

// -----
// vectorize by a parameter
func.func @f(%a: tensor<8x16xf32>, %b: tensor<16x4xf32>, %c: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x4xf32>) outs(%c : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %p = transform.param.constant 16 : i64 -> !transform.param<i64>
  transform.structured.vectorize %m vector_sizes [%p, 8, 32] : !transform.any_op, !transform.param<i64>
  transform.yield
}

// -----
// scalable vectors
// only ours refuses: Triton has no scalable vectors
func.func @f(%a: tensor<8x16xf32>, %b: tensor<16x4xf32>, %c: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x4xf32>) outs(%c : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m vector_sizes [8, [4], 16] : !transform.any_op
  transform.yield
}

// -----
// vectorize a row reduction by addf
func.func @f(%a: tensor<8x16xf32>, %c: tensor<8xf32>) -> tensor<8xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<8x16xf32>) outs(%c : tensor<8xf32>) { ^bb0(%x: f32, %o: f32): %s = arith.addf %x, %o : f32 linalg.yield %s : f32 } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m : !transform.any_op
  transform.yield
}

// -----
// vectorize a row reduction by addf under masks
func.func @f(%a: tensor<8x16xf32>, %c: tensor<8xf32>) -> tensor<8xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<8x16xf32>) outs(%c : tensor<8xf32>) { ^bb0(%x: f32, %o: f32): %s = arith.addf %x, %o : f32 linalg.yield %s : f32 } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m vector_sizes [8, 32] : !transform.any_op
  transform.yield
}

// -----
// vectorize a row reduction by maximumf
func.func @f(%a: tensor<8x16xf32>, %c: tensor<8xf32>) -> tensor<8xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<8x16xf32>) outs(%c : tensor<8xf32>) { ^bb0(%x: f32, %o: f32): %s = arith.maximumf %x, %o : f32 linalg.yield %s : f32 } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m : !transform.any_op
  transform.yield
}

// -----
// vectorize a row reduction by maximumf under masks
func.func @f(%a: tensor<8x16xf32>, %c: tensor<8xf32>) -> tensor<8xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<8x16xf32>) outs(%c : tensor<8xf32>) { ^bb0(%x: f32, %o: f32): %s = arith.maximumf %x, %o : f32 linalg.yield %s : f32 } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m vector_sizes [8, 32] : !transform.any_op
  transform.yield
}

// -----
// vectorize a row reduction by mulf
func.func @f(%a: tensor<8x16xf32>, %c: tensor<8xf32>) -> tensor<8xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<8x16xf32>) outs(%c : tensor<8xf32>) { ^bb0(%x: f32, %o: f32): %s = arith.mulf %x, %o : f32 linalg.yield %s : f32 } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m : !transform.any_op
  transform.yield
}

// -----
// vectorize a row reduction by mulf under masks
func.func @f(%a: tensor<8x16xf32>, %c: tensor<8xf32>) -> tensor<8xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<8x16xf32>) outs(%c : tensor<8xf32>) { ^bb0(%x: f32, %o: f32): %s = arith.mulf %x, %o : f32 linalg.yield %s : f32 } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m vector_sizes [8, 32] : !transform.any_op
  transform.yield
}

// -----
// vectorize a row reduction by minnumf
func.func @f(%a: tensor<8x16xf32>, %c: tensor<8xf32>) -> tensor<8xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<8x16xf32>) outs(%c : tensor<8xf32>) { ^bb0(%x: f32, %o: f32): %s = arith.minnumf %x, %o : f32 linalg.yield %s : f32 } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m : !transform.any_op
  transform.yield
}

// -----
// vectorize a row reduction by minnumf under masks
func.func @f(%a: tensor<8x16xf32>, %c: tensor<8xf32>) -> tensor<8xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<8x16xf32>) outs(%c : tensor<8xf32>) { ^bb0(%x: f32, %o: f32): %s = arith.minnumf %x, %o : f32 linalg.yield %s : f32 } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m vector_sizes [8, 32] : !transform.any_op
  transform.yield
}

// -----
// vectorize a row reduction by subf
func.func @f(%a: tensor<8x16xf32>, %c: tensor<8xf32>) -> tensor<8xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<8x16xf32>) outs(%c : tensor<8xf32>) { ^bb0(%x: f32, %o: f32): %s = arith.subf %x, %o : f32 linalg.yield %s : f32 } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m : !transform.any_op
  transform.yield
}

// -----
// vectorize a row reduction by subf under masks
func.func @f(%a: tensor<8x16xf32>, %c: tensor<8xf32>) -> tensor<8xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<8x16xf32>) outs(%c : tensor<8xf32>) { ^bb0(%x: f32, %o: f32): %s = arith.subf %x, %o : f32 linalg.yield %s : f32 } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m vector_sizes [8, 32] : !transform.any_op
  transform.yield
}

// -----
// vectorize a broadcast with indices
func.func @f(%a: tensor<8x16xf32>, %v: tensor<16xf32>, %c: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a, %v : tensor<8x16xf32>, tensor<16xf32>) outs(%c : tensor<8x16xf32>) { ^bb0(%x: f32, %y: f32, %o: f32): %s = arith.mulf %x, %y : f32 %i = linalg.index 1 : index %k = arith.index_cast %i : index to i32 %f = arith.sitofp %k : i32 to f32 %t = arith.addf %s, %f : f32 linalg.yield %t : f32 } -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m : !transform.any_op
  transform.yield
}

// -----
// vectorize a broadcast with indices under masks
func.func @f(%a: tensor<8x16xf32>, %v: tensor<16xf32>, %c: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a, %v : tensor<8x16xf32>, tensor<16xf32>) outs(%c : tensor<8x16xf32>) { ^bb0(%x: f32, %y: f32, %o: f32): %s = arith.mulf %x, %y : f32 %i = linalg.index 1 : index %k = arith.index_cast %i : index to i32 %f = arith.sitofp %k : i32 to f32 %t = arith.addf %s, %f : f32 linalg.yield %t : f32 } -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m vector_sizes [8, 32] : !transform.any_op
  transform.yield
}

// -----
// vectorize a transposition
func.func @f(%a: tensor<8x16xf32>, %c: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %r = linalg.transpose ins(%a : tensor<8x16xf32>) outs(%c : tensor<16x8xf32>) permutation = [1, 0]
  return %r : tensor<16x8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.transpose"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m : !transform.any_op
  transform.yield
}

// -----
// vectorize a transposition under masks
func.func @f(%a: tensor<8x16xf32>, %c: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %r = linalg.transpose ins(%a : tensor<8x16xf32>) outs(%c : tensor<16x8xf32>) permutation = [1, 0]
  return %r : tensor<16x8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.transpose"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m vector_sizes [16, 16] : !transform.any_op
  transform.yield
}

// -----
// vectorize a fill
func.func @f(%s: f32, %c: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %r = linalg.fill ins(%s : f32) outs(%c : tensor<16x8xf32>) -> tensor<16x8xf32>
  return %r : tensor<16x8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m : !transform.any_op
  transform.yield
}

// -----
// vectorize a fill under masks
func.func @f(%s: f32, %c: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %r = linalg.fill ins(%s : f32) outs(%c : tensor<16x8xf32>) -> tensor<16x8xf32>
  return %r : tensor<16x8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m vector_sizes [32, 8] : !transform.any_op
  transform.yield
}

// -----
// vectorize a broadcast
func.func @f(%a: tensor<8xf32>, %c: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %r = linalg.broadcast ins(%a : tensor<8xf32>) outs(%c : tensor<8x16xf32>) dimensions = [1]
  return %r : tensor<8x16xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.broadcast"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m : !transform.any_op
  transform.yield
}

// -----
// vectorize linalg.reduce
func.func @f(%a: tensor<8x16xf32>, %c: tensor<8xf32>) -> tensor<8xf32> {
  %r = linalg.reduce { arith.addf } ins(%a : tensor<8x16xf32>) outs(%c : tensor<8xf32>) dimensions = [1]
  return %r : tensor<8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.reduce"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m : !transform.any_op
  transform.yield
}

// -----
// vectorize linalg.map
func.func @f(%a: tensor<8x16xf32>, %c: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %r = linalg.map { math.exp } ins(%a : tensor<8x16xf32>) outs(%c : tensor<8x16xf32>)
  return %r : tensor<8x16xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.map"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m : !transform.any_op
  transform.yield
}

// -----
// vectorize a dynamic op without sizes
func.func @f(%a: tensor<?x16xf32>, %c: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %r = linalg.exp ins(%a : tensor<?x16xf32>) outs(%c : tensor<?x16xf32>) -> tensor<?x16xf32>
  return %r : tensor<?x16xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m : !transform.any_op
  transform.yield
}

// -----
// tile and vectorize a dynamic op
func.func @f(%a: tensor<?x16xf32>, %c: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %r = linalg.exp ins(%a : tensor<?x16xf32>) outs(%c : tensor<?x16xf32>) -> tensor<?x16xf32>
  return %r : tensor<?x16xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.tile_using_for %m tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.structured.vectorize %t vector_sizes [4, 16] : !transform.any_op
  transform.yield
}

// -----
// vectorize a dynamic op that is promised to fit
func.func @f(%a: tensor<?x16xf32>, %c: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %r = linalg.exp ins(%a : tensor<?x16xf32>) outs(%c : tensor<?x16xf32>) -> tensor<?x16xf32>
  return %r : tensor<?x16xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m vector_sizes [8, 16] {assume_dynamic_dims_match_vec_sizes} : !transform.any_op
  transform.yield
}

// -----
// vectorize a pad
func.func @f(%a: tensor<6x14xf32>) -> tensor<8x16xf32> {
  %z = arith.constant 0.0 : f32
  %r = tensor.pad %a low[0, 0] high[2, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<6x14xf32> to tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["tensor.pad"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m vector_sizes [8, 16] : !transform.any_op
  transform.yield
}

// -----
// vectorize a pad without sizes
// only real MLIR refuses: the sizes are those of the result
func.func @f(%a: tensor<6x14xf32>) -> tensor<8x16xf32> {
  %z = arith.constant 0.0 : f32
  %r = tensor.pad %a low[0, 0] high[2, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<6x14xf32> to tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["tensor.pad"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m : !transform.any_op
  transform.yield
}

// -----
// vectorize a pad at the front
// only ours refuses: real MLIR reads as if the padding were at the end
func.func @f(%a: tensor<6x14xf32>) -> tensor<8x16xf32> {
  %z = arith.constant 0.0 : f32
  %r = tensor.pad %a low[1, 0] high[1, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<6x14xf32> to tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["tensor.pad"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m vector_sizes [8, 16] : !transform.any_op
  transform.yield
}

// -----
// vectorize a convolution
func.func @f(%a: tensor<1x10x3xf32>, %k: tensor<3x3x4xf32>, %c: tensor<1x8x4xf32>) -> tensor<1x8x4xf32> {
  %r = linalg.conv_1d_nwc_wcf ins(%a, %k : tensor<1x10x3xf32>, tensor<3x3x4xf32>) outs(%c : tensor<1x8x4xf32>) -> tensor<1x8x4xf32>
  return %r : tensor<1x8x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.conv_1d_nwc_wcf"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m : !transform.any_op
  transform.yield
}

// -----
// vectorize what is no structured op
func.func @f(%s: f32, %c: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %r = linalg.fill ins(%s : f32) outs(%c : tensor<16x8xf32>) -> tensor<16x8xf32>
  return %r : tensor<16x8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m : !transform.any_op
  transform.yield
}

// -----
// vectorize_children of a matmul 
func.func @f(%a: tensor<8x16xf32>, %b: tensor<16x4xf32>, %c: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x4xf32>) outs(%c : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %n = transform.structured.vectorize_children_and_apply_patterns %m  : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// vectorize_children of a matmul {vectorize_padding}
func.func @f(%a: tensor<8x16xf32>, %b: tensor<16x4xf32>, %c: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x4xf32>) outs(%c : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %n = transform.structured.vectorize_children_and_apply_patterns %m {vectorize_padding} : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// vectorize_children of a transposition 
func.func @f(%a: tensor<8x16xf32>, %c: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %r = linalg.transpose ins(%a : tensor<8x16xf32>) outs(%c : tensor<16x8xf32>) permutation = [1, 0]
  return %r : tensor<16x8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %n = transform.structured.vectorize_children_and_apply_patterns %m  : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// vectorize_children of a transposition {vectorize_padding}
func.func @f(%a: tensor<8x16xf32>, %c: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %r = linalg.transpose ins(%a : tensor<8x16xf32>) outs(%c : tensor<16x8xf32>) permutation = [1, 0]
  return %r : tensor<16x8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %n = transform.structured.vectorize_children_and_apply_patterns %m {vectorize_padding} : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// vectorize_children of a fill 
func.func @f(%s: f32, %c: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %r = linalg.fill ins(%s : f32) outs(%c : tensor<16x8xf32>) -> tensor<16x8xf32>
  return %r : tensor<16x8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %n = transform.structured.vectorize_children_and_apply_patterns %m  : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// vectorize_children of a fill {vectorize_padding}
func.func @f(%s: f32, %c: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %r = linalg.fill ins(%s : f32) outs(%c : tensor<16x8xf32>) -> tensor<16x8xf32>
  return %r : tensor<16x8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %n = transform.structured.vectorize_children_and_apply_patterns %m {vectorize_padding} : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// vectorize_children of a pad 
func.func @f(%a: tensor<6x14xf32>) -> tensor<8x16xf32> {
  %z = arith.constant 0.0 : f32
  %r = tensor.pad %a low[0, 0] high[2, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<6x14xf32> to tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %n = transform.structured.vectorize_children_and_apply_patterns %m  : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// vectorize_children of a pad {vectorize_padding}
func.func @f(%a: tensor<6x14xf32>) -> tensor<8x16xf32> {
  %z = arith.constant 0.0 : f32
  %r = tensor.pad %a low[0, 0] high[2, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<6x14xf32> to tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %n = transform.structured.vectorize_children_and_apply_patterns %m {vectorize_padding} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
