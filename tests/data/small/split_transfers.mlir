// Each script brings its payload.
// -----
// read a row, default
func.func @f(%s: memref<?xf32>, %i: index, %j: index) -> vector<4xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i], %p  : memref<?xf32>, vector<4xf32>
  return %0 : vector<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.split_transfer_full_partial
  } : !transform.any_op
  transform.yield
}

// -----
// read a row, none
func.func @f(%s: memref<?xf32>, %i: index, %j: index) -> vector<4xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i], %p  : memref<?xf32>, vector<4xf32>
  return %0 : vector<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.split_transfer_full_partial split_transfer_strategy = "none"
  } : !transform.any_op
  transform.yield
}

// -----
// read a row, vector-transfer
func.func @f(%s: memref<?xf32>, %i: index, %j: index) -> vector<4xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i], %p  : memref<?xf32>, vector<4xf32>
  return %0 : vector<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.split_transfer_full_partial split_transfer_strategy = "vector-transfer"
  } : !transform.any_op
  transform.yield
}

// -----
// read a row, linalg-copy
func.func @f(%s: memref<?xf32>, %i: index, %j: index) -> vector<4xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i], %p  : memref<?xf32>, vector<4xf32>
  return %0 : vector<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.split_transfer_full_partial split_transfer_strategy = "linalg-copy"
  } : !transform.any_op
  transform.yield
}

// -----
// read a row, force-in-bounds
func.func @f(%s: memref<?xf32>, %i: index, %j: index) -> vector<4xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i], %p  : memref<?xf32>, vector<4xf32>
  return %0 : vector<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.split_transfer_full_partial split_transfer_strategy = "force-in-bounds"
  } : !transform.any_op
  transform.yield
}

// -----
// write a row, none
func.func @f(%s: memref<?xf32>, %i: index, %j: index, %v: vector<4xf32>) {
  vector.transfer_write %v, %s[%i]  : vector<4xf32>, memref<?xf32>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.split_transfer_full_partial split_transfer_strategy = "none"
  } : !transform.any_op
  transform.yield
}

// -----
// write a row, vector-transfer
func.func @f(%s: memref<?xf32>, %i: index, %j: index, %v: vector<4xf32>) {
  vector.transfer_write %v, %s[%i]  : vector<4xf32>, memref<?xf32>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.split_transfer_full_partial split_transfer_strategy = "vector-transfer"
  } : !transform.any_op
  transform.yield
}

// -----
// write a row, force-in-bounds
func.func @f(%s: memref<?xf32>, %i: index, %j: index, %v: vector<4xf32>) {
  vector.transfer_write %v, %s[%i]  : vector<4xf32>, memref<?xf32>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.split_transfer_full_partial split_transfer_strategy = "force-in-bounds"
  } : !transform.any_op
  transform.yield
}

// -----
// read rows, vector-transfer
func.func @f(%s: memref<?x8xf32>, %i: index, %j: index) -> vector<4x8xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %j], %p  : memref<?x8xf32>, vector<4x8xf32>
  return %0 : vector<4x8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.split_transfer_full_partial split_transfer_strategy = "vector-transfer"
  } : !transform.any_op
  transform.yield
}

// -----
// read static rows, vector-transfer
func.func @f(%s: memref<7x9xf32>, %i: index, %j: index) -> vector<4x8xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %j], %p  : memref<7x9xf32>, vector<4x8xf32>
  return %0 : vector<4x8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.split_transfer_full_partial split_transfer_strategy = "vector-transfer"
  } : !transform.any_op
  transform.yield
}

// -----
// read strided rows, vector-transfer
func.func @f(%s: memref<?x8xf32, strided<[?, 1], offset: ?>>, %i: index, %j: index) -> vector<4x8xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %j], %p {in_bounds = [false, true]} : memref<?x8xf32, strided<[?, 1], offset: ?>>, vector<4x8xf32>
  return %0 : vector<4x8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.split_transfer_full_partial split_transfer_strategy = "vector-transfer"
  } : !transform.any_op
  transform.yield
}

