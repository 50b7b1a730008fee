// Each script brings its payload.
// -----
// perm read 2d
func.func @f(%s: tensor<8x4xf32>, %i: index) -> vector<4x8xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %i], %p {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : tensor<8x4xf32>, vector<4x8xf32>
  return %0 : vector<4x8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_permutation_patterns
  } : !transform.any_op
  transform.yield
}

// -----
// perm write 2d
func.func @f(%s: tensor<8x4xf32>, %i: index, %v: vector<4x8xf32>) -> tensor<8x4xf32> {
  %0 = vector.transfer_write %v, %s[%i, %i] {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : vector<4x8xf32>, tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_permutation_patterns
  } : !transform.any_op
  transform.yield
}

// -----
// perm read 2d oob
func.func @f(%s: memref<?x?xf32>, %i: index) -> vector<4x8xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %i], %p {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<?x?xf32>, vector<4x8xf32>
  return %0 : vector<4x8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_permutation_patterns
  } : !transform.any_op
  transform.yield
}

// -----
// perm write 2d oob
func.func @f(%s: memref<?x?xf32>, %i: index, %v: vector<4x8xf32>) {
  vector.transfer_write %v, %s[%i, %i] {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : vector<4x8xf32>, memref<?x?xf32>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_permutation_patterns
  } : !transform.any_op
  transform.yield
}

// -----
// perm read 3d minor
func.func @f(%s: tensor<2x8x4xf32>, %i: index) -> vector<4x8xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %i, %i], %p {in_bounds = [true, false], permutation_map = affine_map<(d0, d1, d2) -> (d2, d1)>} : tensor<2x8x4xf32>, vector<4x8xf32>
  return %0 : vector<4x8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_permutation_patterns
  } : !transform.any_op
  transform.yield
}

// -----
// perm write 3d minor
func.func @f(%s: tensor<2x8x4xf32>, %i: index, %v: vector<4x8xf32>) -> tensor<2x8x4xf32> {
  %0 = vector.transfer_write %v, %s[%i, %i, %i] {in_bounds = [true, false], permutation_map = affine_map<(d0, d1, d2) -> (d2, d1)>} : vector<4x8xf32>, tensor<2x8x4xf32>
  return %0 : tensor<2x8x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_permutation_patterns
  } : !transform.any_op
  transform.yield
}

// -----
// perm read 3d minor mask
func.func @f(%s: memref<2x8x4xf32>, %i: index, %m: vector<8x4xi1>) -> vector<4x8xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %i, %i], %p, %m {in_bounds = [true, true], permutation_map = affine_map<(d0, d1, d2) -> (d2, d1)>} : memref<2x8x4xf32>, vector<4x8xf32>
  return %0 : vector<4x8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_permutation_patterns
  } : !transform.any_op
  transform.yield
}

// -----
// perm write 3d minor mask
func.func @f(%s: memref<2x8x4xf32>, %i: index, %m: vector<8x4xi1>, %v: vector<4x8xf32>) {
  vector.transfer_write %v, %s[%i, %i, %i], %m {in_bounds = [true, true], permutation_map = affine_map<(d0, d1, d2) -> (d2, d1)>} : vector<4x8xf32>, memref<2x8x4xf32>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_permutation_patterns
  } : !transform.any_op
  transform.yield
}

// -----
// perm read perm mask
func.func @f(%s: memref<8x4xf32>, %i: index, %m: vector<8x4xi1>) -> vector<4x8xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %i], %p, %m {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<8x4xf32>, vector<4x8xf32>
  return %0 : vector<4x8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_permutation_patterns
  } : !transform.any_op
  transform.yield
}

// -----
// perm write perm mask
func.func @f(%s: memref<8x4xf32>, %i: index, %m: vector<8x4xi1>, %v: vector<4x8xf32>) {
  vector.transfer_write %v, %s[%i, %i], %m {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : vector<4x8xf32>, memref<8x4xf32>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_permutation_patterns
  } : !transform.any_op
  transform.yield
}

// -----
// perm read 3d
func.func @f(%s: memref<2x8x4xf32>, %i: index) -> vector<4x2x8xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %i, %i], %p {in_bounds = [true, true, false], permutation_map = affine_map<(d0, d1, d2) -> (d2, d0, d1)>} : memref<2x8x4xf32>, vector<4x2x8xf32>
  return %0 : vector<4x2x8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_permutation_patterns
  } : !transform.any_op
  transform.yield
}

// -----
// perm write 3d
func.func @f(%s: memref<2x8x4xf32>, %i: index, %v: vector<4x2x8xf32>) {
  vector.transfer_write %v, %s[%i, %i, %i] {in_bounds = [true, true, false], permutation_map = affine_map<(d0, d1, d2) -> (d2, d0, d1)>} : vector<4x2x8xf32>, memref<2x8x4xf32>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_permutation_patterns
  } : !transform.any_op
  transform.yield
}

