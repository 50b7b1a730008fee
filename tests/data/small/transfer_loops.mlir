// Each script brings its payload.
// -----
// perm read scf 2d
func.func @f(%s: memref<8x4xf32>, %i: index) -> vector<2x4xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %i], %p {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d0, d1)>} : memref<8x4xf32>, vector<2x4xf32>
  return %0 : vector<2x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_to_scf full_unroll = true
  } : !transform.any_op
  transform.yield
}

// -----
// perm write scf 2d
func.func @f(%s: memref<8x4xf32>, %i: index, %v: vector<2x4xf32>) {
  vector.transfer_write %v, %s[%i, %i] {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d0, d1)>} : vector<2x4xf32>, memref<8x4xf32>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_to_scf full_unroll = true
  } : !transform.any_op
  transform.yield
}

// -----
// perm read scf 2d oob
func.func @f(%s: memref<?x?xf32>, %i: index) -> vector<2x4xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %i], %p {permutation_map = affine_map<(d0, d1) -> (d0, d1)>} : memref<?x?xf32>, vector<2x4xf32>
  return %0 : vector<2x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_to_scf full_unroll = true
  } : !transform.any_op
  transform.yield
}

// -----
// perm write scf 2d oob
func.func @f(%s: memref<?x?xf32>, %i: index, %v: vector<2x4xf32>) {
  vector.transfer_write %v, %s[%i, %i] {permutation_map = affine_map<(d0, d1) -> (d0, d1)>} : vector<2x4xf32>, memref<?x?xf32>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_to_scf full_unroll = true
  } : !transform.any_op
  transform.yield
}

// -----
// perm read scf 3d
func.func @f(%s: memref<8x4x5xf32>, %i: index) -> vector<2x3x4xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %i, %i], %p {in_bounds = [true, true, true], permutation_map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<8x4x5xf32>, vector<2x3x4xf32>
  return %0 : vector<2x3x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_to_scf full_unroll = true
  } : !transform.any_op
  transform.yield
}

// -----
// perm write scf 3d
func.func @f(%s: memref<8x4x5xf32>, %i: index, %v: vector<2x3x4xf32>) {
  vector.transfer_write %v, %s[%i, %i, %i] {in_bounds = [true, true, true], permutation_map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : vector<2x3x4xf32>, memref<8x4x5xf32>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_to_scf full_unroll = true
  } : !transform.any_op
  transform.yield
}

// -----
// perm read scf 3d oob
func.func @f(%s: memref<?x?x?xf32>, %i: index) -> vector<2x2x4xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %i, %i], %p {permutation_map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<?x?x?xf32>, vector<2x2x4xf32>
  return %0 : vector<2x2x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_to_scf full_unroll = true
  } : !transform.any_op
  transform.yield
}

// -----
// perm write scf 3d oob
func.func @f(%s: memref<?x?x?xf32>, %i: index, %v: vector<2x2x4xf32>) {
  vector.transfer_write %v, %s[%i, %i, %i] {permutation_map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : vector<2x2x4xf32>, memref<?x?x?xf32>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_to_scf full_unroll = true
  } : !transform.any_op
  transform.yield
}

// -----
// perm read scf perm
func.func @f(%s: memref<8x4xf32>, %i: index) -> vector<2x4xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %i], %p {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<8x4xf32>, vector<2x4xf32>
  return %0 : vector<2x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_to_scf full_unroll = true
  } : !transform.any_op
  transform.yield
}

// -----
// perm write scf perm
func.func @f(%s: memref<8x4xf32>, %i: index, %v: vector<2x4xf32>) {
  vector.transfer_write %v, %s[%i, %i] {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : vector<2x4xf32>, memref<8x4xf32>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_to_scf full_unroll = true
  } : !transform.any_op
  transform.yield
}

// -----
// perm read scf bcast
func.func @f(%s: memref<8x4xf32>, %i: index) -> vector<2x4xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %i], %p {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (0, d1)>} : memref<8x4xf32>, vector<2x4xf32>
  return %0 : vector<2x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_to_scf full_unroll = true
  } : !transform.any_op
  transform.yield
}

// -----
// perm read scf bcast trail
func.func @f(%s: memref<8x4xf32>, %i: index) -> vector<2x4xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %i], %p {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, 0)>} : memref<8x4xf32>, vector<2x4xf32>
  return %0 : vector<2x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_to_scf full_unroll = true
  } : !transform.any_op
  transform.yield
}

// -----
// perm read scf 1d outer
func.func @f(%s: memref<8x4xf32>, %i: index) -> vector<4xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %i], %p {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d0)>} : memref<8x4xf32>, vector<4xf32>
  return %0 : vector<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_to_scf full_unroll = true
  } : !transform.any_op
  transform.yield
}

// -----
// perm write scf 1d outer
func.func @f(%s: memref<8x4xf32>, %i: index, %v: vector<4xf32>) {
  vector.transfer_write %v, %s[%i, %i] {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d0)>} : vector<4xf32>, memref<8x4xf32>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_to_scf full_unroll = true
  } : !transform.any_op
  transform.yield
}

// -----
// perm read scf 1d outer oob
func.func @f(%s: memref<?x4xf32>, %i: index) -> vector<4xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %i], %p {permutation_map = affine_map<(d0, d1) -> (d0)>} : memref<?x4xf32>, vector<4xf32>
  return %0 : vector<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_to_scf full_unroll = true
  } : !transform.any_op
  transform.yield
}

// -----
// perm write scf 1d outer oob
func.func @f(%s: memref<?x4xf32>, %i: index, %v: vector<4xf32>) {
  vector.transfer_write %v, %s[%i, %i] {permutation_map = affine_map<(d0, d1) -> (d0)>} : vector<4xf32>, memref<?x4xf32>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_to_scf full_unroll = true
  } : !transform.any_op
  transform.yield
}