// -----
// read in bounds, vector-transfer
func.func @f(%s: memref<?x8xf32>, %i: index, %j: index) -> vector<4x8xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %j], %p {in_bounds = [true, true]} : memref<?x8xf32>, vector<4x8xf32>
  return %0 : vector<4x8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.split_transfer_full_partial split_transfer_strategy = "vector-transfer"
  } : !transform.any_op
  transform.yield
}

// -----
// masked read, vector-transfer
func.func @f(%s: memref<?xf32>, %i: index, %j: index, %mask: vector<4xi1>) -> vector<4xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i], %p, %mask  : memref<?xf32>, vector<4xf32>
  return %0 : vector<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.split_transfer_full_partial split_transfer_strategy = "vector-transfer"
  } : !transform.any_op
  transform.yield
}

// -----
// masked write, vector-transfer
func.func @f(%s: memref<?xf32>, %i: index, %j: index, %v: vector<4xf32>, %mask: vector<4xi1>) {
  vector.transfer_write %v, %s[%i], %mask  : vector<4xf32>, memref<?xf32>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.split_transfer_full_partial split_transfer_strategy = "vector-transfer"
  } : !transform.any_op
  transform.yield
}

// -----
// transposed read, vector-transfer
func.func @f(%s: memref<?x?xf32>, %i: index, %j: index) -> vector<4x8xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %j], %p {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<?x?xf32>, vector<4x8xf32>
  return %0 : vector<4x8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.split_transfer_full_partial split_transfer_strategy = "vector-transfer"
  } : !transform.any_op
  transform.yield
}

// -----
// read in another memory, vector-transfer
func.func @f(%s: memref<?xf32, 3>, %i: index, %j: index) -> vector<4xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i], %p  : memref<?xf32, 3>, vector<4xf32>
  return %0 : vector<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.split_transfer_full_partial split_transfer_strategy = "vector-transfer"
  } : !transform.any_op
  transform.yield
}

// -----
// read in loops, vector-transfer
func.func @f(%s: memref<?x?xf32>, %n: index, %m: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %p = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c4 {
    scf.for %j = %c0 to %n step %c4 {
      %0 = vector.transfer_read %s[%i, %j], %p : memref<?x?xf32>, vector<4x4xf32>
      %1 = vector.extract %0[1] : vector<4xf32> from vector<4x4xf32>
      vector.transfer_write %1, %m[%c0] {in_bounds = [true]} : vector<4xf32>, memref<4xf32>
    }
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.split_transfer_full_partial split_transfer_strategy = "vector-transfer"
  } : !transform.any_op
  transform.yield
}

// -----
// read in a branch, vector-transfer
func.func @f(%s: memref<?xf32>, %i: index, %c: i1, %v: vector<4xf32>) -> vector<4xf32> {
  %p = arith.constant 0.0 : f32
  %r = scf.if %c -> vector<4xf32> {
    %0 = vector.transfer_read %s[%i], %p : memref<?xf32>, vector<4xf32>
    scf.yield %0 : vector<4xf32>
  } else {
    scf.yield %v : vector<4xf32>
  }
  return %r : vector<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.split_transfer_full_partial split_transfer_strategy = "vector-transfer"
  } : !transform.any_op
  transform.yield
}

// -----
// read rows, linalg-copy
func.func @f(%s: memref<?x8xf32>, %i: index, %j: index) -> vector<4x8xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %j], %p  : memref<?x8xf32>, vector<4x8xf32>
  return %0 : vector<4x8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.split_transfer_full_partial split_transfer_strategy = "linalg-copy"
  } : !transform.any_op
  transform.yield
}

