func.func private @none()

// -----
// scf.while
func.func @f(%a: i32) -> i32 {
  %c = arith.constant 10 : i32
  %r = scf.while (%x = %a) : (i32) -> i32 {
    %cond = arith.cmpi slt, %x, %c : i32
    scf.condition(%cond) %x : i32
  } do {
  ^bb0(%y: i32):
    %n = arith.addi %y, %y : i32
    scf.yield %n : i32
  }
  return %r : i32
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %found = transform.structured.match ops{["scf.while"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %found, "found" : !transform.any_op
  %functions = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %functions {
    transform.apply_patterns.canonicalization
  } : !transform.any_op
  transform.apply_cse to %functions : !transform.any_op
  transform.yield
}

// -----
// execute_region with cf
func.func @f(%a: i1) -> i32 {
  %r = scf.execute_region -> i32 {
    cf.cond_br %a, ^bb1, ^bb2
  ^bb1:
    %c = arith.constant 3 : i32
    scf.yield %c : i32
  ^bb2:
    %d = arith.constant 4 : i32
    scf.yield %d : i32
  }
  return %r : i32
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %found = transform.structured.match ops{["scf.execute_region"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %found, "found" : !transform.any_op
  %functions = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %functions {
    transform.apply_patterns.canonicalization
  } : !transform.any_op
  transform.apply_cse to %functions : !transform.any_op
  transform.yield
}

// -----
// cf.br
func.func @f(%a: i1, %x: i32, %y: i32) -> i32 {
  cf.cond_br %a, ^bb1(%x : i32), ^bb2
^bb1(%p: i32):
  cf.br ^bb3(%p : i32)
^bb2:
  cf.br ^bb3(%y : i32)
^bb3(%q: i32):
  return %q : i32
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %found = transform.structured.match ops{["cf.cond_br"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %found, "found" : !transform.any_op
  %functions = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %functions {
    transform.apply_patterns.canonicalization
  } : !transform.any_op
  transform.apply_cse to %functions : !transform.any_op
  transform.yield
}

// -----
// cf.switch
func.func @f(%a: i32, %x: i32, %y: i32) -> i32 {
  cf.switch %a : i32, [ default: ^bb1(%x : i32), 42: ^bb1(%y : i32), 43: ^bb2 ]
^bb1(%p: i32):
  return %p : i32
^bb2:
  return %y : i32
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %found = transform.structured.match ops{["cf.switch"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %found, "found" : !transform.any_op
  %functions = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %functions {
    transform.apply_patterns.canonicalization
  } : !transform.any_op
  transform.apply_cse to %functions : !transform.any_op
  transform.yield
}

// -----
// gpu.launch
func.func @f(%m: memref<32xf32>) {
  %c = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c, %gy = %c, %gz = %c) threads(%tx, %ty, %tz) in (%sx = %c, %sy = %c, %sz = %c) {
    %v = memref.load %m[%tx] : memref<32xf32>
    memref.store %v, %m[%bx] : memref<32xf32>
    gpu.terminator
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %found = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %found, "found" : !transform.any_op
  %functions = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %functions {
    transform.apply_patterns.canonicalization
  } : !transform.any_op
  transform.apply_cse to %functions : !transform.any_op
  transform.yield
}

// -----
// index dialect
func.func @f(%a: index, %b: index) -> index {
  %c = index.constant 3
  %d = index.add %a, %b
  %e = index.mul %d, %c
  %g = index.sub %e, %a
  %h = index.divs %g, %c
  %i = index.ceildivs %h, %c
  %j = index.castu %i : index to i32
  %k = index.cmp slt(%a, %b)
  return %i : index
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %found = transform.structured.match ops{["index.constant"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %found, "found" : !transform.any_op
  %functions = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %functions {
    transform.apply_patterns.canonicalization
  } : !transform.any_op
  transform.apply_cse to %functions : !transform.any_op
  transform.yield
}

// -----
// complex
func.func @f(%a: complex<f32>, %t: tensor<2xcomplex<f32>>) -> complex<f32> {
  %c = complex.constant [1.0 : f32, 2.0 : f32] : complex<f32>
  %d = complex.add %a, %c : complex<f32>
  %k = arith.constant dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>
  "test.use"(%k) : (tensor<2xcomplex<f32>>) -> ()
  return %d : complex<f32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %found = transform.structured.match ops{["complex.constant"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %found, "found" : !transform.any_op
  %functions = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %functions {
    transform.apply_patterns.canonicalization
  } : !transform.any_op
  transform.apply_cse to %functions : !transform.any_op
  transform.yield
}

// -----
// unrealized cast
func.func @f(%a: i32) -> index {
  %c = builtin.unrealized_conversion_cast %a : i32 to index
  %d:2 = builtin.unrealized_conversion_cast %a, %c : i32, index to f32, f64
  "test.use"(%d#0, %d#1) : (f32, f64) -> ()
  return %c : index
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %found = transform.structured.match ops{["builtin.unrealized_conversion_cast"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %found, "found" : !transform.any_op
  %functions = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %functions {
    transform.apply_patterns.canonicalization
  } : !transform.any_op
  transform.apply_cse to %functions : !transform.any_op
  transform.yield
}

// -----
// affine.for
func.func @f(%m: memref<100xf32>, %n: index) {
  affine.for %i = 0 to 100 {
    %v = affine.load %m[%i] : memref<100xf32>
    affine.store %v, %m[%i + 1] : memref<100xf32>
  }
  affine.for %i = 0 to %n step 2 {
    %v = affine.load %m[%i + symbol(%n)] : memref<100xf32>
    affine.store %v, %m[%i * 2 + 3] : memref<100xf32>
  }
  affine.for %i = max affine_map<()[s0] -> (0, s0)>()[%n] to min affine_map<()[s0] -> (100, s0)>()[%n] {
    %v = affine.load %m[%i] : memref<100xf32>
    affine.store %v, %m[%i] : memref<100xf32>
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %found = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %found, "found" : !transform.any_op
  %functions = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %functions {
    transform.apply_patterns.canonicalization
  } : !transform.any_op
  transform.apply_cse to %functions : !transform.any_op
  transform.yield
}

// -----
// affine.for iter_args
func.func @f(%m: memref<100xf32>, %n: index) -> f32 {
  %z = arith.constant 0.0 : f32
  %r = affine.for %i = 0 to 100 iter_args(%s = %z) -> (f32) {
    %v = affine.load %m[%i] : memref<100xf32>
    %w = arith.addf %v, %s : f32
    affine.yield %w : f32
  }
  return %r : f32
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %found = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %found, "found" : !transform.any_op
  %functions = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %functions {
    transform.apply_patterns.canonicalization
  } : !transform.any_op
  transform.apply_cse to %functions : !transform.any_op
  transform.yield
}

// -----
// affine.if
func.func @f(%m: memref<100xf32>, %n: index) {
  affine.for %i = 0 to 100 {
    affine.if affine_set<(d0)[s0] : (d0 - s0 >= 0, -d0 + 50 >= 0)>(%i)[%n] {
      %v = affine.load %m[%i] : memref<100xf32>
      affine.store %v, %m[%i] : memref<100xf32>
    } else {
      %v = affine.load %m[%i] : memref<100xf32>
      affine.store %v, %m[%i + 2] : memref<100xf32>
    }
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %found = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %found, "found" : !transform.any_op
  %functions = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %functions {
    transform.apply_patterns.canonicalization
  } : !transform.any_op
  transform.apply_cse to %functions : !transform.any_op
  transform.yield
}

// -----
// affine.parallel
func.func @f(%m: memref<100x100xf32>) {
  affine.parallel (%i, %j) = (0, 0) to (100, 100) {
    %v = affine.load %m[%i, %j] : memref<100x100xf32>
    affine.store %v, %m[%j, %i] : memref<100x100xf32>
  }
  affine.parallel (%i, %j) = (0, 0) to (100, 100) step (4, 8) {
    %v = affine.vector_load %m[%i, %j] : memref<100x100xf32>, vector<4xf32>
    affine.vector_store %v, %m[%j, %i] : memref<100x100xf32>, vector<4xf32>
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %found = transform.structured.match ops{["affine.parallel"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %found, "found" : !transform.any_op
  %functions = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %functions {
    transform.apply_patterns.canonicalization
  } : !transform.any_op
  transform.apply_cse to %functions : !transform.any_op
  transform.yield
}

// -----
// func.constant, call_indirect
func.func private @g(i32) -> i32
func.func @f(%a: i32) -> i32 {
  %g = func.constant @g : (i32) -> i32
  %r = func.call_indirect %g(%a) : (i32) -> i32
  %s = call_indirect %g(%a) : (i32) -> i32
  return %r : i32
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %found = transform.structured.match ops{["func.constant"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %found, "found" : !transform.any_op
  %functions = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %functions {
    transform.apply_patterns.canonicalization
  } : !transform.any_op
  transform.apply_cse to %functions : !transform.any_op
  transform.yield
}

// -----
// generic region atomic
func.func @f(%m: memref<10xf32>, %i: index, %v: f32) -> f32 {
  %x = memref.generic_atomic_rmw %m[%i] : memref<10xf32> {
  ^bb0(%c: f32):
    %d = arith.addf %c, %v : f32
    memref.atomic_yield %d : f32
  }
  %y = memref.atomic_rmw addf %v, %m[%i] : (f32, memref<10xf32>) -> f32
  %z = memref.alloca_scope -> f32 {
    memref.alloca_scope.return %y : f32
  }
  return %z : f32
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %found = transform.structured.match ops{["memref.generic_atomic_rmw"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %found, "found" : !transform.any_op
  %functions = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %functions {
    transform.apply_patterns.canonicalization
  } : !transform.any_op
  transform.apply_cse to %functions : !transform.any_op
  transform.yield
}

// -----
// llvm ptr
func.func private @f(!llvm.ptr, !llvm.struct<(i32)>)
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %found = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %found, "found" : !transform.any_op
  %functions = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %functions {
    transform.apply_patterns.canonicalization
  } : !transform.any_op
  transform.apply_cse to %functions : !transform.any_op
  transform.yield
}

// -----
// gpu.module
gpu.module @k {
  gpu.func @g(%m: memref<32xf32>) kernel {
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %bd = gpu.block_dim y
    %gd = gpu.grid_dim y
    gpu.barrier
    %v = memref.load %m[%t] : memref<32xf32>
    gpu.return
  }
}
func.func @f() { return }
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %found = transform.structured.match ops{["gpu.module"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %found, "found" : !transform.any_op
  %functions = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %functions {
    transform.apply_patterns.canonicalization
  } : !transform.any_op
  transform.apply_cse to %functions : !transform.any_op
  transform.yield
}
