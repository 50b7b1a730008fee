func.func private @none()

// -----
// scf pair
func.func @f(%m: memref<?x?xf32>, %m2: memref<?x?xf32>, %m3: memref<?x?xf32>, %n: index, %s: index, %cmp: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    %a = vector.transfer_read %m[%c0, %c0], %z : memref<?x?xf32>, vector<1xf32>
    %b = "some_use"(%a) : (vector<1xf32>) -> vector<1xf32>
    vector.transfer_write %b, %m[%c0, %c0] : vector<1xf32>, memref<?x?xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.hoist_redundant_vector_transfers %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// scf two
func.func @f(%m: memref<?x?xf32>, %m2: memref<?x?xf32>, %m3: memref<?x?xf32>, %n: index, %s: index, %cmp: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    %a = vector.transfer_read %m[%c0, %c0], %z : memref<?x?xf32>, vector<1xf32>
    %d = vector.transfer_read %m2[%c0, %c0], %z : memref<?x?xf32>, vector<1xf32>
    %b = "some_use"(%a) : (vector<1xf32>) -> vector<1xf32>
    %e = "some_use"(%d) : (vector<1xf32>) -> vector<1xf32>
    vector.transfer_write %b, %m[%c0, %c0] : vector<1xf32>, memref<?x?xf32>
    vector.transfer_write %e, %m2[%c0, %c0] : vector<1xf32>, memref<?x?xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.hoist_redundant_vector_transfers %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// scf other use
func.func @f(%m: memref<?x?xf32>, %m2: memref<?x?xf32>, %m3: memref<?x?xf32>, %n: index, %s: index, %cmp: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    %a = vector.transfer_read %m[%c0, %c0], %z : memref<?x?xf32>, vector<1xf32>
    "some_crippling_use"(%m) : (memref<?x?xf32>) -> ()
    %b = "some_use"(%a) : (vector<1xf32>) -> vector<1xf32>
    vector.transfer_write %b, %m[%c0, %c0] : vector<1xf32>, memref<?x?xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.hoist_redundant_vector_transfers %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// scf disjoint const
func.func @f(%m: memref<?x?xf32>, %m2: memref<?x?xf32>, %m3: memref<?x?xf32>, %n: index, %s: index, %cmp: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    %a = vector.transfer_read %m[%c0, %c0], %z : memref<?x?xf32>, vector<2xf32>
    %d = vector.transfer_read %m[%c0, %c3], %z : memref<?x?xf32>, vector<2xf32>
    %b = "some_use"(%a) : (vector<2xf32>) -> vector<2xf32>
    %e = "some_use"(%d) : (vector<2xf32>) -> vector<2xf32>
    vector.transfer_write %b, %m[%c0, %c0] : vector<2xf32>, memref<?x?xf32>
    vector.transfer_write %e, %m[%c0, %c3] : vector<2xf32>, memref<?x?xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.hoist_redundant_vector_transfers %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// scf overlap const
func.func @f(%m: memref<?x?xf32>, %m2: memref<?x?xf32>, %m3: memref<?x?xf32>, %n: index, %s: index, %cmp: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    %a = vector.transfer_read %m[%c0, %c0], %z : memref<?x?xf32>, vector<4xf32>
    %d = vector.transfer_read %m[%c0, %c3], %z : memref<?x?xf32>, vector<4xf32>
    %b = "some_use"(%a) : (vector<4xf32>) -> vector<4xf32>
    %e = "some_use"(%d) : (vector<4xf32>) -> vector<4xf32>
    vector.transfer_write %b, %m[%c0, %c0] : vector<4xf32>, memref<?x?xf32>
    vector.transfer_write %e, %m[%c0, %c3] : vector<4xf32>, memref<?x?xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.hoist_redundant_vector_transfers %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// scf disjoint rows
func.func @f(%m: memref<?x?xf32>, %m2: memref<?x?xf32>, %m3: memref<?x?xf32>, %n: index, %s: index, %cmp: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    %a = vector.transfer_read %m[%c0, %c0], %z : memref<?x?xf32>, vector<2xf32>
    %d = vector.transfer_read %m[%c1, %c0], %z : memref<?x?xf32>, vector<2xf32>
    %b = "some_use"(%a) : (vector<2xf32>) -> vector<2xf32>
    %e = "some_use"(%d) : (vector<2xf32>) -> vector<2xf32>
    vector.transfer_write %b, %m[%c0, %c0] : vector<2xf32>, memref<?x?xf32>
    vector.transfer_write %e, %m[%c1, %c0] : vector<2xf32>, memref<?x?xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.hoist_redundant_vector_transfers %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// scf random idx
func.func @f(%m: memref<?x?xf32>, %m2: memref<?x?xf32>, %m3: memref<?x?xf32>, %n: index, %s: index, %cmp: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    %a = vector.transfer_read %m[%s, %s], %z : memref<?x?xf32>, vector<1xf32>
    %b = "some_use"(%a) : (vector<1xf32>) -> vector<1xf32>
    vector.transfer_write %b, %m[%s, %s] : vector<1xf32>, memref<?x?xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.hoist_redundant_vector_transfers %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// scf random two
func.func @f(%m: memref<?x?xf32>, %m2: memref<?x?xf32>, %m3: memref<?x?xf32>, %n: index, %s: index, %cmp: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    %a = vector.transfer_read %m[%s, %c0], %z : memref<?x?xf32>, vector<1xf32>
    %d = vector.transfer_read %m[%s, %c3], %z : memref<?x?xf32>, vector<1xf32>
    %b = "some_use"(%a) : (vector<1xf32>) -> vector<1xf32>
    %e = "some_use"(%d) : (vector<1xf32>) -> vector<1xf32>
    vector.transfer_write %b, %m[%s, %c0] : vector<1xf32>, memref<?x?xf32>
    vector.transfer_write %e, %m[%s, %c3] : vector<1xf32>, memref<?x?xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.hoist_redundant_vector_transfers %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// scf index iv
func.func @f(%m: memref<?x?xf32>, %m2: memref<?x?xf32>, %m3: memref<?x?xf32>, %n: index, %s: index, %cmp: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    %a = vector.transfer_read %m[%i, %c0], %z : memref<?x?xf32>, vector<1xf32>
    %b = "some_use"(%a) : (vector<1xf32>) -> vector<1xf32>
    vector.transfer_write %b, %m[%i, %c0] : vector<1xf32>, memref<?x?xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.hoist_redundant_vector_transfers %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// scf diff idx
func.func @f(%m: memref<?x?xf32>, %m2: memref<?x?xf32>, %m3: memref<?x?xf32>, %n: index, %s: index, %cmp: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    %a = vector.transfer_read %m[%c0, %c0], %z : memref<?x?xf32>, vector<1xf32>
    %b = "some_use"(%a) : (vector<1xf32>) -> vector<1xf32>
    vector.transfer_write %b, %m[%c0, %c1] : vector<1xf32>, memref<?x?xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.hoist_redundant_vector_transfers %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// scf no dep
func.func @f(%m: memref<?x?xf32>, %m2: memref<?x?xf32>, %m3: memref<?x?xf32>, %n: index, %s: index, %cmp: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    %a = vector.transfer_read %m[%c0, %c0], %z : memref<?x?xf32>, vector<1xf32>
    "use"(%a) : (vector<1xf32>) -> ()
    %b = "val"() : () -> vector<1xf32>
    vector.transfer_write %b, %m[%c0, %c0] : vector<1xf32>, memref<?x?xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.hoist_redundant_vector_transfers %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// scf load
func.func @f(%m: memref<?x?xf32>, %m2: memref<?x?xf32>, %m3: memref<?x?xf32>, %n: index, %s: index, %cmp: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    %a = vector.transfer_read %m[%c0, %c0], %z : memref<?x?xf32>, vector<1xf32>
    %b = "some_use"(%a) : (vector<1xf32>) -> vector<1xf32>
    %q = memref.load %m[%c0, %c1] : memref<?x?xf32>
    "use"(%q) : (f32) -> ()
    vector.transfer_write %b, %m[%c0, %c0] : vector<1xf32>, memref<?x?xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.hoist_redundant_vector_transfers %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// scf read only
func.func @f(%m: memref<?x?xf32>, %m2: memref<?x?xf32>, %m3: memref<?x?xf32>, %n: index, %s: index, %cmp: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    %a = vector.transfer_read %m[%c0, %c0], %z : memref<?x?xf32>, vector<1xf32>
    "use"(%a) : (vector<1xf32>) -> ()
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.hoist_redundant_vector_transfers %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// scf in if
func.func @f(%m: memref<?x?xf32>, %m2: memref<?x?xf32>, %m3: memref<?x?xf32>, %n: index, %s: index, %cmp: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    scf.if %cmp {
    %a = vector.transfer_read %m[%c0, %c0], %z : memref<?x?xf32>, vector<1xf32>
    %b = "some_use"(%a) : (vector<1xf32>) -> vector<1xf32>
    vector.transfer_write %b, %m[%c0, %c0] : vector<1xf32>, memref<?x?xf32>
    }
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.hoist_redundant_vector_transfers %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// scf subview inside
func.func @f(%m: memref<?x?xf32>, %m2: memref<?x?xf32>, %m3: memref<?x?xf32>, %n: index, %s: index, %cmp: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.subview %m[%s, %s] [4, 4] [1, 1] : memref<?x?xf32> to memref<4x4xf32, strided<[?, 1], offset: ?>>
    %a = vector.transfer_read %v[%c0, %c0], %z : memref<4x4xf32, strided<[?, 1], offset: ?>>, vector<1xf32>
    %b = "some_use"(%a) : (vector<1xf32>) -> vector<1xf32>
    vector.transfer_write %b, %v[%c0, %c0] : vector<1xf32>, memref<4x4xf32, strided<[?, 1], offset: ?>>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.hoist_redundant_vector_transfers %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// scf subview outside
func.func @f(%m: memref<?x?xf32>, %m2: memref<?x?xf32>, %m3: memref<?x?xf32>, %n: index, %s: index, %cmp: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  %v = memref.subview %m[%s, %s] [4, 4] [1, 1] : memref<?x?xf32> to memref<4x4xf32, strided<[?, 1], offset: ?>>
  scf.for %i = %c0 to %n step %c1 {
    %a = vector.transfer_read %v[%c0, %c0], %z : memref<4x4xf32, strided<[?, 1], offset: ?>>, vector<1xf32>
    %b = "some_use"(%a) : (vector<1xf32>) -> vector<1xf32>
    vector.transfer_write %b, %v[%c0, %c0] : vector<1xf32>, memref<4x4xf32, strided<[?, 1], offset: ?>>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.hoist_redundant_vector_transfers %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// scf subview alias
func.func @f(%m: memref<?x?xf32>, %m2: memref<?x?xf32>, %m3: memref<?x?xf32>, %n: index, %s: index, %cmp: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  %v = memref.subview %m[%s, %s] [4, 4] [1, 1] : memref<?x?xf32> to memref<4x4xf32, strided<[?, 1], offset: ?>>
  scf.for %i = %c0 to %n step %c1 {
    %a = vector.transfer_read %v[%c0, %c0], %z : memref<4x4xf32, strided<[?, 1], offset: ?>>, vector<1xf32>
    %b = "some_use"(%a) : (vector<1xf32>) -> vector<1xf32>
    memref.store %z, %m[%c0, %c0] : memref<?x?xf32>
    vector.transfer_write %b, %v[%c0, %c0] : vector<1xf32>, memref<4x4xf32, strided<[?, 1], offset: ?>>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.hoist_redundant_vector_transfers %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// scf assume align
func.func @f(%m: memref<?x?xf32>, %m2: memref<?x?xf32>, %m3: memref<?x?xf32>, %n: index, %s: index, %cmp: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  %v = memref.assume_alignment %m, 64 : memref<?x?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %a = vector.transfer_read %v[%c0, %c0], %z : memref<?x?xf32>, vector<1xf32>
    %b = "some_use"(%a) : (vector<1xf32>) -> vector<1xf32>
    vector.transfer_write %b, %v[%c0, %c0] : vector<1xf32>, memref<?x?xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.hoist_redundant_vector_transfers %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// scf alloc
func.func @f(%m: memref<?x?xf32>, %m2: memref<?x?xf32>, %m3: memref<?x?xf32>, %n: index, %s: index, %cmp: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  %v = memref.alloca(%n) : memref<?x4xf32>
  scf.for %i = %c0 to %n step %c1 {
    %a = vector.transfer_read %v[%c0, %c0], %z : memref<?x4xf32>, vector<1xf32>
    %b = "some_use"(%a) : (vector<1xf32>) -> vector<1xf32>
    vector.transfer_write %b, %v[%c0, %c0] : vector<1xf32>, memref<?x4xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.hoist_redundant_vector_transfers %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// scf collapse
func.func @f(%m: memref<?x?xf32>, %m2: memref<?x?xf32>, %m3: memref<?x?xf32>, %n: index, %s: index, %cmp: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  %v = memref.collapse_shape %m [[0, 1]] : memref<?x?xf32> into memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %a = vector.transfer_read %v[%c0], %z : memref<?xf32>, vector<1xf32>
    %b = "some_use"(%a) : (vector<1xf32>) -> vector<1xf32>
    vector.transfer_write %b, %v[%c0] : vector<1xf32>, memref<?xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.hoist_redundant_vector_transfers %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// affine pair
func.func @f(%m: memref<?x?xf32>, %m2: memref<?x?xf32>, %m3: memref<?x?xf32>, %n: index, %s: index, %cmp: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 10 {
    %a = vector.transfer_read %m[%c0, %c0], %z : memref<?x?xf32>, vector<1xf32>
    %b = "some_use"(%a) : (vector<1xf32>) -> vector<1xf32>
    vector.transfer_write %b, %m[%c0, %c0] : vector<1xf32>, memref<?x?xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.hoist_redundant_vector_transfers %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// affine two
func.func @f(%m: memref<?x?xf32>, %m2: memref<?x?xf32>, %m3: memref<?x?xf32>, %n: index, %s: index, %cmp: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 10 {
    %a = vector.transfer_read %m[%c0, %c0], %z : memref<?x?xf32>, vector<1xf32>
    %d = vector.transfer_read %m2[%c0, %c0], %z : memref<?x?xf32>, vector<1xf32>
    %b = "some_use"(%a) : (vector<1xf32>) -> vector<1xf32>
    %e = "some_use"(%d) : (vector<1xf32>) -> vector<1xf32>
    vector.transfer_write %b, %m[%c0, %c0] : vector<1xf32>, memref<?x?xf32>
    vector.transfer_write %e, %m2[%c0, %c0] : vector<1xf32>, memref<?x?xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.hoist_redundant_vector_transfers %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// affine other use
func.func @f(%m: memref<?x?xf32>, %m2: memref<?x?xf32>, %m3: memref<?x?xf32>, %n: index, %s: index, %cmp: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 10 {
    %a = vector.transfer_read %m[%c0, %c0], %z : memref<?x?xf32>, vector<1xf32>
    "some_crippling_use"(%m) : (memref<?x?xf32>) -> ()
    %b = "some_use"(%a) : (vector<1xf32>) -> vector<1xf32>
    vector.transfer_write %b, %m[%c0, %c0] : vector<1xf32>, memref<?x?xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.hoist_redundant_vector_transfers %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// affine disjoint const
func.func @f(%m: memref<?x?xf32>, %m2: memref<?x?xf32>, %m3: memref<?x?xf32>, %n: index, %s: index, %cmp: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 10 {
    %a = vector.transfer_read %m[%c0, %c0], %z : memref<?x?xf32>, vector<2xf32>
    %d = vector.transfer_read %m[%c0, %c3], %z : memref<?x?xf32>, vector<2xf32>
    %b = "some_use"(%a) : (vector<2xf32>) -> vector<2xf32>
    %e = "some_use"(%d) : (vector<2xf32>) -> vector<2xf32>
    vector.transfer_write %b, %m[%c0, %c0] : vector<2xf32>, memref<?x?xf32>
    vector.transfer_write %e, %m[%c0, %c3] : vector<2xf32>, memref<?x?xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.hoist_redundant_vector_transfers %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// affine overlap const
func.func @f(%m: memref<?x?xf32>, %m2: memref<?x?xf32>, %m3: memref<?x?xf32>, %n: index, %s: index, %cmp: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 10 {
    %a = vector.transfer_read %m[%c0, %c0], %z : memref<?x?xf32>, vector<4xf32>
    %d = vector.transfer_read %m[%c0, %c3], %z : memref<?x?xf32>, vector<4xf32>
    %b = "some_use"(%a) : (vector<4xf32>) -> vector<4xf32>
    %e = "some_use"(%d) : (vector<4xf32>) -> vector<4xf32>
    vector.transfer_write %b, %m[%c0, %c0] : vector<4xf32>, memref<?x?xf32>
    vector.transfer_write %e, %m[%c0, %c3] : vector<4xf32>, memref<?x?xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.hoist_redundant_vector_transfers %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// affine disjoint rows
func.func @f(%m: memref<?x?xf32>, %m2: memref<?x?xf32>, %m3: memref<?x?xf32>, %n: index, %s: index, %cmp: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 10 {
    %a = vector.transfer_read %m[%c0, %c0], %z : memref<?x?xf32>, vector<2xf32>
    %d = vector.transfer_read %m[%c1, %c0], %z : memref<?x?xf32>, vector<2xf32>
    %b = "some_use"(%a) : (vector<2xf32>) -> vector<2xf32>
    %e = "some_use"(%d) : (vector<2xf32>) -> vector<2xf32>
    vector.transfer_write %b, %m[%c0, %c0] : vector<2xf32>, memref<?x?xf32>
    vector.transfer_write %e, %m[%c1, %c0] : vector<2xf32>, memref<?x?xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.hoist_redundant_vector_transfers %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// affine random idx
func.func @f(%m: memref<?x?xf32>, %m2: memref<?x?xf32>, %m3: memref<?x?xf32>, %n: index, %s: index, %cmp: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 10 {
    %a = vector.transfer_read %m[%s, %s], %z : memref<?x?xf32>, vector<1xf32>
    %b = "some_use"(%a) : (vector<1xf32>) -> vector<1xf32>
    vector.transfer_write %b, %m[%s, %s] : vector<1xf32>, memref<?x?xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.hoist_redundant_vector_transfers %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// affine random two
func.func @f(%m: memref<?x?xf32>, %m2: memref<?x?xf32>, %m3: memref<?x?xf32>, %n: index, %s: index, %cmp: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 10 {
    %a = vector.transfer_read %m[%s, %c0], %z : memref<?x?xf32>, vector<1xf32>
    %d = vector.transfer_read %m[%s, %c3], %z : memref<?x?xf32>, vector<1xf32>
    %b = "some_use"(%a) : (vector<1xf32>) -> vector<1xf32>
    %e = "some_use"(%d) : (vector<1xf32>) -> vector<1xf32>
    vector.transfer_write %b, %m[%s, %c0] : vector<1xf32>, memref<?x?xf32>
    vector.transfer_write %e, %m[%s, %c3] : vector<1xf32>, memref<?x?xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.hoist_redundant_vector_transfers %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// affine index iv
func.func @f(%m: memref<?x?xf32>, %m2: memref<?x?xf32>, %m3: memref<?x?xf32>, %n: index, %s: index, %cmp: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 10 {
    %a = vector.transfer_read %m[%i, %c0], %z : memref<?x?xf32>, vector<1xf32>
    %b = "some_use"(%a) : (vector<1xf32>) -> vector<1xf32>
    vector.transfer_write %b, %m[%i, %c0] : vector<1xf32>, memref<?x?xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.hoist_redundant_vector_transfers %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// affine diff idx
func.func @f(%m: memref<?x?xf32>, %m2: memref<?x?xf32>, %m3: memref<?x?xf32>, %n: index, %s: index, %cmp: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 10 {
    %a = vector.transfer_read %m[%c0, %c0], %z : memref<?x?xf32>, vector<1xf32>
    %b = "some_use"(%a) : (vector<1xf32>) -> vector<1xf32>
    vector.transfer_write %b, %m[%c0, %c1] : vector<1xf32>, memref<?x?xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.hoist_redundant_vector_transfers %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// affine no dep
func.func @f(%m: memref<?x?xf32>, %m2: memref<?x?xf32>, %m3: memref<?x?xf32>, %n: index, %s: index, %cmp: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 10 {
    %a = vector.transfer_read %m[%c0, %c0], %z : memref<?x?xf32>, vector<1xf32>
    "use"(%a) : (vector<1xf32>) -> ()
    %b = "val"() : () -> vector<1xf32>
    vector.transfer_write %b, %m[%c0, %c0] : vector<1xf32>, memref<?x?xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.hoist_redundant_vector_transfers %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// affine load
func.func @f(%m: memref<?x?xf32>, %m2: memref<?x?xf32>, %m3: memref<?x?xf32>, %n: index, %s: index, %cmp: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 10 {
    %a = vector.transfer_read %m[%c0, %c0], %z : memref<?x?xf32>, vector<1xf32>
    %b = "some_use"(%a) : (vector<1xf32>) -> vector<1xf32>
    %q = memref.load %m[%c0, %c1] : memref<?x?xf32>
    "use"(%q) : (f32) -> ()
    vector.transfer_write %b, %m[%c0, %c0] : vector<1xf32>, memref<?x?xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.hoist_redundant_vector_transfers %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// affine read only
func.func @f(%m: memref<?x?xf32>, %m2: memref<?x?xf32>, %m3: memref<?x?xf32>, %n: index, %s: index, %cmp: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 10 {
    %a = vector.transfer_read %m[%c0, %c0], %z : memref<?x?xf32>, vector<1xf32>
    "use"(%a) : (vector<1xf32>) -> ()
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.hoist_redundant_vector_transfers %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// affine in if
func.func @f(%m: memref<?x?xf32>, %m2: memref<?x?xf32>, %m3: memref<?x?xf32>, %n: index, %s: index, %cmp: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 10 {
    scf.if %cmp {
    %a = vector.transfer_read %m[%c0, %c0], %z : memref<?x?xf32>, vector<1xf32>
    %b = "some_use"(%a) : (vector<1xf32>) -> vector<1xf32>
    vector.transfer_write %b, %m[%c0, %c0] : vector<1xf32>, memref<?x?xf32>
    }
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.hoist_redundant_vector_transfers %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// affine subview inside
func.func @f(%m: memref<?x?xf32>, %m2: memref<?x?xf32>, %m3: memref<?x?xf32>, %n: index, %s: index, %cmp: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 10 {
    %v = memref.subview %m[%s, %s] [4, 4] [1, 1] : memref<?x?xf32> to memref<4x4xf32, strided<[?, 1], offset: ?>>
    %a = vector.transfer_read %v[%c0, %c0], %z : memref<4x4xf32, strided<[?, 1], offset: ?>>, vector<1xf32>
    %b = "some_use"(%a) : (vector<1xf32>) -> vector<1xf32>
    vector.transfer_write %b, %v[%c0, %c0] : vector<1xf32>, memref<4x4xf32, strided<[?, 1], offset: ?>>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.hoist_redundant_vector_transfers %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// affine subview outside
func.func @f(%m: memref<?x?xf32>, %m2: memref<?x?xf32>, %m3: memref<?x?xf32>, %n: index, %s: index, %cmp: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  %v = memref.subview %m[%s, %s] [4, 4] [1, 1] : memref<?x?xf32> to memref<4x4xf32, strided<[?, 1], offset: ?>>
  affine.for %i = 0 to 10 {
    %a = vector.transfer_read %v[%c0, %c0], %z : memref<4x4xf32, strided<[?, 1], offset: ?>>, vector<1xf32>
    %b = "some_use"(%a) : (vector<1xf32>) -> vector<1xf32>
    vector.transfer_write %b, %v[%c0, %c0] : vector<1xf32>, memref<4x4xf32, strided<[?, 1], offset: ?>>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.hoist_redundant_vector_transfers %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// affine subview alias
func.func @f(%m: memref<?x?xf32>, %m2: memref<?x?xf32>, %m3: memref<?x?xf32>, %n: index, %s: index, %cmp: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  %v = memref.subview %m[%s, %s] [4, 4] [1, 1] : memref<?x?xf32> to memref<4x4xf32, strided<[?, 1], offset: ?>>
  affine.for %i = 0 to 10 {
    %a = vector.transfer_read %v[%c0, %c0], %z : memref<4x4xf32, strided<[?, 1], offset: ?>>, vector<1xf32>
    %b = "some_use"(%a) : (vector<1xf32>) -> vector<1xf32>
    memref.store %z, %m[%c0, %c0] : memref<?x?xf32>
    vector.transfer_write %b, %v[%c0, %c0] : vector<1xf32>, memref<4x4xf32, strided<[?, 1], offset: ?>>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.hoist_redundant_vector_transfers %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// affine assume align
func.func @f(%m: memref<?x?xf32>, %m2: memref<?x?xf32>, %m3: memref<?x?xf32>, %n: index, %s: index, %cmp: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  %v = memref.assume_alignment %m, 64 : memref<?x?xf32>
  affine.for %i = 0 to 10 {
    %a = vector.transfer_read %v[%c0, %c0], %z : memref<?x?xf32>, vector<1xf32>
    %b = "some_use"(%a) : (vector<1xf32>) -> vector<1xf32>
    vector.transfer_write %b, %v[%c0, %c0] : vector<1xf32>, memref<?x?xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.hoist_redundant_vector_transfers %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// affine alloc
func.func @f(%m: memref<?x?xf32>, %m2: memref<?x?xf32>, %m3: memref<?x?xf32>, %n: index, %s: index, %cmp: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  %v = memref.alloca(%n) : memref<?x4xf32>
  affine.for %i = 0 to 10 {
    %a = vector.transfer_read %v[%c0, %c0], %z : memref<?x4xf32>, vector<1xf32>
    %b = "some_use"(%a) : (vector<1xf32>) -> vector<1xf32>
    vector.transfer_write %b, %v[%c0, %c0] : vector<1xf32>, memref<?x4xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.hoist_redundant_vector_transfers %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// affine collapse
func.func @f(%m: memref<?x?xf32>, %m2: memref<?x?xf32>, %m3: memref<?x?xf32>, %n: index, %s: index, %cmp: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  %v = memref.collapse_shape %m [[0, 1]] : memref<?x?xf32> into memref<?xf32>
  affine.for %i = 0 to 10 {
    %a = vector.transfer_read %v[%c0], %z : memref<?xf32>, vector<1xf32>
    %b = "some_use"(%a) : (vector<1xf32>) -> vector<1xf32>
    vector.transfer_write %b, %v[%c0] : vector<1xf32>, memref<?xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.hoist_redundant_vector_transfers %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// t pair
func.func @f(%t: tensor<?x?xf32>, %t2: tensor<?x?xf32>, %n: index, %s: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %t) -> (tensor<?x?xf32>) {
    %a = vector.transfer_read %x[%c0, %c0], %z : tensor<?x?xf32>, vector<1xf32>
    %b = "some_use"(%a) : (vector<1xf32>) -> vector<1xf32>
    %w = vector.transfer_write %b, %x[%c0, %c0] : vector<1xf32>, tensor<?x?xf32>
    scf.yield %w : tensor<?x?xf32>
  }
  return %r : tensor<?x?xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match interface{LoopLikeInterface} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.hoist_loop_invariant_subsets %l : !transform.any_op
    transform.yield
  }

// -----
// t slice
func.func @f(%t: tensor<?x?xf32>, %t2: tensor<?x?xf32>, %n: index, %s: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %t) -> (tensor<?x?xf32>) {
    %a = tensor.extract_slice %x[0, 11] [1, 5] [1, 1] : tensor<?x?xf32> to tensor<1x5xf32>
    %b = "u"(%a) : (tensor<1x5xf32>) -> tensor<1x5xf32>
    %w = tensor.insert_slice %b into %x[0, 11] [1, 5] [1, 1] : tensor<1x5xf32> into tensor<?x?xf32>
    scf.yield %w : tensor<?x?xf32>
  }
  return %r : tensor<?x?xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match interface{LoopLikeInterface} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.hoist_loop_invariant_subsets %l : !transform.any_op
    transform.yield
  }

// -----
// t slice dyn
func.func @f(%t: tensor<?x?xf32>, %t2: tensor<?x?xf32>, %n: index, %s: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %t) -> (tensor<?x?xf32>) {
    %a = tensor.extract_slice %x[0, %s] [1, %s] [1, 1] : tensor<?x?xf32> to tensor<1x?xf32>
    %b = "u"(%a) : (tensor<1x?xf32>) -> tensor<1x?xf32>
    %w = tensor.insert_slice %b into %x[0, %s] [1, %s] [1, 1] : tensor<1x?xf32> into tensor<?x?xf32>
    scf.yield %w : tensor<?x?xf32>
  }
  return %r : tensor<?x?xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match interface{LoopLikeInterface} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.hoist_loop_invariant_subsets %l : !transform.any_op
    transform.yield
  }

// -----
// t slice iv
func.func @f(%t: tensor<?x?xf32>, %t2: tensor<?x?xf32>, %n: index, %s: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %t) -> (tensor<?x?xf32>) {
    %a = tensor.extract_slice %x[0, %i] [1, %s] [1, 1] : tensor<?x?xf32> to tensor<1x?xf32>
    %b = "u"(%a) : (tensor<1x?xf32>) -> tensor<1x?xf32>
    %w = tensor.insert_slice %b into %x[0, %i] [1, %s] [1, 1] : tensor<1x?xf32> into tensor<?x?xf32>
    scf.yield %w : tensor<?x?xf32>
  }
  return %r : tensor<?x?xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match interface{LoopLikeInterface} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.hoist_loop_invariant_subsets %l : !transform.any_op
    transform.yield
  }

// -----
// t slice 2
func.func @f(%t: tensor<?x?xf32>, %t2: tensor<?x?xf32>, %n: index, %s: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %t) -> (tensor<?x?xf32>) {
    %a = tensor.extract_slice %x[0, 11] [1, 5] [1, 1] : tensor<?x?xf32> to tensor<1x5xf32>
    %a2 = tensor.extract_slice %x[0, 0] [1, 5] [1, 1] : tensor<?x?xf32> to tensor<1x5xf32>
    "q"(%a2) : (tensor<1x5xf32>) -> ()
    %b = "u"(%a) : (tensor<1x5xf32>) -> tensor<1x5xf32>
    %w = tensor.insert_slice %b into %x[0, 11] [1, 5] [1, 1] : tensor<1x5xf32> into tensor<?x?xf32>
    scf.yield %w : tensor<?x?xf32>
  }
  return %r : tensor<?x?xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match interface{LoopLikeInterface} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.hoist_loop_invariant_subsets %l : !transform.any_op
    transform.yield
  }

// -----
// t slice overlap
func.func @f(%t: tensor<?x?xf32>, %t2: tensor<?x?xf32>, %n: index, %s: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %t) -> (tensor<?x?xf32>) {
    %a = tensor.extract_slice %x[0, 11] [1, 5] [1, 1] : tensor<?x?xf32> to tensor<1x5xf32>
    %a2 = tensor.extract_slice %x[0, 9] [1, 5] [1, 1] : tensor<?x?xf32> to tensor<1x5xf32>
    "q"(%a2) : (tensor<1x5xf32>) -> ()
    %b = "u"(%a) : (tensor<1x5xf32>) -> tensor<1x5xf32>
    %w = tensor.insert_slice %b into %x[0, 11] [1, 5] [1, 1] : tensor<1x5xf32> into tensor<?x?xf32>
    scf.yield %w : tensor<?x?xf32>
  }
  return %r : tensor<?x?xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match interface{LoopLikeInterface} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.hoist_loop_invariant_subsets %l : !transform.any_op
    transform.yield
  }

// -----
// t slice insert only
func.func @f(%t: tensor<?x?xf32>, %t2: tensor<?x?xf32>, %n: index, %s: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %t) -> (tensor<?x?xf32>) {
    %b = "u"() : () -> tensor<1x5xf32>
    %w = tensor.insert_slice %b into %x[0, 11] [1, 5] [1, 1] : tensor<1x5xf32> into tensor<?x?xf32>
    scf.yield %w : tensor<?x?xf32>
  }
  return %r : tensor<?x?xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match interface{LoopLikeInterface} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.hoist_loop_invariant_subsets %l : !transform.any_op
    transform.yield
  }

// -----
// t two inserts
func.func @f(%t: tensor<?x?xf32>, %t2: tensor<?x?xf32>, %n: index, %s: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %t) -> (tensor<?x?xf32>) {
    %a = tensor.extract_slice %x[0, 11] [1, 5] [1, 1] : tensor<?x?xf32> to tensor<1x5xf32>
    %b = "u"(%a) : (tensor<1x5xf32>) -> tensor<1x5xf32>
    %w0 = tensor.insert_slice %b into %x[0, 11] [1, 5] [1, 1] : tensor<1x5xf32> into tensor<?x?xf32>
    %a1 = tensor.extract_slice %w0[0, 0] [1, 5] [1, 1] : tensor<?x?xf32> to tensor<1x5xf32>
    %b1 = "u"(%a1) : (tensor<1x5xf32>) -> tensor<1x5xf32>
    %w = tensor.insert_slice %b1 into %w0[0, 0] [1, 5] [1, 1] : tensor<1x5xf32> into tensor<?x?xf32>
    scf.yield %w : tensor<?x?xf32>
  }
  return %r : tensor<?x?xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match interface{LoopLikeInterface} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.hoist_loop_invariant_subsets %l : !transform.any_op
    transform.yield
  }

// -----
// t nested
func.func @f(%t: tensor<?x?xf32>, %t2: tensor<?x?xf32>, %n: index, %s: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %t) -> (tensor<?x?xf32>) {
  %r2 = scf.for %j = %c0 to %n step %c1 iter_args(%x2 = %x) -> (tensor<?x?xf32>) {
    %a = vector.transfer_read %x2[%c0, %c0], %z : tensor<?x?xf32>, vector<1xf32>
    %b = "some_use"(%a) : (vector<1xf32>) -> vector<1xf32>
    %w = vector.transfer_write %b, %x2[%c0, %c0] : vector<1xf32>, tensor<?x?xf32>
    scf.yield %w : tensor<?x?xf32>
  }
  scf.yield %r2 : tensor<?x?xf32>
 }
  return %r : tensor<?x?xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match interface{LoopLikeInterface} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.hoist_loop_invariant_subsets %l : !transform.any_op
    transform.yield
  }

// -----
// t mask
func.func @f(%t: tensor<?x?xf32>, %t2: tensor<?x?xf32>, %n: index, %s: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  %k = "mask"() : () -> vector<1xi1>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %t) -> (tensor<?x?xf32>) {
    %a = vector.transfer_read %x[%c0, %c0], %z, %k : tensor<?x?xf32>, vector<1xf32>
    %b = "some_use"(%a) : (vector<1xf32>) -> vector<1xf32>
    %w = vector.transfer_write %b, %x[%c0, %c0], %k : vector<1xf32>, tensor<?x?xf32>
    scf.yield %w : tensor<?x?xf32>
  }
  return %r : tensor<?x?xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match interface{LoopLikeInterface} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.hoist_loop_invariant_subsets %l : !transform.any_op
    transform.yield
  }

// -----
// t mixed
func.func @f(%t: tensor<?x?xf32>, %t2: tensor<?x?xf32>, %n: index, %s: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %t) -> (tensor<?x?xf32>) {
    %a = vector.transfer_read %x[%c0, %c0], %z : tensor<?x?xf32>, vector<1xf32>
    %b = "some_use"(%a) : (vector<1xf32>) -> vector<1xf32>
    %w0 = vector.transfer_write %b, %x[%c0, %c0] : vector<1xf32>, tensor<?x?xf32>
    %w = "other"(%w0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
    scf.yield %w : tensor<?x?xf32>
  }
  return %r : tensor<?x?xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match interface{LoopLikeInterface} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.hoist_loop_invariant_subsets %l : !transform.any_op
    transform.yield
  }