// -----
// read static rows, linalg-copy
func.func @f(%s: memref<7x9xf32>, %i: index, %j: index) -> vector<4x8xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %j], %p  : memref<7x9xf32>, vector<4x8xf32>
  return %0 : vector<4x8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.split_transfer_full_partial split_transfer_strategy = "linalg-copy"
  } : !transform.any_op
  transform.yield
}

// -----
// read strided rows, linalg-copy
func.func @f(%s: memref<?x8xf32, strided<[?, 1], offset: ?>>, %i: index, %j: index) -> vector<4x8xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %j], %p {in_bounds = [false, true]} : memref<?x8xf32, strided<[?, 1], offset: ?>>, vector<4x8xf32>
  return %0 : vector<4x8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.split_transfer_full_partial split_transfer_strategy = "linalg-copy"
  } : !transform.any_op
  transform.yield
}

// -----
// read in bounds, linalg-copy
func.func @f(%s: memref<?x8xf32>, %i: index, %j: index) -> vector<4x8xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %j], %p {in_bounds = [true, true]} : memref<?x8xf32>, vector<4x8xf32>
  return %0 : vector<4x8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.split_transfer_full_partial split_transfer_strategy = "linalg-copy"
  } : !transform.any_op
  transform.yield
}

// -----
// masked read, linalg-copy
func.func @f(%s: memref<?xf32>, %i: index, %j: index, %mask: vector<4xi1>) -> vector<4xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i], %p, %mask  : memref<?xf32>, vector<4xf32>
  return %0 : vector<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.split_transfer_full_partial split_transfer_strategy = "linalg-copy"
  } : !transform.any_op
  transform.yield
}

// -----
// masked write, linalg-copy
func.func @f(%s: memref<?xf32>, %i: index, %j: index, %v: vector<4xf32>, %mask: vector<4xi1>) {
  vector.transfer_write %v, %s[%i], %mask  : vector<4xf32>, memref<?xf32>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.split_transfer_full_partial split_transfer_strategy = "linalg-copy"
  } : !transform.any_op
  transform.yield
}

// -----
// transposed read, linalg-copy
func.func @f(%s: memref<?x?xf32>, %i: index, %j: index) -> vector<4x8xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %j], %p {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<?x?xf32>, vector<4x8xf32>
  return %0 : vector<4x8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.split_transfer_full_partial split_transfer_strategy = "linalg-copy"
  } : !transform.any_op
  transform.yield
}

// -----
// read in another memory, linalg-copy
func.func @f(%s: memref<?xf32, 3>, %i: index, %j: index) -> vector<4xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i], %p  : memref<?xf32, 3>, vector<4xf32>
  return %0 : vector<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.split_transfer_full_partial split_transfer_strategy = "linalg-copy"
  } : !transform.any_op
  transform.yield
}

// -----
// read in loops, linalg-copy
func.func @f(%s: memref<?x?xf32>, %n: index, %m: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %p = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c4 {
    scf.for %j = %c0 to %n step %c4 {
      %0 = vector.transfer_read %s[%i, %j], %p : memref<?x?xf32>, vector<4x4xf32>
      %1 = vector.extract %0[1] : vector<4xf32> from vector<4x4xf32>
      vector.transfer_write %1, %m[%c0] {in_bounds = [true]} : vector<4xf32>, memref<4xf32>
    }
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.split_transfer_full_partial split_transfer_strategy = "linalg-copy"
  } : !transform.any_op
  transform.yield
}

// -----
// read in a branch, linalg-copy
func.func @f(%s: memref<?xf32>, %i: index, %c: i1, %v: vector<4xf32>) -> vector<4xf32> {
  %p = arith.constant 0.0 : f32
  %r = scf.if %c -> vector<4xf32> {
    %0 = vector.transfer_read %s[%i], %p : memref<?xf32>, vector<4xf32>
    scf.yield %0 : vector<4xf32>
  } else {
    scf.yield %v : vector<4xf32>
  }
  return %r : vector<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.split_transfer_full_partial split_transfer_strategy = "linalg-copy"
  } : !transform.any_op
  transform.yield
}

