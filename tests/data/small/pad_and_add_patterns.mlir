// -----
// fold add: two matmuls
func.func @f(%a: tensor<5x5xf32>, %b: tensor<5x5xf32>) -> tensor<5x5xf32> {
  %z = arith.constant dense<0.0> : tensor<5x5xf32>
  %c = linalg.matmul ins(%a, %b : tensor<5x5xf32>, tensor<5x5xf32>) outs(%z : tensor<5x5xf32>) -> tensor<5x5xf32>
  %d = linalg.matmul ins(%b, %a : tensor<5x5xf32>, tensor<5x5xf32>) outs(%z : tensor<5x5xf32>) -> tensor<5x5xf32>
  %e = tensor.empty() : tensor<5x5xf32>
  %s = linalg.add ins(%c, %d : tensor<5x5xf32>, tensor<5x5xf32>) outs(%e : tensor<5x5xf32>) -> tensor<5x5xf32>
  return %s : tensor<5x5xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.linalg.fold_add_into_dest
    } : !transform.any_op
    transform.yield
  }
// -----
// fold add: fill, bias
func.func @f(%a: tensor<?x?xi32>, %b: tensor<?x?xi32>, %i: tensor<?x?xi32>, %e: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %z = arith.constant 0 : i32
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<?x?xi32>) -> tensor<?x?xi32>
  %c = linalg.matmul ins(%a, %b : tensor<?x?xi32>, tensor<?x?xi32>) outs(%f : tensor<?x?xi32>) -> tensor<?x?xi32>
  %s = linalg.add ins(%i, %c : tensor<?x?xi32>, tensor<?x?xi32>) outs(%e : tensor<?x?xi32>) -> tensor<?x?xi32>
  return %s : tensor<?x?xi32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.linalg.fold_add_into_dest
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.yield
  }
// -----
// fold add: not zero, two uses, permuted
func.func @nz(%a: tensor<5x5xf32>, %b: tensor<5x5xf32>, %i: tensor<5x5xf32>) -> tensor<5x5xf32> {
  %z = arith.constant dense<1.0> : tensor<5x5xf32>
  %c = linalg.matmul ins(%a, %b : tensor<5x5xf32>, tensor<5x5xf32>) outs(%z : tensor<5x5xf32>) -> tensor<5x5xf32>
  %s = linalg.add ins(%c, %i : tensor<5x5xf32>, tensor<5x5xf32>) outs(%i : tensor<5x5xf32>) -> tensor<5x5xf32>
  return %s : tensor<5x5xf32>
}
func.func @two(%a: tensor<5x5xf32>, %b: tensor<5x5xf32>, %i: tensor<5x5xf32>) -> (tensor<5x5xf32>, tensor<5x5xf32>) {
  %z = arith.constant dense<0.0> : tensor<5x5xf32>
  %c = linalg.matmul ins(%a, %b : tensor<5x5xf32>, tensor<5x5xf32>) outs(%z : tensor<5x5xf32>) -> tensor<5x5xf32>
  %s = linalg.add ins(%c, %i : tensor<5x5xf32>, tensor<5x5xf32>) outs(%i : tensor<5x5xf32>) -> tensor<5x5xf32>
  return %s, %c : tensor<5x5xf32>, tensor<5x5xf32>
}
func.func @perm(%a: tensor<5x5xf32>, %b: tensor<5x5xf32>, %i: tensor<5x5xf32>) -> tensor<5x5xf32> {
  %z = arith.constant dense<0.0> : tensor<5x5xf32>
  %c = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (n, m)>] ins(%a, %b : tensor<5x5xf32>, tensor<5x5xf32>) outs(%z : tensor<5x5xf32>) -> tensor<5x5xf32>
  %s = linalg.add ins(%c, %i : tensor<5x5xf32>, tensor<5x5xf32>) outs(%i : tensor<5x5xf32>) -> tensor<5x5xf32>
  return %s : tensor<5x5xf32>
}
func.func @gen(%a: tensor<5x5xf32>, %b: tensor<5x5xf32>, %i: tensor<5x5xf32>) -> tensor<5x5xf32> {
  %z = arith.constant dense<0.0> : tensor<5x5xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<5x5xf32>, tensor<5x5xf32>) outs(%z : tensor<5x5xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<5x5xf32>
  %s = linalg.add ins(%i, %c : tensor<5x5xf32>, tensor<5x5xf32>) outs(%i : tensor<5x5xf32>) -> tensor<5x5xf32>
  return %s : tensor<5x5xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.linalg.fold_add_into_dest
    } : !transform.any_op
    transform.yield
  }
// -----
// decompose pad dynamic
func.func @f(%a: tensor<4x?x2x?xf32>, %l: index, %h: index, %v: f32) -> tensor<6x?x?x?xf32> {
  %p = tensor.pad %a low[2, %l, 3, 3] high[0, 0, %h, 2] {
  ^bb0(%i: index, %j: index, %k: index, %m: index):
    tensor.yield %v : f32
  } : tensor<4x?x2x?xf32> to tensor<6x?x?x?xf32>
  return %p : tensor<6x?x?x?xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.linalg.decompose_pad
    } : !transform.any_op
    transform.yield
  }
// -----
// decompose pad static const inside
func.func @f(%a: tensor<2x?x2xf32>) -> tensor<2x3x4xf32> {
  %p = tensor.pad %a low[0, 0, 1] high[0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index):
    %v = arith.constant 2.0 : f32
    tensor.yield %v : f32
  } : tensor<2x?x2xf32> to tensor<2x3x4xf32>
  return %p : tensor<2x3x4xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.linalg.decompose_pad
    } : !transform.any_op
    transform.yield
  }
