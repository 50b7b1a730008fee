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

// -----
// loops over rows: bounds, masks, broadcasts, higher ranks, loops around
func.func @r(%m: memref<?x?xf32>, %i: index, %p: f32) -> vector<4x8xf32> {
  %v = vector.transfer_read %m[%i, %i], %p : memref<?x?xf32>, vector<4x8xf32>
  return %v : vector<4x8xf32>
}
func.func @w(%m: memref<?x?xf32>, %i: index, %v: vector<4x8xf32>) {
  vector.transfer_write %v, %m[%i, %i] : vector<4x8xf32>, memref<?x?xf32>
  return
}
func.func @w3(%m: memref<?x?x?xf32>, %i: index, %v: vector<2x4x8xf32>) {
  vector.transfer_write %v, %m[%i, %i, %i] {in_bounds = [true, false, true]} : vector<2x4x8xf32>, memref<?x?x?xf32>
  return
}
func.func @rmask(%m: memref<?x?xf32>, %i: index, %p: f32, %k: vector<4x8xi1>) -> vector<4x8xf32> {
  %v = vector.transfer_read %m[%i, %i], %p, %k : memref<?x?xf32>, vector<4x8xf32>
  return %v : vector<4x8xf32>
}
func.func @bc(%m: memref<?x?xf32>, %i: index, %p: f32) -> vector<4x8xf32> {
  %v = vector.transfer_read %m[%i, %i], %p {permutation_map = affine_map<(d0, d1) -> (0, d1)>, in_bounds = [true, false]} : memref<?x?xf32>, vector<4x8xf32>
  return %v : vector<4x8xf32>
}
func.func @t(%m: memref<?x?xf32>, %i: index, %p: f32) -> vector<4x8xf32> {
  %v = vector.transfer_read %m[%i, %i], %p {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<?x?xf32>, vector<4x8xf32>
  return %v : vector<4x8xf32>
}
func.func @s1(%m: memref<?x?xf32>, %i: index, %p: f32) -> vector<8xf32> {
  %v = vector.transfer_read %m[%i, %i], %p {permutation_map = affine_map<(d0, d1) -> (d0)>} : memref<?x?xf32>, vector<8xf32>
  return %v : vector<8xf32>
}
func.func @tens(%m: tensor<?x?xf32>, %i: index, %p: f32) -> vector<4x8xf32> {
  %v = vector.transfer_read %m[%i, %i], %p : tensor<?x?xf32>, vector<4x8xf32>
  return %v : vector<4x8xf32>
}
func.func @loop(%m: memref<?x?xf32>, %i: index, %p: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %j = %c0 to %i step %c1 {
  %v = vector.transfer_read %m[%j, %i], %p {in_bounds = [true, true]} : memref<?x?xf32>, vector<4x8xf32>
  "test.use"(%v) : (vector<4x8xf32>) -> ()
  }
  return
}
func.func @wmask(%m: memref<?x?x?xf32>, %i: index, %v: vector<2x4x8xf32>, %k: vector<2x4x8xi1>) {
  vector.transfer_write %v, %m[%i, %i, %i], %k {in_bounds = [true, false, true]} : vector<2x4x8xf32>, memref<?x?x?xf32>
  return
}
func.func @bcmask(%m: memref<?x?xf32>, %i: index, %p: f32, %k: vector<8xi1>) -> vector<4x8xf32> {
  %v = vector.transfer_read %m[%i, %i], %p, %k {permutation_map = affine_map<(d0, d1) -> (0, d1)>, in_bounds = [true, false]} : memref<?x?xf32>, vector<4x8xf32>
  return %v : vector<4x8xf32>
}
func.func @rows(%m: memref<?x?x?xf32>, %i: index, %p: f32) -> vector<2x4x8xf32> {
  %v = vector.transfer_read %m[%i, %i, %i], %p : memref<?x?x?xf32>, vector<2x4x8xf32>
  return %v : vector<2x4x8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_to_scf full_unroll = false
  } : !transform.any_op
  transform.yield
}

// -----
// loops over planes
func.func @rows(%m: memref<?x?x?xf32>, %i: index, %p: f32) -> vector<2x4x8xf32> {
  %v = vector.transfer_read %m[%i, %i, %i], %p : memref<?x?x?xf32>, vector<2x4x8xf32>
  return %v : vector<2x4x8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_to_scf max_transfer_rank = 2 full_unroll = false
  } : !transform.any_op
  transform.yield
}
