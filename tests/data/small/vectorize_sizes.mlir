// Each script brings its payload.
// -----
// dyn matmul
func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m vector_sizes [8, 16, 4]  : !transform.any_op
  transform.yield
}

// -----
// dyn matmul named
func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m vector_sizes [8, 16, 4] {create_named_contraction} : !transform.any_op
  transform.yield
}

// -----
// dyn matmul assume
func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m vector_sizes [8, 16, 4] {assume_dynamic_dims_match_vec_sizes} : !transform.any_op
  transform.yield
}

// -----
// dyn matmul no sizes
func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m  : !transform.any_op
  transform.yield
}

// -----
// dyn elementwise
func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m vector_sizes [2, 4]  : !transform.any_op
  transform.yield
}

// -----
// dyn reduce
func.func @f(%a: tensor<?x?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<?x?xf32>) outs(%c : tensor<?xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m vector_sizes [4, 8]  : !transform.any_op
  transform.yield
}

// -----
// dyn transpose bcast
func.func @f(%a: tensor<?x?xf32>, %c: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (j, k, i)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a : tensor<?x?xf32>) outs(%c : tensor<?x?x?xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m vector_sizes [2, 4, 8]  : !transform.any_op
  transform.yield
}

// -----
// dyn buffers
func.func @f(%a: memref<?x?xf32>, %c: memref<?x?xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a : memref<?x?xf32>) outs(%c : memref<?x?xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m vector_sizes [2, 4]  : !transform.any_op
  transform.yield
}

// -----
// dyn fill
func.func @f(%a: memref<?x?xf32>, %c: f32) {
  linalg.fill ins(%c : f32) outs(%a : memref<?x?xf32>)
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m vector_sizes [2, 4]  : !transform.any_op
  transform.yield
}

