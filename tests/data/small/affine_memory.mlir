func.func private @none()

// -----
// hoist affine
func.func @f(%m: memref<?x?xf32>, %n: index, %v: index) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 10 {
    affine.for %j = 0 to 10 {
      %r = vector.transfer_read %m[%c0, %c0], %z : memref<?x?xf32>, vector<1xf32>
      %u = "some_use"(%r) : (vector<1xf32>) -> vector<1xf32>
      vector.transfer_write %u, %m[%c0, %c0] : vector<1xf32>, memref<?x?xf32>
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
// hoist affine verify trip
func.func @f(%m: memref<?x?xf32>, %n: index, %v: index) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to %n {
      %r = vector.transfer_read %m[%c0, %c0], %z : memref<?x?xf32>, vector<1xf32>
      %u = "some_use"(%r) : (vector<1xf32>) -> vector<1xf32>
      vector.transfer_write %u, %m[%c0, %c0] : vector<1xf32>, memref<?x?xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.hoist_redundant_vector_transfers %f {verify_non_zero_trip} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// hoist affine verify trip const
func.func @f(%m: memref<?x?xf32>, %n: index, %v: index) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 7 {
      %r = vector.transfer_read %m[%c0, %c0], %z : memref<?x?xf32>, vector<1xf32>
      %u = "some_use"(%r) : (vector<1xf32>) -> vector<1xf32>
      vector.transfer_write %u, %m[%c0, %c0] : vector<1xf32>, memref<?x?xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.hoist_redundant_vector_transfers %f {verify_non_zero_trip} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// hoist affine index
func.func @f(%m: memref<?x?xf32>, %n: index, %v: index) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 10 {
      %a = affine.apply affine_map<(d0) -> (d0 * 2)>(%v)
      %r = vector.transfer_read %m[%a, %c0], %z : memref<?x?xf32>, vector<1xf32>
      %u = "some_use"(%r) : (vector<1xf32>) -> vector<1xf32>
      vector.transfer_write %u, %m[%a, %c0] : vector<1xf32>, memref<?x?xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.hoist_redundant_vector_transfers %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// buffer loop hoisting affine
func.func @f(%n: index) {
  affine.for %i = 0 to 16 {
    %t = memref.alloc() : memref<4xf32>
    "some_use"(%t) : (memref<4xf32>) -> ()
    memref.dealloc %t : memref<4xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.bufferization.buffer_loop_hoisting %f : !transform.any_op
    transform.yield
  }

// -----
// alloca to global affine
func.func @f() {
  affine.for %i = 0 to 16 {
    %t = memref.alloca() : memref<4xf32>
    %v = affine.load %t[0] : memref<4xf32>
    affine.store %v, %t[1] : memref<4xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %a = transform.structured.match ops{["memref.alloca"]} in %root : (!transform.any_op) -> !transform.op<"memref.alloca">
    %x, %y = transform.memref.alloca_to_global %a : (!transform.op<"memref.alloca">) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }

// -----
// fold alias affine
func.func @f(%m: memref<12x32xf32>, %i: index, %j: index, %k: index) -> f32 {
  %0 = memref.subview %m[%i, %j][4, 4][2, 3] : memref<12x32xf32> to memref<4x4xf32, strided<[64, 3], offset: ?>>
  %1 = affine.load %0[%k, 2] : memref<4x4xf32, strided<[64, 3], offset: ?>>
  affine.store %1, %0[%k, 3] : memref<4x4xf32, strided<[64, 3], offset: ?>>
  return %1 : f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
     transform.apply_patterns.memref.fold_memref_alias_ops
    } : !transform.any_op
    transform.yield
  }

// -----
// erase dead alloc affine
func.func @f() {
  %z = arith.constant 0.0 : f32
  %t = memref.alloc() : memref<4xf32>
  affine.for %i = 0 to 4 {
    affine.store %z, %t[%i] : memref<4xf32>
  }
  memref.dealloc %t : memref<4xf32>
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.memref.erase_dead_alloc_and_stores %f : (!transform.any_op) -> ()
    transform.yield
  }

// -----
// licm while
func.func @f(%n: i32, %a: f32) {
  scf.while (%x = %n) : (i32) -> i32 {
    %c = arith.cmpi slt, %x, %n : i32
    scf.condition(%c) %x : i32
  } do {
  ^bb0(%y: i32):
    %q = arith.addf %a, %a : f32
    "use"(%q) : (f32) -> ()
    scf.yield %y : i32
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match ops{["scf.while"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_licm to %l : !transform.any_op
    transform.yield
  }

// -----
// cse in cfg
func.func @f(%n: i32, %a: f32, %b: i1) -> f32 {
  %0 = arith.addf %a, %a : f32
  cf.cond_br %b, ^bb1, ^bb2
^bb1:
  %1 = arith.addf %a, %a : f32
  cf.br ^bb2
^bb2:
  %2 = arith.addf %a, %a : f32
  return %2 : f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_cse to %f : !transform.any_op
    transform.apply_dce to %f : !transform.any_op
    transform.yield
  }

// -----
// match in cfg
func.func @f(%a: memref<4x8xf32>, %b: memref<8x4xf32>, %c: memref<4x4xf32>, %p: i1) {
  cf.cond_br %p, ^bb1, ^bb2
^bb1:
  linalg.matmul ins(%a, %b : memref<4x8xf32>, memref<8x4xf32>) outs(%c : memref<4x4xf32>)
  cf.br ^bb2
^bb2:
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %q = transform.structured.tile_using_for %l tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
     transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.yield
  }

// -----
// tile in gpu.launch
func.func @f(%a: memref<4x8xf32>, %b: memref<8x4xf32>, %c: memref<4x4xf32>) {
  %one = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one) threads(%tx, %ty, %tz) in (%sx = %one, %sy = %one, %sz = %one) {
    linalg.matmul ins(%a, %b : memref<4x8xf32>, memref<8x4xf32>) outs(%c : memref<4x4xf32>)
    gpu.terminator
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %q = transform.structured.tile_using_for %l tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }

// -----
// bounded affine in affine.for
func.func @f() {
  affine.for %i = 0 to 10 {
    %0 = affine.min affine_map<(d0) -> (d0, 20)>(%i)
    "use"(%0) : (index) -> ()
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match ops{["affine.min"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.affine.simplify_min_max_affine_ops %l : !transform.any_op
    transform.yield
  }