// -----
// perm read bcast lead
func.func @f(%s: memref<2x8x4xf32>, %i: index) -> vector<5x4xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %i, %i], %p {in_bounds = [true, true], permutation_map = affine_map<(d0, d1, d2) -> (0, d2)>} : memref<2x8x4xf32>, vector<5x4xf32>
  return %0 : vector<5x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_permutation_patterns
  } : !transform.any_op
  transform.yield
}

// -----
// perm read bcast trail
func.func @f(%s: memref<2x8x4xf32>, %i: index) -> vector<4x5xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %i, %i], %p {in_bounds = [true, true], permutation_map = affine_map<(d0, d1, d2) -> (d2, 0)>} : memref<2x8x4xf32>, vector<4x5xf32>
  return %0 : vector<4x5xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_permutation_patterns
  } : !transform.any_op
  transform.yield
}

// -----
// perm read bcast mid
func.func @f(%s: memref<2x8x4xf32>, %i: index) -> vector<2x5x4xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %i, %i], %p {in_bounds = [true, true, true], permutation_map = affine_map<(d0, d1, d2) -> (d1, 0, d2)>} : memref<2x8x4xf32>, vector<2x5x4xf32>
  return %0 : vector<2x5x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_permutation_patterns
  } : !transform.any_op
  transform.yield
}

// -----
// perm read bcast mid2
func.func @f(%s: memref<2x8x4xf32>, %i: index) -> vector<2x5x4xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %i, %i], %p {in_bounds = [true, true, true], permutation_map = affine_map<(d0, d1, d2) -> (d2, 0, d1)>} : memref<2x8x4xf32>, vector<2x5x4xf32>
  return %0 : vector<2x5x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_permutation_patterns
  } : !transform.any_op
  transform.yield
}

// -----
// perm read bcast many
func.func @f(%s: memref<2x8x4x3xf32>, %i: index) -> vector<7x1x3x8x3xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %i, %i, %i], %p {in_bounds = [true, true, true, true, true], permutation_map = affine_map<(d0, d1, d2, d3) -> (0, 0, 0, d1, d3)>} : memref<2x8x4x3xf32>, vector<7x1x3x8x3xf32>
  return %0 : vector<7x1x3x8x3xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_permutation_patterns
  } : !transform.any_op
  transform.yield
}

// -----
// perm read bcast perm
func.func @f(%s: memref<8x4xf32>, %i: index) -> vector<7x4x9x8xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %i], %p {in_bounds = [true, true, true, true], permutation_map = affine_map<(d0, d1) -> (0, d1, 0, d0)>} : memref<8x4xf32>, vector<7x4x9x8xf32>
  return %0 : vector<7x4x9x8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_permutation_patterns
  } : !transform.any_op
  transform.yield
}

// -----
// perm read bcast all
func.func @f(%s: memref<8x4xf32>, %i: index) -> vector<7x4xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %i], %p {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (0, 0)>} : memref<8x4xf32>, vector<7x4xf32>
  return %0 : vector<7x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_permutation_patterns
  } : !transform.any_op
  transform.yield
}

// -----
// perm read bcast all 1d
func.func @f(%s: tensor<8xf32>, %i: index) -> vector<7xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i], %p {in_bounds = [true], permutation_map = affine_map<(d0) -> (0)>} : tensor<8xf32>, vector<7xf32>
  return %0 : vector<7xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_permutation_patterns
  } : !transform.any_op
  transform.yield
}

// -----
// perm read bcast all 0d
func.func @f(%s: tensor<f32>, %i: index) -> vector<7xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[], %p {in_bounds = [true], permutation_map = affine_map<() -> (0)>} : tensor<f32>, vector<7xf32>
  return %0 : vector<7xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_permutation_patterns
  } : !transform.any_op
  transform.yield
}

// -----
// perm read outer dim
func.func @f(%s: memref<8x4xf32>, %i: index) -> vector<7xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %i], %p {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d0)>} : memref<8x4xf32>, vector<7xf32>
  return %0 : vector<7xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_permutation_patterns
  } : !transform.any_op
  transform.yield
}

// -----
// perm write outer dim
func.func @f(%s: memref<8x4xf32>, %i: index, %v: vector<7xf32>) {
  vector.transfer_write %v, %s[%i, %i] {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d0)>} : vector<7xf32>, memref<8x4xf32>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_permutation_patterns
  } : !transform.any_op
  transform.yield
}