// -----
// dyn fill tensor
func.func @f(%a: tensor<?x?xf32>, %c: f32) -> tensor<?x?xf32> {
  %r = linalg.fill ins(%c : f32) outs(%a : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m vector_sizes [2, 4]  : !transform.any_op
  transform.yield
}

// -----
// pad dyn
func.func @f(%a: tensor<?x?xf32>, %h: index) -> tensor<4x8xf32> {
  %z = arith.constant 1.0 : f32
  %r = tensor.pad %a low[0, 0] high[%h, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<?x?xf32> to tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["tensor.pad"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m vector_sizes [4, 8]  : !transform.any_op
  transform.yield
}

// -----
// pad dyn result
func.func @f(%a: tensor<?x?xf32>, %h: index) -> tensor<?x?xf32> {
  %z = arith.constant 1.0 : f32
  %r = tensor.pad %a low[0, 0] high[%h, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["tensor.pad"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m vector_sizes [4, 8]  : !transform.any_op
  transform.yield
}

// -----
// linalg.copy dyn
func.func @f(%a: memref<?x?xf32>, %c: memref<?x?xf32>) {
  linalg.copy ins(%a : memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.copy"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m vector_sizes [2, 4]  : !transform.any_op
  transform.yield
}

// -----
// insert_slice 3, 4
func.func @f(%a: tensor<3x4xf32>, %o: tensor<5x8xf32>) -> tensor<5x8xf32> {
  %r = tensor.insert_slice %a into %o[0, 2] [3, 4] [1, 1] : tensor<3x4xf32> into tensor<5x8xf32>
  return %r : tensor<5x8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["tensor.insert_slice"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m vector_sizes [3, 4]  : !transform.any_op
  transform.yield
}

// -----
// insert_slice rank
func.func @f(%a: tensor<3x4xf32>, %o: tensor<1x5x8xf32>) -> tensor<1x5x8xf32> {
  %r = tensor.insert_slice %a into %o[0, 0, 2] [1, 3, 4] [1, 1, 1] : tensor<3x4xf32> into tensor<1x5x8xf32>
  return %r : tensor<1x5x8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["tensor.insert_slice"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m  : !transform.any_op
  transform.yield
}

// -----
// reduction loop in output
func.func @f(%a: tensor<8x4xf32>, %o: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<8x4xf32>) outs(%o : tensor<8x4xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %y, %x : f32
    linalg.yield %s : f32
  } -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m  : !transform.any_op
  transform.yield
}

// -----
// children reduction loop in output
func.func @f(%a: tensor<8x4xf32>, %o: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<8x4xf32>) outs(%o : tensor<8x4xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %y, %x : f32
    linalg.yield %s : f32
  } -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m  : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// two outputs
func.func @f(%a: tensor<8x4xf32>, %o: tensor<8xf32>, %p: tensor<8x4xf32>) -> (tensor<8xf32>, tensor<8x4xf32>) {
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<8x4xf32>) outs(%o, %p : tensor<8xf32>, tensor<8x4xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %s = arith.addf %y, %x : f32
    linalg.yield %s, %x : f32, f32
  } -> (tensor<8xf32>, tensor<8x4xf32>)
  return %r#0, %r#1 : tensor<8xf32>, tensor<8x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m  : !transform.any_op
  transform.yield
}

// -----
// children two outputs
func.func @f(%a: tensor<8x4xf32>, %o: tensor<8xf32>, %p: tensor<8x4xf32>) -> (tensor<8xf32>, tensor<8x4xf32>) {
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<8x4xf32>) outs(%o, %p : tensor<8xf32>, tensor<8x4xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %s = arith.addf %y, %x : f32
    linalg.yield %s, %x : f32, f32
  } -> (tensor<8xf32>, tensor<8x4xf32>)
  return %r#0, %r#1 : tensor<8xf32>, tensor<8x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m  : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// not a reduction
func.func @f(%a: tensor<8x4xf32>, %o: tensor<8xf32>) -> tensor<8xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<8x4xf32>) outs(%o : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.mulf %x, %y : f32
    %u = arith.addf %s, %y : f32
    linalg.yield %u : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m  : !transform.any_op
  transform.yield
}

// -----
// elementwise mix masked
func.func @f(%a: tensor<4xf32>, %b: tensor<8xf32>, %c: f32, %d: tensor<8x4xf32>, %e: f32, %o: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> ()>, affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a, %b, %c, %d : tensor<4xf32>, tensor<8xf32>, f32, tensor<8x4xf32>) outs(%o : tensor<4x8xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32, %w: f32, %v: f32):
    %c1 = arith.constant 1.0 : f32
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.addi %i, %j : index
    %k2 = arith.index_cast %k : index to i32
    %k3 = arith.sitofp %k2 : i32 to f32
    %s = arith.addf %x, %y : f32
    %t = arith.mulf %s, %z : f32
    %u = arith.subf %t, %w : f32
    %q = arith.cmpf ogt, %u, %c1 : f32
    %p = arith.select %q, %u, %e : f32
    %n = math.rsqrt %p : f32
    %m = math.powf %n, %k3 : f32
    linalg.yield %m : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m vector_sizes [4, 16]  : !transform.any_op
  transform.yield
}

// -----
// children elementwise mix
func.func @f(%a: tensor<4xf32>, %b: tensor<8xf32>, %c: f32, %d: tensor<8x4xf32>, %e: f32, %o: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> ()>, affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a, %b, %c, %d : tensor<4xf32>, tensor<8xf32>, f32, tensor<8x4xf32>) outs(%o : tensor<4x8xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32, %w: f32, %v: f32):
    %c1 = arith.constant 1.0 : f32
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.addi %i, %j : index
    %k2 = arith.index_cast %k : index to i32
    %k3 = arith.sitofp %k2 : i32 to f32
    %s = arith.addf %x, %y : f32
    %t = arith.mulf %s, %z : f32
    %u = arith.subf %t, %w : f32
    %q = arith.cmpf ogt, %u, %c1 : f32
    %p = arith.select %q, %u, %e : f32
    %n = math.rsqrt %p : f32
    %m = math.powf %n, %k3 : f32
    linalg.yield %m : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m  : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// named matmul masked {create_named_contraction}
func.func @f(%a: tensor<8x16xf32>, %b: tensor<16x4xf32>, %c: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x4xf32>) outs(%c : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m vector_sizes [8, 8, 16] {create_named_contraction} : !transform.any_op
  transform.yield
}

// -----
// batch_reduce {create_named_contraction}
func.func @f(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>, %c: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %r = linalg.batch_reduce_matmul ins(%a, %b : tensor<2x3x4xf32>, tensor<2x4x5xf32>) outs(%c : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.batch_reduce_matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m {create_named_contraction} : !transform.any_op
  transform.yield
}