// -----
// write rows, vector-transfer
func.func @f(%s: memref<?x8xf32>, %i: index, %j: index, %v: vector<4x8xf32>) {
  vector.transfer_write %v, %s[%i, %j]  : vector<4x8xf32>, memref<?x8xf32>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.split_transfer_full_partial split_transfer_strategy = "vector-transfer"
  } : !transform.any_op
  transform.yield
}

// -----
// write static rows, vector-transfer
func.func @f(%s: memref<7x9xf32>, %i: index, %j: index, %v: vector<4x8xf32>) {
  vector.transfer_write %v, %s[%i, %j]  : vector<4x8xf32>, memref<7x9xf32>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.split_transfer_full_partial split_transfer_strategy = "vector-transfer"
  } : !transform.any_op
  transform.yield
}

// -----
// write strided rows, vector-transfer
func.func @f(%s: memref<?x8xf32, strided<[?, 1], offset: ?>>, %i: index, %j: index, %v: vector<4x8xf32>) {
  vector.transfer_write %v, %s[%i, %j] {in_bounds = [false, true]} : vector<4x8xf32>, memref<?x8xf32, strided<[?, 1], offset: ?>>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.split_transfer_full_partial split_transfer_strategy = "vector-transfer"
  } : !transform.any_op
  transform.yield
}

// -----
// read past the end, vector-transfer
func.func @f(%s: memref<7x8xf32>, %i: index) -> vector<4x8xf32> {
  %p = arith.constant 0.0 : f32
  %c4 = arith.constant 4 : index
  %0 = vector.transfer_read %s[%c4, %i], %p : memref<7x8xf32>, vector<4x8xf32>
  return %0 : vector<4x8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.split_transfer_full_partial split_transfer_strategy = "vector-transfer"
  } : !transform.any_op
  transform.yield
}

// -----
// write in a forall, vector-transfer
func.func @f(%s: memref<?xf32>, %n: index, %v: vector<4xf32>) {
  scf.forall (%i) in (%n) {
    vector.transfer_write %v, %s[%i] : vector<4xf32>, memref<?xf32>
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.split_transfer_full_partial split_transfer_strategy = "vector-transfer"
  } : !transform.any_op
  transform.yield
}

// -----
// write in a loop, vector-transfer
func.func @f(%s: memref<?xf32>, %n: index, %v: vector<4xf32>) {
  scf.for %i = %n to %n step %n {
    scf.for %j = %i to %n step %n {
      vector.transfer_write %v, %s[%j] : vector<4xf32>, memref<?xf32>
    }
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.split_transfer_full_partial split_transfer_strategy = "vector-transfer"
  } : !transform.any_op
  transform.yield
}

// -----
// masked read, force-in-bounds
func.func @f(%s: memref<?xf32>, %i: index, %j: index, %mask: vector<4xi1>) -> vector<4xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i], %p, %mask  : memref<?xf32>, vector<4xf32>
  return %0 : vector<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.split_transfer_full_partial split_transfer_strategy = "force-in-bounds"
  } : !transform.any_op
  transform.yield
}

// -----
// read of a tensor, force-in-bounds
func.func @f(%s: tensor<?xf32>, %i: index, %j: index) -> vector<4xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i], %p  : tensor<?xf32>, vector<4xf32>
  return %0 : vector<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.split_transfer_full_partial split_transfer_strategy = "force-in-bounds"
  } : !transform.any_op
  transform.yield
}

// -----
// an unknown strategy
func.func @f(%s: memref<?xf32>, %i: index, %j: index) -> vector<4xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i], %p  : memref<?xf32>, vector<4xf32>
  return %0 : vector<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.split_transfer_full_partial split_transfer_strategy = "half"
  } : !transform.any_op
  transform.yield
}