// -----
// perm read outer dims
func.func @f(%s: memref<8x4x3xf32>, %i: index) -> vector<7x2xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %i, %i], %p {in_bounds = [true, false], permutation_map = affine_map<(d0, d1, d2) -> (d0, d1)>} : memref<8x4x3xf32>, vector<7x2xf32>
  return %0 : vector<7x2xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_permutation_patterns
  } : !transform.any_op
  transform.yield
}

// -----
// perm write outer dims
func.func @f(%s: memref<8x4x3xf32>, %i: index, %v: vector<7x2xf32>) {
  vector.transfer_write %v, %s[%i, %i, %i] {in_bounds = [true, false], permutation_map = affine_map<(d0, d1, d2) -> (d0, d1)>} : vector<7x2xf32>, memref<8x4x3xf32>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_permutation_patterns
  } : !transform.any_op
  transform.yield
}

// -----
// perm read outer dims4
func.func @f(%s: memref<1x8x4x3xf32>, %i: index) -> vector<7x2xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %i, %i, %i], %p {in_bounds = [true, true], permutation_map = affine_map<(d0, d1, d2, d3) -> (d1, d2)>} : memref<1x8x4x3xf32>, vector<7x2xf32>
  return %0 : vector<7x2xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_permutation_patterns
  } : !transform.any_op
  transform.yield
}

// -----
// perm write outer dims4
func.func @f(%s: memref<1x8x4x3xf32>, %i: index, %v: vector<7x2xf32>) {
  vector.transfer_write %v, %s[%i, %i, %i, %i] {in_bounds = [true, true], permutation_map = affine_map<(d0, d1, d2, d3) -> (d1, d2)>} : vector<7x2xf32>, memref<1x8x4x3xf32>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_permutation_patterns
  } : !transform.any_op
  transform.yield
}

// -----
// perm read outer dims perm
func.func @f(%s: memref<8x4x3xf32>, %i: index) -> vector<7x2xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %i, %i], %p {in_bounds = [true, true], permutation_map = affine_map<(d0, d1, d2) -> (d1, d0)>} : memref<8x4x3xf32>, vector<7x2xf32>
  return %0 : vector<7x2xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_permutation_patterns
  } : !transform.any_op
  transform.yield
}

// -----
// perm write outer dims perm
func.func @f(%s: memref<8x4x3xf32>, %i: index, %v: vector<7x2xf32>) {
  vector.transfer_write %v, %s[%i, %i, %i] {in_bounds = [true, true], permutation_map = affine_map<(d0, d1, d2) -> (d1, d0)>} : vector<7x2xf32>, memref<8x4x3xf32>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_permutation_patterns
  } : !transform.any_op
  transform.yield
}

// -----
// perm read outer tensor
func.func @f(%s: tensor<8x4xf32>, %i: index) -> vector<7xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %i], %p {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d0)>} : tensor<8x4xf32>, vector<7xf32>
  return %0 : vector<7xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_permutation_patterns
  } : !transform.any_op
  transform.yield
}

// -----
// perm write outer tensor
func.func @f(%s: tensor<8x4xf32>, %i: index, %v: vector<7xf32>) -> tensor<8x4xf32> {
  %0 = vector.transfer_write %v, %s[%i, %i] {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d0)>} : vector<7xf32>, tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_permutation_patterns
  } : !transform.any_op
  transform.yield
}

// -----
// perm read gap
func.func @f(%s: memref<8x4x3xf32>, %i: index) -> vector<7x2xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %i, %i], %p {in_bounds = [true, true], permutation_map = affine_map<(d0, d1, d2) -> (d0, d2)>} : memref<8x4x3xf32>, vector<7x2xf32>
  return %0 : vector<7x2xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_permutation_patterns
  } : !transform.any_op
  transform.yield
}

// -----
// perm write gap
func.func @f(%s: memref<8x4x3xf32>, %i: index, %v: vector<7x2xf32>) {
  vector.transfer_write %v, %s[%i, %i, %i] {in_bounds = [true, true], permutation_map = affine_map<(d0, d1, d2) -> (d0, d2)>} : vector<7x2xf32>, memref<8x4x3xf32>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_permutation_patterns
  } : !transform.any_op
  transform.yield
}

// -----
// perm read outer mask
func.func @f(%s: memref<8x4xf32>, %i: index, %m: vector<7xi1>) -> vector<7xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %i], %p, %m {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d0)>} : memref<8x4xf32>, vector<7xf32>
  return %0 : vector<7xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_permutation_patterns
  } : !transform.any_op
  transform.yield
}

// -----
// perm write outer mask
func.func @f(%s: memref<8x4xf32>, %i: index, %m: vector<7xi1>, %v: vector<7xf32>) {
  vector.transfer_write %v, %s[%i, %i], %m {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d0)>} : vector<7xf32>, memref<8x4xf32>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_permutation_patterns
  } : !transform.any_op
  transform.yield
}