// -----
// decompose pad computed
func.func @f(%a: tensor<2x?xindex>) -> tensor<4x?xindex> {
  %p = tensor.pad %a low[1, 2] high[1, 0] {
  ^bb0(%i: index, %j: index):
    %v = arith.addi %i, %j : index
    tensor.yield %v : index
  } : tensor<2x?xindex> to tensor<4x?xindex>
  return %p : tensor<4x?xindex>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.linalg.decompose_pad
    } : !transform.any_op
    transform.yield
  }
// -----
// pad vec read
func.func @f(%a: tensor<5x6xf32>) -> vector<7x9xf32> {
  %c0 = arith.constant 0 : index
  %cst = arith.constant 5.0 : f32
  %p = tensor.pad %a low[0, 0] high[5, 7] {
    ^bb0(%i: index, %j: index):
      tensor.yield %cst : f32
  } : tensor<5x6xf32> to tensor<10x13xf32>
  %r = vector.transfer_read %p[%c0, %c0], %cst : tensor<10x13xf32>, vector<7x9xf32>
  return %r : vector<7x9xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.linalg.pad_vectorization
    } : !transform.any_op
    transform.yield
  }
// -----
// pad vec read low not zero
func.func @f(%a: tensor<5x6xf32>) -> vector<7x9xf32> {
  %c0 = arith.constant 0 : index
  %cst = arith.constant 5.0 : f32
  %p = tensor.pad %a low[1, 0] high[4, 7] {
    ^bb0(%i: index, %j: index):
      tensor.yield %cst : f32
  } : tensor<5x6xf32> to tensor<10x13xf32>
  %r = vector.transfer_read %p[%c0, %c0], %cst : tensor<10x13xf32>, vector<7x9xf32>
  return %r : vector<7x9xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.linalg.pad_vectorization
    } : !transform.any_op
    transform.yield
  }
// -----
// pad vec write static
func.func @f(%a: tensor<5x6xf32>, %v: vector<7x9xf32>) -> tensor<5x6xf32> {
  %c0 = arith.constant 0 : index
  %cst = arith.constant 5.0 : f32
  %p = tensor.pad %a low[0, 0] high[5, 7] {
    ^bb0(%i: index, %j: index):
      tensor.yield %cst : f32
  } : tensor<5x6xf32> to tensor<10x13xf32>
  %w = vector.transfer_write %v, %p[%c0, %c0] : vector<7x9xf32>, tensor<10x13xf32>
  %r = tensor.extract_slice %w[0, 0] [5, 6] [1, 1] : tensor<10x13xf32> to tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.linalg.pad_vectorization
    } : !transform.any_op
    transform.yield
  }
// -----
// pad vec write dynamic
func.func @f(%a: tensor<?x?xf32>, %v: vector<7x9xf32>, %s: index, %pd: index) -> tensor<?x6xf32> {
  %c0 = arith.constant 0 : index
  %cst = arith.constant 5.0 : f32
  %e = tensor.extract_slice %a[0, 0] [%s, 6] [1, 1] : tensor<?x?xf32> to tensor<?x6xf32>
  %p = tensor.pad %e low[0, 0] high[%pd, 7] {
    ^bb0(%i: index, %j: index):
      tensor.yield %cst : f32
  } : tensor<?x6xf32> to tensor<?x13xf32>
  %w = vector.transfer_write %v, %p[%c0, %c0] : vector<7x9xf32>, tensor<?x13xf32>
  %r = tensor.extract_slice %w[0, 0] [%s, 6] [1, 1] : tensor<?x13xf32> to tensor<?x6xf32>
  return %r : tensor<?x6xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.linalg.pad_vectorization
    } : !transform.any_op
    transform.yield
  }
// -----
// pad vec insert
func.func private @mk() -> tensor<12x13xf32>
func.func @f(%a: tensor<5x6xf32>) -> tensor<12x13xf32> {
  %cst = arith.constant 5.0 : f32
  %p = tensor.pad %a low[0, 0] high[2, 3] {
    ^bb0(%i: index, %j: index):
      tensor.yield %cst : f32
  } : tensor<5x6xf32> to tensor<7x9xf32>
  %d = func.call @mk() : () -> tensor<12x13xf32>
  %r = tensor.insert_slice %p into %d[3, 4] [7, 9] [1, 1] : tensor<7x9xf32> into tensor<12x13xf32>
  return %r : tensor<12x13xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.linalg.pad_vectorization
    } : !transform.any_op
    transform.yield
  }
// -----
// pad vec insert rank, dynamic offset
func.func @f(%a: tensor<?x6xf32>, %d: tensor<?x12x13xf32>, %o: index, %h: index) -> tensor<?x12x13xf32> {
  %cst = arith.constant 5.0 : f32
  %p = tensor.pad %a low[0, 0] high[%h, 3] {
    ^bb0(%i: index, %j: index):
      tensor.yield %cst : f32
  } : tensor<?x6xf32> to tensor<7x9xf32>
  %r = tensor.insert_slice %p into %d[%o, 0, 4] [1, 7, 9] [1, 1, 1] : tensor<7x9xf32> into tensor<?x12x13xf32>
  return %r : tensor<?x12x13xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.linalg.pad_vectorization
    } : !transform.any_op
    transform.yield
  }
// -----
// pad vec insert as dest: not
func.func @f(%a: tensor<5x6xf32>, %d: tensor<2x3xf32>) -> tensor<7x9xf32> {
  %cst = arith.constant 5.0 : f32
  %p = tensor.pad %a low[0, 0] high[2, 3] {
    ^bb0(%i: index, %j: index):
      tensor.yield %cst : f32
  } : tensor<5x6xf32> to tensor<7x9xf32>
  %r = tensor.insert_slice %d into %p[3, 4] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<7x9xf32>
  return %r : tensor<7x9xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.linalg.pad_vectorization
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.yield
  }