// -----
// perm read scf 1d bcast
func.func @f(%s: memref<8x4xf32>, %i: index) -> vector<4xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %i], %p {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (0)>} : memref<8x4xf32>, vector<4xf32>
  return %0 : vector<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_to_scf full_unroll = true
  } : !transform.any_op
  transform.yield
}

// -----
// perm read scf 1d
func.func @f(%s: memref<8x4xf32>, %i: index) -> vector<4xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %i], %p {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d1)>} : memref<8x4xf32>, vector<4xf32>
  return %0 : vector<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_to_scf full_unroll = true
  } : !transform.any_op
  transform.yield
}

// -----
// perm write scf 1d
func.func @f(%s: memref<8x4xf32>, %i: index, %v: vector<4xf32>) {
  vector.transfer_write %v, %s[%i, %i] {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d1)>} : vector<4xf32>, memref<8x4xf32>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_to_scf full_unroll = true
  } : !transform.any_op
  transform.yield
}

// -----
// perm read scf tensor
func.func @f(%s: tensor<8x4xf32>, %i: index) -> vector<2x4xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %i], %p {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d0, d1)>} : tensor<8x4xf32>, vector<2x4xf32>
  return %0 : vector<2x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_to_scf full_unroll = true
  } : !transform.any_op
  transform.yield
}

// -----
// perm write scf tensor
func.func @f(%s: tensor<8x4xf32>, %i: index, %v: vector<2x4xf32>) -> tensor<8x4xf32> {
  %0 = vector.transfer_write %v, %s[%i, %i] {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d0, d1)>} : vector<2x4xf32>, tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_to_scf full_unroll = true
  } : !transform.any_op
  transform.yield
}

// -----
// perm read scf 2d mask
func.func @f(%s: memref<8x4xf32>, %i: index, %m: vector<2x4xi1>) -> vector<2x4xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %i], %p, %m {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d0, d1)>} : memref<8x4xf32>, vector<2x4xf32>
  return %0 : vector<2x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_to_scf full_unroll = true
  } : !transform.any_op
  transform.yield
}

// -----
// perm write scf 2d mask
func.func @f(%s: memref<8x4xf32>, %i: index, %m: vector<2x4xi1>, %v: vector<2x4xf32>) {
  vector.transfer_write %v, %s[%i, %i], %m {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d0, d1)>} : vector<2x4xf32>, memref<8x4xf32>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_to_scf full_unroll = true
  } : !transform.any_op
  transform.yield
}

// -----
// perm read scf 2d mask oob
func.func @f(%s: memref<?x?xf32>, %i: index, %m: vector<2x4xi1>) -> vector<2x4xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %i], %p, %m {permutation_map = affine_map<(d0, d1) -> (d0, d1)>} : memref<?x?xf32>, vector<2x4xf32>
  return %0 : vector<2x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_to_scf full_unroll = true
  } : !transform.any_op
  transform.yield
}

// -----
// perm write scf 2d mask oob
func.func @f(%s: memref<?x?xf32>, %i: index, %m: vector<2x4xi1>, %v: vector<2x4xf32>) {
  vector.transfer_write %v, %s[%i, %i], %m {permutation_map = affine_map<(d0, d1) -> (d0, d1)>} : vector<2x4xf32>, memref<?x?xf32>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_to_scf full_unroll = true
  } : !transform.any_op
  transform.yield
}

// -----
// perm read scf 1d outer mask
func.func @f(%s: memref<8x4xf32>, %i: index, %m: vector<4xi1>) -> vector<4xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %i], %p, %m {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d0)>} : memref<8x4xf32>, vector<4xf32>
  return %0 : vector<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_to_scf full_unroll = true
  } : !transform.any_op
  transform.yield
}

// -----
// perm write scf 1d outer mask
func.func @f(%s: memref<8x4xf32>, %i: index, %m: vector<4xi1>, %v: vector<4xf32>) {
  vector.transfer_write %v, %s[%i, %i], %m {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d0)>} : vector<4xf32>, memref<8x4xf32>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_to_scf full_unroll = true
  } : !transform.any_op
  transform.yield
}

// -----
// perm read scf bcast mask
func.func @f(%s: memref<8x4xf32>, %i: index, %m: vector<4xi1>) -> vector<2x4xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %i], %p, %m {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (0, d1)>} : memref<8x4xf32>, vector<2x4xf32>
  return %0 : vector<2x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_to_scf full_unroll = true
  } : !transform.any_op
  transform.yield
}

// -----
// perm read scf rank2
func.func @f(%s: memref<8x4x5xf32>, %i: index) -> vector<2x3x4xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %i, %i], %p {in_bounds = [true, true, true], permutation_map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : memref<8x4x5xf32>, vector<2x3x4xf32>
  return %0 : vector<2x3x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_to_scf max_transfer_rank = 2 full_unroll = true
  } : !transform.any_op
  transform.yield
}

// -----
// perm write scf rank2
func.func @f(%s: memref<8x4x5xf32>, %i: index, %v: vector<2x3x4xf32>) {
  vector.transfer_write %v, %s[%i, %i, %i] {in_bounds = [true, true, true], permutation_map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>} : vector<2x3x4xf32>, memref<8x4x5xf32>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_to_scf max_transfer_rank = 2 full_unroll = true
  } : !transform.any_op
  transform.yield
}

// -----
// loops over rows
// only ours refuses: the loops keep vectors in memory
func.func @f(%s: memref<8x4xf32>, %i: index) -> vector<2x4xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %i], %p {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d0, d1)>} : memref<8x4xf32>, vector<2x4xf32>
  return %0 : vector<2x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_to_scf
  } : !transform.any_op
  transform.yield
}