// -----
// perm read bcast mask
func.func @f(%s: memref<8x4xf32>, %i: index, %m: vector<4xi1>) -> vector<5x4xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %i], %p, %m {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (0, d1)>} : memref<8x4xf32>, vector<5x4xf32>
  return %0 : vector<5x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_permutation_patterns
  } : !transform.any_op
  transform.yield
}

// -----
// perm read bcast trail mask
func.func @f(%s: memref<8x4xf32>, %i: index, %m: vector<4xi1>) -> vector<4x5xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %i], %p, %m {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, 0)>} : memref<8x4xf32>, vector<4x5xf32>
  return %0 : vector<4x5xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_permutation_patterns
  } : !transform.any_op
  transform.yield
}

// -----
// perm read identity
func.func @f(%s: memref<8x4xf32>, %i: index) -> vector<4x5xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %i], %p {in_bounds = [true, false], permutation_map = affine_map<(d0, d1) -> (d0, d1)>} : memref<8x4xf32>, vector<4x5xf32>
  return %0 : vector<4x5xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_permutation_patterns
  } : !transform.any_op
  transform.yield
}

// -----
// perm write identity
func.func @f(%s: memref<8x4xf32>, %i: index, %v: vector<4x5xf32>) {
  vector.transfer_write %v, %s[%i, %i] {in_bounds = [true, false], permutation_map = affine_map<(d0, d1) -> (d0, d1)>} : vector<4x5xf32>, memref<8x4xf32>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_permutation_patterns
  } : !transform.any_op
  transform.yield
}

// -----
// perm read 4d
func.func @f(%s: memref<8x4x5x6xf32>, %i: index) -> vector<2x3x4xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %i, %i, %i], %p {in_bounds = [true, false, true], permutation_map = affine_map<(d0, d1, d2, d3) -> (d3, d1, d2)>} : memref<8x4x5x6xf32>, vector<2x3x4xf32>
  return %0 : vector<2x3x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_permutation_patterns
  } : !transform.any_op
  transform.yield
}

// -----
// perm write 4d
func.func @f(%s: memref<8x4x5x6xf32>, %i: index, %v: vector<2x3x4xf32>) {
  vector.transfer_write %v, %s[%i, %i, %i, %i] {in_bounds = [true, false, true], permutation_map = affine_map<(d0, d1, d2, d3) -> (d3, d1, d2)>} : vector<2x3x4xf32>, memref<8x4x5x6xf32>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_permutation_patterns
  } : !transform.any_op
  transform.yield
}

// -----
// perm masked op
func.func @f(%s: memref<8x4xf32>, %i: index, %m: vector<8x4xi1>) -> vector<4x8xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.mask %m { vector.transfer_read %s[%i, %i], %p {permutation_map = affine_map<(d0, d1) -> (d1, d0)>, in_bounds = [true, true]} : memref<8x4xf32>, vector<4x8xf32> } : vector<8x4xi1> -> vector<4x8xf32>
  return %0 : vector<4x8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_permutation_patterns
  } : !transform.any_op
  transform.yield
}

// -----
// perm masked bcast
func.func @f(%s: memref<8x4xf32>, %i: index, %m: vector<4xi1>) -> vector<3x4xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.mask %m { vector.transfer_read %s[%i, %i], %p {permutation_map = affine_map<(d0, d1) -> (0, d1)>, in_bounds = [true, true]} : memref<8x4xf32>, vector<3x4xf32> } : vector<4xi1> -> vector<3x4xf32>
  return %0 : vector<3x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_permutation_patterns
  } : !transform.any_op
  transform.yield
}

// -----
// perm masked write
func.func @f(%s: memref<8x4xf32>, %i: index, %m: vector<8x4xi1>, %v: vector<4x8xf32>) {
  vector.mask %m { vector.transfer_write %v, %s[%i, %i] {permutation_map = affine_map<(d0, d1) -> (d1, d0)>, in_bounds = [true, true]} : vector<4x8xf32>, memref<8x4xf32> } : vector<8x4xi1>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_permutation_patterns
  } : !transform.any_op
  transform.yield
}

// -----
// perm masked nonperm
func.func @f(%s: memref<8x4xf32>, %i: index, %m: vector<7xi1>, %v: vector<7xf32>) {
  vector.mask %m { vector.transfer_write %v, %s[%i, %i] {permutation_map = affine_map<(d0, d1) -> (d0)>, in_bounds = [true]} : vector<7xf32>, memref<8x4xf32> } : vector<7xi1>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.transfer_permutation_patterns
  } : !transform.any_op
  transform.yield
}
