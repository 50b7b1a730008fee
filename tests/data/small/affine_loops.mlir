func.func private @none()

// -----
// unroll2 pay
func.func @f(%m: memref<100xf32>, %n: index, %v: vector<4xf32>) {
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 100 step 3 {
    %c = arith.addf %z, %z : f32
    %x = affine.load %m[%i] : memref<100xf32>
    %y = arith.addf %x, %c : f32
    affine.store %y, %m[%i] : memref<100xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.op<"affine.for">
    transform.loop.unroll %l {factor = 2} : !transform.op<"affine.for">
    transform.yield
  }

// -----
// unroll4 pay
func.func @f(%m: memref<100xf32>, %n: index, %v: vector<4xf32>) {
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 100 step 3 {
    %c = arith.addf %z, %z : f32
    %x = affine.load %m[%i] : memref<100xf32>
    %y = arith.addf %x, %c : f32
    affine.store %y, %m[%i] : memref<100xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll %l {factor = 4} : !transform.any_op
    transform.yield
  }

// -----
// unroll3 pay
func.func @f(%m: memref<100xf32>, %n: index, %v: vector<4xf32>) {
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 100 step 3 {
    %c = arith.addf %z, %z : f32
    %x = affine.load %m[%i] : memref<100xf32>
    %y = arith.addf %x, %c : f32
    affine.store %y, %m[%i] : memref<100xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll %l {factor = 3} : !transform.any_op
    transform.yield
  }

// -----
// unroll34 pay
func.func @f(%m: memref<100xf32>, %n: index, %v: vector<4xf32>) {
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 100 step 3 {
    %c = arith.addf %z, %z : f32
    %x = affine.load %m[%i] : memref<100xf32>
    %y = arith.addf %x, %c : f32
    affine.store %y, %m[%i] : memref<100xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll %l {factor = 34} : !transform.any_op
    transform.yield
  }

// -----
// peel pay
func.func @f(%m: memref<100xf32>, %n: index, %v: vector<4xf32>) {
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 100 step 3 {
    %c = arith.addf %z, %z : f32
    %x = affine.load %m[%i] : memref<100xf32>
    %y = arith.addf %x, %c : f32
    affine.store %y, %m[%i] : memref<100xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %x, %y = transform.loop.peel %l : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }

// -----
// promote pay
func.func @f(%m: memref<100xf32>, %n: index, %v: vector<4xf32>) {
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 100 step 3 {
    %c = arith.addf %z, %z : f32
    %x = affine.load %m[%i] : memref<100xf32>
    %y = arith.addf %x, %c : f32
    affine.store %y, %m[%i] : memref<100xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.promote_if_one_iteration %l : !transform.any_op
    transform.yield
  }

// -----
// outline pay
func.func @f(%m: memref<100xf32>, %n: index, %v: vector<4xf32>) {
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 100 step 3 {
    %c = arith.addf %z, %z : f32
    %x = affine.load %m[%i] : memref<100xf32>
    %y = arith.addf %x, %c : f32
    affine.store %y, %m[%i] : memref<100xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %x, %y = transform.loop.outline %l {func_name = "foo"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }

// -----
// jam pay
func.func @f(%m: memref<100xf32>, %n: index, %v: vector<4xf32>) {
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 100 step 3 {
    %c = arith.addf %z, %z : f32
    %x = affine.load %m[%i] : memref<100xf32>
    %y = arith.addf %x, %c : f32
    affine.store %y, %m[%i] : memref<100xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll_and_jam %l {factor = 2} : !transform.any_op
    transform.yield
  }

// -----
// licm pay
func.func @f(%m: memref<100xf32>, %n: index, %v: vector<4xf32>) {
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 100 step 3 {
    %c = arith.addf %z, %z : f32
    %x = affine.load %m[%i] : memref<100xf32>
    %y = arith.addf %x, %c : f32
    affine.store %y, %m[%i] : memref<100xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_licm to %l : !transform.any_op
    transform.yield
  }

// -----
// hoist pay
func.func @f(%m: memref<100xf32>, %n: index, %v: vector<4xf32>) {
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 100 step 3 {
    %c = arith.addf %z, %z : f32
    %x = affine.load %m[%i] : memref<100xf32>
    %y = arith.addf %x, %c : f32
    affine.store %y, %m[%i] : memref<100xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.hoist_loop_invariant_subsets %l : !transform.any_op
    transform.yield
  }

// -----
// coalesce pay
func.func @f(%m: memref<100xf32>, %n: index, %v: vector<4xf32>) {
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 100 step 3 {
    %c = arith.addf %z, %z : f32
    %x = affine.load %m[%i] : memref<100xf32>
    %y = arith.addf %x, %c : f32
    affine.store %y, %m[%i] : memref<100xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %x = transform.loop.coalesce %l : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// match loop pay
func.func @f(%m: memref<100xf32>, %n: index, %v: vector<4xf32>) {
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 100 step 3 {
    %c = arith.addf %z, %z : f32
    %x = affine.load %m[%i] : memref<100xf32>
    %y = arith.addf %x, %c : f32
    affine.store %y, %m[%i] : memref<100xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match interface{LoopLikeInterface} in %root : (!transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %l, "x" : !transform.any_op
    transform.yield
  }

// -----
// parent pay
func.func @f(%m: memref<100xf32>, %n: index, %v: vector<4xf32>) {
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 100 step 3 {
    %c = arith.addf %z, %z : f32
    %x = affine.load %m[%i] : memref<100xf32>
    %y = arith.addf %x, %c : f32
    affine.store %y, %m[%i] : memref<100xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %f = transform.structured.match ops{["affine.load"]} in %root : (!transform.any_op) -> !transform.any_op
    %g = transform.get_parent_op %f {op_name = "affine.for"} : (!transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %g, "x" : !transform.any_op
    transform.yield
  }

// -----
// unroll2 dyn
func.func @f(%m: memref<?xf32>, %n: index) -> f32 {
  %z = arith.constant 0.0 : f32
  %r = affine.for %i = 0 to %n iter_args(%s = %z) -> f32 {
    %x = affine.load %m[%i] : memref<?xf32>
    %y = arith.addf %x, %s : f32
    affine.yield %y : f32
  }
  return %r : f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.op<"affine.for">
    transform.loop.unroll %l {factor = 2} : !transform.op<"affine.for">
    transform.yield
  }

// -----
// unroll4 dyn
func.func @f(%m: memref<?xf32>, %n: index) -> f32 {
  %z = arith.constant 0.0 : f32
  %r = affine.for %i = 0 to %n iter_args(%s = %z) -> f32 {
    %x = affine.load %m[%i] : memref<?xf32>
    %y = arith.addf %x, %s : f32
    affine.yield %y : f32
  }
  return %r : f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll %l {factor = 4} : !transform.any_op
    transform.yield
  }

// -----
// unroll3 dyn
func.func @f(%m: memref<?xf32>, %n: index) -> f32 {
  %z = arith.constant 0.0 : f32
  %r = affine.for %i = 0 to %n iter_args(%s = %z) -> f32 {
    %x = affine.load %m[%i] : memref<?xf32>
    %y = arith.addf %x, %s : f32
    affine.yield %y : f32
  }
  return %r : f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll %l {factor = 3} : !transform.any_op
    transform.yield
  }

// -----
// unroll34 dyn
func.func @f(%m: memref<?xf32>, %n: index) -> f32 {
  %z = arith.constant 0.0 : f32
  %r = affine.for %i = 0 to %n iter_args(%s = %z) -> f32 {
    %x = affine.load %m[%i] : memref<?xf32>
    %y = arith.addf %x, %s : f32
    affine.yield %y : f32
  }
  return %r : f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll %l {factor = 34} : !transform.any_op
    transform.yield
  }

// -----
// peel dyn
func.func @f(%m: memref<?xf32>, %n: index) -> f32 {
  %z = arith.constant 0.0 : f32
  %r = affine.for %i = 0 to %n iter_args(%s = %z) -> f32 {
    %x = affine.load %m[%i] : memref<?xf32>
    %y = arith.addf %x, %s : f32
    affine.yield %y : f32
  }
  return %r : f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %x, %y = transform.loop.peel %l : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }

// -----
// promote dyn
func.func @f(%m: memref<?xf32>, %n: index) -> f32 {
  %z = arith.constant 0.0 : f32
  %r = affine.for %i = 0 to %n iter_args(%s = %z) -> f32 {
    %x = affine.load %m[%i] : memref<?xf32>
    %y = arith.addf %x, %s : f32
    affine.yield %y : f32
  }
  return %r : f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.promote_if_one_iteration %l : !transform.any_op
    transform.yield
  }

// -----
// outline dyn
func.func @f(%m: memref<?xf32>, %n: index) -> f32 {
  %z = arith.constant 0.0 : f32
  %r = affine.for %i = 0 to %n iter_args(%s = %z) -> f32 {
    %x = affine.load %m[%i] : memref<?xf32>
    %y = arith.addf %x, %s : f32
    affine.yield %y : f32
  }
  return %r : f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %x, %y = transform.loop.outline %l {func_name = "foo"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }

// -----
// licm dyn
func.func @f(%m: memref<?xf32>, %n: index) -> f32 {
  %z = arith.constant 0.0 : f32
  %r = affine.for %i = 0 to %n iter_args(%s = %z) -> f32 {
    %x = affine.load %m[%i] : memref<?xf32>
    %y = arith.addf %x, %s : f32
    affine.yield %y : f32
  }
  return %r : f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_licm to %l : !transform.any_op
    transform.yield
  }

// -----
// hoist dyn
func.func @f(%m: memref<?xf32>, %n: index) -> f32 {
  %z = arith.constant 0.0 : f32
  %r = affine.for %i = 0 to %n iter_args(%s = %z) -> f32 {
    %x = affine.load %m[%i] : memref<?xf32>
    %y = arith.addf %x, %s : f32
    affine.yield %y : f32
  }
  return %r : f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.hoist_loop_invariant_subsets %l : !transform.any_op
    transform.yield
  }

// -----
// coalesce dyn
func.func @f(%m: memref<?xf32>, %n: index) -> f32 {
  %z = arith.constant 0.0 : f32
  %r = affine.for %i = 0 to %n iter_args(%s = %z) -> f32 {
    %x = affine.load %m[%i] : memref<?xf32>
    %y = arith.addf %x, %s : f32
    affine.yield %y : f32
  }
  return %r : f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %x = transform.loop.coalesce %l : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// match loop dyn
func.func @f(%m: memref<?xf32>, %n: index) -> f32 {
  %z = arith.constant 0.0 : f32
  %r = affine.for %i = 0 to %n iter_args(%s = %z) -> f32 {
    %x = affine.load %m[%i] : memref<?xf32>
    %y = arith.addf %x, %s : f32
    affine.yield %y : f32
  }
  return %r : f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match interface{LoopLikeInterface} in %root : (!transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %l, "x" : !transform.any_op
    transform.yield
  }

// -----
// parent dyn
func.func @f(%m: memref<?xf32>, %n: index) -> f32 {
  %z = arith.constant 0.0 : f32
  %r = affine.for %i = 0 to %n iter_args(%s = %z) -> f32 {
    %x = affine.load %m[%i] : memref<?xf32>
    %y = arith.addf %x, %s : f32
    affine.yield %y : f32
  }
  return %r : f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %f = transform.structured.match ops{["affine.load"]} in %root : (!transform.any_op) -> !transform.any_op
    %g = transform.get_parent_op %f {op_name = "affine.for"} : (!transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %g, "x" : !transform.any_op
    transform.yield
  }

// -----
// unroll2 one
func.func @f(%m: memref<100xf32>, %n: index) {
  affine.for %i = 4 to 5 {
    %x = affine.load %m[%i] : memref<100xf32>
    affine.store %x, %m[%i + 1] : memref<100xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.op<"affine.for">
    transform.loop.unroll %l {factor = 2} : !transform.op<"affine.for">
    transform.yield
  }

// -----
// unroll4 one
func.func @f(%m: memref<100xf32>, %n: index) {
  affine.for %i = 4 to 5 {
    %x = affine.load %m[%i] : memref<100xf32>
    affine.store %x, %m[%i + 1] : memref<100xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll %l {factor = 4} : !transform.any_op
    transform.yield
  }

// -----
// unroll3 one
func.func @f(%m: memref<100xf32>, %n: index) {
  affine.for %i = 4 to 5 {
    %x = affine.load %m[%i] : memref<100xf32>
    affine.store %x, %m[%i + 1] : memref<100xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll %l {factor = 3} : !transform.any_op
    transform.yield
  }

// -----
// unroll34 one
func.func @f(%m: memref<100xf32>, %n: index) {
  affine.for %i = 4 to 5 {
    %x = affine.load %m[%i] : memref<100xf32>
    affine.store %x, %m[%i + 1] : memref<100xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll %l {factor = 34} : !transform.any_op
    transform.yield
  }

// -----
// peel one
func.func @f(%m: memref<100xf32>, %n: index) {
  affine.for %i = 4 to 5 {
    %x = affine.load %m[%i] : memref<100xf32>
    affine.store %x, %m[%i + 1] : memref<100xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %x, %y = transform.loop.peel %l : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }

// -----
// promote one
func.func @f(%m: memref<100xf32>, %n: index) {
  affine.for %i = 4 to 5 {
    %x = affine.load %m[%i] : memref<100xf32>
    affine.store %x, %m[%i + 1] : memref<100xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.promote_if_one_iteration %l : !transform.any_op
    transform.yield
  }

// -----
// outline one
func.func @f(%m: memref<100xf32>, %n: index) {
  affine.for %i = 4 to 5 {
    %x = affine.load %m[%i] : memref<100xf32>
    affine.store %x, %m[%i + 1] : memref<100xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %x, %y = transform.loop.outline %l {func_name = "foo"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }

// -----
// jam one
func.func @f(%m: memref<100xf32>, %n: index) {
  affine.for %i = 4 to 5 {
    %x = affine.load %m[%i] : memref<100xf32>
    affine.store %x, %m[%i + 1] : memref<100xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll_and_jam %l {factor = 2} : !transform.any_op
    transform.yield
  }

// -----
// licm one
func.func @f(%m: memref<100xf32>, %n: index) {
  affine.for %i = 4 to 5 {
    %x = affine.load %m[%i] : memref<100xf32>
    affine.store %x, %m[%i + 1] : memref<100xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_licm to %l : !transform.any_op
    transform.yield
  }

// -----
// hoist one
func.func @f(%m: memref<100xf32>, %n: index) {
  affine.for %i = 4 to 5 {
    %x = affine.load %m[%i] : memref<100xf32>
    affine.store %x, %m[%i + 1] : memref<100xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.hoist_loop_invariant_subsets %l : !transform.any_op
    transform.yield
  }

// -----
// coalesce one
func.func @f(%m: memref<100xf32>, %n: index) {
  affine.for %i = 4 to 5 {
    %x = affine.load %m[%i] : memref<100xf32>
    affine.store %x, %m[%i + 1] : memref<100xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %x = transform.loop.coalesce %l : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// match loop one
func.func @f(%m: memref<100xf32>, %n: index) {
  affine.for %i = 4 to 5 {
    %x = affine.load %m[%i] : memref<100xf32>
    affine.store %x, %m[%i + 1] : memref<100xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match interface{LoopLikeInterface} in %root : (!transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %l, "x" : !transform.any_op
    transform.yield
  }

// -----
// parent one
func.func @f(%m: memref<100xf32>, %n: index) {
  affine.for %i = 4 to 5 {
    %x = affine.load %m[%i] : memref<100xf32>
    affine.store %x, %m[%i + 1] : memref<100xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %f = transform.structured.match ops{["affine.load"]} in %root : (!transform.any_op) -> !transform.any_op
    %g = transform.get_parent_op %f {op_name = "affine.for"} : (!transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %g, "x" : !transform.any_op
    transform.yield
  }

// -----
// unroll2 iter
func.func @f(%m: memref<100xf32>, %n: index) -> f32 {
  %z = arith.constant 0.0 : f32
  %r = affine.for %i = 0 to 10 iter_args(%s = %z) -> f32 {
    %x = affine.load %m[%i] : memref<100xf32>
    %y = arith.addf %x, %s : f32
    affine.yield %y : f32
  }
  return %r : f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.op<"affine.for">
    transform.loop.unroll %l {factor = 2} : !transform.op<"affine.for">
    transform.yield
  }

// -----
// unroll4 iter
func.func @f(%m: memref<100xf32>, %n: index) -> f32 {
  %z = arith.constant 0.0 : f32
  %r = affine.for %i = 0 to 10 iter_args(%s = %z) -> f32 {
    %x = affine.load %m[%i] : memref<100xf32>
    %y = arith.addf %x, %s : f32
    affine.yield %y : f32
  }
  return %r : f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll %l {factor = 4} : !transform.any_op
    transform.yield
  }

// -----
// unroll3 iter
func.func @f(%m: memref<100xf32>, %n: index) -> f32 {
  %z = arith.constant 0.0 : f32
  %r = affine.for %i = 0 to 10 iter_args(%s = %z) -> f32 {
    %x = affine.load %m[%i] : memref<100xf32>
    %y = arith.addf %x, %s : f32
    affine.yield %y : f32
  }
  return %r : f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll %l {factor = 3} : !transform.any_op
    transform.yield
  }

// -----
// peel iter
func.func @f(%m: memref<100xf32>, %n: index) -> f32 {
  %z = arith.constant 0.0 : f32
  %r = affine.for %i = 0 to 10 iter_args(%s = %z) -> f32 {
    %x = affine.load %m[%i] : memref<100xf32>
    %y = arith.addf %x, %s : f32
    affine.yield %y : f32
  }
  return %r : f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %x, %y = transform.loop.peel %l : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }

// -----
// promote iter
func.func @f(%m: memref<100xf32>, %n: index) -> f32 {
  %z = arith.constant 0.0 : f32
  %r = affine.for %i = 0 to 10 iter_args(%s = %z) -> f32 {
    %x = affine.load %m[%i] : memref<100xf32>
    %y = arith.addf %x, %s : f32
    affine.yield %y : f32
  }
  return %r : f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.promote_if_one_iteration %l : !transform.any_op
    transform.yield
  }

// -----
// outline iter
func.func @f(%m: memref<100xf32>, %n: index) -> f32 {
  %z = arith.constant 0.0 : f32
  %r = affine.for %i = 0 to 10 iter_args(%s = %z) -> f32 {
    %x = affine.load %m[%i] : memref<100xf32>
    %y = arith.addf %x, %s : f32
    affine.yield %y : f32
  }
  return %r : f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %x, %y = transform.loop.outline %l {func_name = "foo"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }

// -----
// licm iter
func.func @f(%m: memref<100xf32>, %n: index) -> f32 {
  %z = arith.constant 0.0 : f32
  %r = affine.for %i = 0 to 10 iter_args(%s = %z) -> f32 {
    %x = affine.load %m[%i] : memref<100xf32>
    %y = arith.addf %x, %s : f32
    affine.yield %y : f32
  }
  return %r : f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_licm to %l : !transform.any_op
    transform.yield
  }

// -----
// hoist iter
func.func @f(%m: memref<100xf32>, %n: index) -> f32 {
  %z = arith.constant 0.0 : f32
  %r = affine.for %i = 0 to 10 iter_args(%s = %z) -> f32 {
    %x = affine.load %m[%i] : memref<100xf32>
    %y = arith.addf %x, %s : f32
    affine.yield %y : f32
  }
  return %r : f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.hoist_loop_invariant_subsets %l : !transform.any_op
    transform.yield
  }

// -----
// coalesce iter
func.func @f(%m: memref<100xf32>, %n: index) -> f32 {
  %z = arith.constant 0.0 : f32
  %r = affine.for %i = 0 to 10 iter_args(%s = %z) -> f32 {
    %x = affine.load %m[%i] : memref<100xf32>
    %y = arith.addf %x, %s : f32
    affine.yield %y : f32
  }
  return %r : f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %x = transform.loop.coalesce %l : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// match loop iter
func.func @f(%m: memref<100xf32>, %n: index) -> f32 {
  %z = arith.constant 0.0 : f32
  %r = affine.for %i = 0 to 10 iter_args(%s = %z) -> f32 {
    %x = affine.load %m[%i] : memref<100xf32>
    %y = arith.addf %x, %s : f32
    affine.yield %y : f32
  }
  return %r : f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match interface{LoopLikeInterface} in %root : (!transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %l, "x" : !transform.any_op
    transform.yield
  }

// -----
// parent iter
func.func @f(%m: memref<100xf32>, %n: index) -> f32 {
  %z = arith.constant 0.0 : f32
  %r = affine.for %i = 0 to 10 iter_args(%s = %z) -> f32 {
    %x = affine.load %m[%i] : memref<100xf32>
    %y = arith.addf %x, %s : f32
    affine.yield %y : f32
  }
  return %r : f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %f = transform.structured.match ops{["affine.load"]} in %root : (!transform.any_op) -> !transform.any_op
    %g = transform.get_parent_op %f {op_name = "affine.for"} : (!transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %g, "x" : !transform.any_op
    transform.yield
  }

// -----
// unroll2 minmax
func.func @f(%m: memref<100xf32>, %n: index) {
  affine.for %i = max affine_map<()[s0] -> (0, s0)>()[%n] to min affine_map<()[s0] -> (s0 + 10, 50)>()[%n] step 2 {
    %x = affine.load %m[%i] : memref<100xf32>
    affine.store %x, %m[%i + 1] : memref<100xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.op<"affine.for">
    transform.loop.unroll %l {factor = 2} : !transform.op<"affine.for">
    transform.yield
  }

// -----
// unroll4 minmax
func.func @f(%m: memref<100xf32>, %n: index) {
  affine.for %i = max affine_map<()[s0] -> (0, s0)>()[%n] to min affine_map<()[s0] -> (s0 + 10, 50)>()[%n] step 2 {
    %x = affine.load %m[%i] : memref<100xf32>
    affine.store %x, %m[%i + 1] : memref<100xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll %l {factor = 4} : !transform.any_op
    transform.yield
  }

// -----
// unroll3 minmax
func.func @f(%m: memref<100xf32>, %n: index) {
  affine.for %i = max affine_map<()[s0] -> (0, s0)>()[%n] to min affine_map<()[s0] -> (s0 + 10, 50)>()[%n] step 2 {
    %x = affine.load %m[%i] : memref<100xf32>
    affine.store %x, %m[%i + 1] : memref<100xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll %l {factor = 3} : !transform.any_op
    transform.yield
  }

// -----
// unroll34 minmax
func.func @f(%m: memref<100xf32>, %n: index) {
  affine.for %i = max affine_map<()[s0] -> (0, s0)>()[%n] to min affine_map<()[s0] -> (s0 + 10, 50)>()[%n] step 2 {
    %x = affine.load %m[%i] : memref<100xf32>
    affine.store %x, %m[%i + 1] : memref<100xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll %l {factor = 34} : !transform.any_op
    transform.yield
  }

// -----
// peel minmax
func.func @f(%m: memref<100xf32>, %n: index) {
  affine.for %i = max affine_map<()[s0] -> (0, s0)>()[%n] to min affine_map<()[s0] -> (s0 + 10, 50)>()[%n] step 2 {
    %x = affine.load %m[%i] : memref<100xf32>
    affine.store %x, %m[%i + 1] : memref<100xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %x, %y = transform.loop.peel %l : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }

// -----
// promote minmax
func.func @f(%m: memref<100xf32>, %n: index) {
  affine.for %i = max affine_map<()[s0] -> (0, s0)>()[%n] to min affine_map<()[s0] -> (s0 + 10, 50)>()[%n] step 2 {
    %x = affine.load %m[%i] : memref<100xf32>
    affine.store %x, %m[%i + 1] : memref<100xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.promote_if_one_iteration %l : !transform.any_op
    transform.yield
  }

// -----
// outline minmax
func.func @f(%m: memref<100xf32>, %n: index) {
  affine.for %i = max affine_map<()[s0] -> (0, s0)>()[%n] to min affine_map<()[s0] -> (s0 + 10, 50)>()[%n] step 2 {
    %x = affine.load %m[%i] : memref<100xf32>
    affine.store %x, %m[%i + 1] : memref<100xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %x, %y = transform.loop.outline %l {func_name = "foo"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }

// -----
// jam minmax
func.func @f(%m: memref<100xf32>, %n: index) {
  affine.for %i = max affine_map<()[s0] -> (0, s0)>()[%n] to min affine_map<()[s0] -> (s0 + 10, 50)>()[%n] step 2 {
    %x = affine.load %m[%i] : memref<100xf32>
    affine.store %x, %m[%i + 1] : memref<100xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll_and_jam %l {factor = 2} : !transform.any_op
    transform.yield
  }

// -----
// licm minmax
func.func @f(%m: memref<100xf32>, %n: index) {
  affine.for %i = max affine_map<()[s0] -> (0, s0)>()[%n] to min affine_map<()[s0] -> (s0 + 10, 50)>()[%n] step 2 {
    %x = affine.load %m[%i] : memref<100xf32>
    affine.store %x, %m[%i + 1] : memref<100xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_licm to %l : !transform.any_op
    transform.yield
  }

// -----
// hoist minmax
func.func @f(%m: memref<100xf32>, %n: index) {
  affine.for %i = max affine_map<()[s0] -> (0, s0)>()[%n] to min affine_map<()[s0] -> (s0 + 10, 50)>()[%n] step 2 {
    %x = affine.load %m[%i] : memref<100xf32>
    affine.store %x, %m[%i + 1] : memref<100xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.hoist_loop_invariant_subsets %l : !transform.any_op
    transform.yield
  }

// -----
// coalesce minmax
func.func @f(%m: memref<100xf32>, %n: index) {
  affine.for %i = max affine_map<()[s0] -> (0, s0)>()[%n] to min affine_map<()[s0] -> (s0 + 10, 50)>()[%n] step 2 {
    %x = affine.load %m[%i] : memref<100xf32>
    affine.store %x, %m[%i + 1] : memref<100xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %x = transform.loop.coalesce %l : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// match loop minmax
func.func @f(%m: memref<100xf32>, %n: index) {
  affine.for %i = max affine_map<()[s0] -> (0, s0)>()[%n] to min affine_map<()[s0] -> (s0 + 10, 50)>()[%n] step 2 {
    %x = affine.load %m[%i] : memref<100xf32>
    affine.store %x, %m[%i + 1] : memref<100xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match interface{LoopLikeInterface} in %root : (!transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %l, "x" : !transform.any_op
    transform.yield
  }

// -----
// parent minmax
func.func @f(%m: memref<100xf32>, %n: index) {
  affine.for %i = max affine_map<()[s0] -> (0, s0)>()[%n] to min affine_map<()[s0] -> (s0 + 10, 50)>()[%n] step 2 {
    %x = affine.load %m[%i] : memref<100xf32>
    affine.store %x, %m[%i + 1] : memref<100xf32>
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %f = transform.structured.match ops{["affine.load"]} in %root : (!transform.any_op) -> !transform.any_op
    %g = transform.get_parent_op %f {op_name = "affine.for"} : (!transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %g, "x" : !transform.any_op
    transform.yield
  }

// -----
// nest jam in
func.func @f(%m: memref<100x100xf32>, %n: index) {
  affine.for %i = 0 to 100 {
   affine.for %j = 0 to 50 {
    %x = affine.load %m[%i, %j] : memref<100x100xf32>
    %y = arith.addf %x, %x : f32
    affine.store %y, %m[%i, %j] : memref<100x100xf32>
   }
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.split_handle %l : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.loop.unroll_and_jam %a {factor = 2} : !transform.any_op
    transform.yield
  }

// -----
// nest jam out
func.func @f(%m: memref<100x100xf32>, %n: index) {
  affine.for %i = 0 to 100 {
   affine.for %j = 0 to 50 {
    %x = affine.load %m[%i, %j] : memref<100x100xf32>
    %y = arith.addf %x, %x : f32
    affine.store %y, %m[%i, %j] : memref<100x100xf32>
   }
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.split_handle %l : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.loop.unroll_and_jam %b {factor = 4} : !transform.any_op
    transform.yield
  }

// -----
// nest coalesce in
func.func @f(%m: memref<100x100xf32>, %n: index) {
  affine.for %i = 0 to 100 {
   affine.for %j = 0 to 50 {
    %x = affine.load %m[%i, %j] : memref<100x100xf32>
    %y = arith.addf %x, %x : f32
    affine.store %y, %m[%i, %j] : memref<100x100xf32>
   }
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.split_handle %l : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.loop.coalesce %a : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// nest coalesce out
func.func @f(%m: memref<100x100xf32>, %n: index) {
  affine.for %i = 0 to 100 {
   affine.for %j = 0 to 50 {
    %x = affine.load %m[%i, %j] : memref<100x100xf32>
    %y = arith.addf %x, %x : f32
    affine.store %y, %m[%i, %j] : memref<100x100xf32>
   }
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.split_handle %l : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.loop.coalesce %b : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// nest unroll out
func.func @f(%m: memref<100x100xf32>, %n: index) {
  affine.for %i = 0 to 100 {
   affine.for %j = 0 to 50 {
    %x = affine.load %m[%i, %j] : memref<100x100xf32>
    %y = arith.addf %x, %x : f32
    affine.store %y, %m[%i, %j] : memref<100x100xf32>
   }
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.split_handle %l : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.loop.unroll %b {factor = 2} : !transform.any_op
    transform.yield
  }

// -----
// nest unroll in full
func.func @f(%m: memref<100x100xf32>, %n: index) {
  affine.for %i = 0 to 100 {
   affine.for %j = 0 to 50 {
    %x = affine.load %m[%i, %j] : memref<100x100xf32>
    %y = arith.addf %x, %x : f32
    affine.store %y, %m[%i, %j] : memref<100x100xf32>
   }
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.split_handle %l : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.loop.unroll %a {factor = 50} : !transform.any_op
    transform.yield
  }

// -----
// nest unroll both
func.func @f(%m: memref<100x100xf32>, %n: index) {
  affine.for %i = 0 to 100 {
   affine.for %j = 0 to 50 {
    %x = affine.load %m[%i, %j] : memref<100x100xf32>
    %y = arith.addf %x, %x : f32
    affine.store %y, %m[%i, %j] : memref<100x100xf32>
   }
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll %l {factor = 5} : !transform.any_op
    transform.yield
  }

// -----
// nest unroll in
func.func @f(%m: memref<100x100xf32>, %n: index) {
  affine.for %i = 0 to 100 {
   affine.for %j = 0 to 50 {
    %x = affine.load %m[%i, %j] : memref<100x100xf32>
    %y = arith.addf %x, %x : f32
    affine.store %y, %m[%i, %j] : memref<100x100xf32>
   }
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %l = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.split_handle %l : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.loop.unroll %a {factor = 8} : !transform.any_op
    transform.yield
  }
