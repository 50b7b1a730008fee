// Sizes that no loop changes.
// -----
// empty
func.func @f(%lb: index, %ub: index, %step: index) -> index {
  %c0 = arith.constant 0 : index
  %s = scf.for %iv = %lb to %ub step %step iter_args(%a = %c0) -> index {
    %sz = affine.apply affine_map<(d0)[s0] -> (s0 - d0)>(%iv)[%ub]
    %e = tensor.empty(%sz) : tensor<?xf32>
    %d = tensor.dim %e, %c0 : tensor<?xf32>
    %e2 = tensor.empty(%sz, %ub) : tensor<5x?x?xf32>
    %d2 = tensor.dim %e2, %d : tensor<5x?x?xf32>
    %r = arith.addi %a, %d2 : index
    scf.yield %r : index
  }
  return %s : index
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["tensor.empty"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.tensor.make_loop_independent %0 {num_loops = 1} : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %1, "made" : !transform.any_op
  transform.yield
}
// -----
// pad
func.func @f(%lb: index, %ub: index, %step: index, %t: tensor<?xf32>, %f: f32) -> tensor<?xf32> {
  %r = scf.for %iv = %lb to %ub step %step iter_args(%a = %t) -> tensor<?xf32> {
    %high = affine.apply affine_map<(d0)[s0] -> (s0 - d0)>(%iv)[%ub]
    %p = tensor.pad %t low[5] high[%high] {
    ^bb0(%i: index):
      tensor.yield %f : f32
    } : tensor<?xf32> to tensor<?xf32>
    scf.yield %p : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["tensor.pad"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.tensor.make_loop_independent %0 {num_loops = 1} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// pad low
func.func @f(%lb: index, %ub: index, %step: index, %t: tensor<?xf32>, %f: f32) -> tensor<?xf32> {
  %r = scf.for %iv = %lb to %ub step %step iter_args(%a = %t) -> tensor<?xf32> {
    %high = affine.apply affine_map<(d0)[s0] -> (s0 - d0)>(%iv)[%ub]
    %p = tensor.pad %t low[%high] high[4] {
    ^bb0(%i: index):
      tensor.yield %f : f32
    } : tensor<?xf32> to tensor<?xf32>
    scf.yield %p : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["tensor.pad"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.tensor.make_loop_independent %0 {num_loops = 1} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// min of a tile
func.func @f(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %s = scf.for %iv = %c0 to %n step %c8 iter_args(%a = %c0) -> index {
    %sz = affine.min affine_map<(d0)[s0] -> (8, s0 - d0)>(%iv)[%n]
    %e = tensor.empty(%sz) : tensor<?xf32>
    %d = tensor.dim %e, %c0 : tensor<?xf32>
    %r = arith.addi %a, %d : index
    scf.yield %r : index
  }
  return %s : index
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["tensor.empty"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.tensor.make_loop_independent %0 {num_loops = 1} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// two loops
func.func @f(%n: index, %m: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0) -> index {
  %s1 = scf.for %j = %c0 to %m step %c1 iter_args(%b = %a) -> index {
    %sz = affine.apply affine_map<(d0, d1) -> (d0 + 2 * d1 + 1)>(%i, %j)
    %e = tensor.empty(%sz) : tensor<?xf32>
    %d = tensor.dim %e, %c0 : tensor<?xf32>
    %r = arith.addi %b, %d : index
    scf.yield %r : index
  }
  scf.yield %s1 : index
  }
  return %s : index
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["tensor.empty"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.tensor.make_loop_independent %0 {num_loops = 2} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// two loops, one
func.func @f(%n: index, %m: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0) -> index {
  %s1 = scf.for %j = %c0 to %m step %c1 iter_args(%b = %a) -> index {
    %sz = affine.apply affine_map<(d0, d1) -> (d0 + 2 * d1 + 1)>(%i, %j)
    %e = tensor.empty(%sz) : tensor<?xf32>
    %d = tensor.dim %e, %c0 : tensor<?xf32>
    %r = arith.addi %b, %d : index
    scf.yield %r : index
  }
  scf.yield %s1 : index
  }
  return %s : index
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["tensor.empty"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.tensor.make_loop_independent %0 {num_loops = 1} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// too many loops
func.func @f(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %e = tensor.empty(%n) : tensor<?xf32>
  %d = tensor.dim %e, %c0 : tensor<?xf32>
  return %d : index
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["tensor.empty"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.tensor.make_loop_independent %0 {num_loops = 1} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// unsupported target
func.func @f(%n: index, %t: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0) -> index {
    %d = tensor.dim %t, %i : tensor<?xf32>
    scf.yield %d : index
  }
  return %s : index
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["tensor.dim"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.tensor.make_loop_independent %0 {num_loops = 1} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// no bound
func.func @f(%n: index, %m: memref<?xindex>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0) -> index {
    %l = memref.load %m[%i] : memref<?xindex>
    %sz = arith.addi %l, %i : index
    %e = tensor.empty(%sz) : tensor<?xf32>
    %d = tensor.dim %e, %c0 : tensor<?xf32>
    scf.yield %d : index
  }
  return %s : index
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["tensor.empty"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.tensor.make_loop_independent %0 {num_loops = 1} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// iv squared
func.func @f(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0) -> index {
    %sz = arith.muli %i, %i : index
    %e = tensor.empty(%sz) : tensor<?xf32>
    %d = tensor.dim %e, %c0 : tensor<?xf32>
    scf.yield %d : index
  }
  return %s : index
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["tensor.empty"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.tensor.make_loop_independent %0 {num_loops = 1} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// iv itself, constants
func.func @f() -> index {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c20 = arith.constant 20 : index
  %s = scf.for %i = %c0 to %c20 step %c3 iter_args(%a = %c0) -> index {
    %e = tensor.empty(%i) : tensor<?xf32>
    %d = tensor.dim %e, %c0 : tensor<?xf32>
    scf.yield %d : index
  }
  return %s : index
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["tensor.empty"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.tensor.make_loop_independent %0 {num_loops = 1} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// floordiv
func.func @f(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %s = scf.for %i = %c0 to %n step %c3 iter_args(%a = %c0) -> index {
    %sz = affine.apply affine_map<(d0) -> (d0 floordiv 3)>(%i)
    %sy = affine.max affine_map<(d0) -> (d0 + 4, 8)>(%i)
    %e = tensor.empty(%sz, %sy) : tensor<?x?xf32>
    %d = tensor.dim %e, %c0 : tensor<?x?xf32>
    scf.yield %d : index
  }
  return %s : index
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["tensor.empty"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.tensor.make_loop_independent %0 {num_loops = 1} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// alloca
func.func @f(%lb: index, %ub: index, %step: index, %x: f32) {
  %c0 = arith.constant 0 : index
  scf.for %iv = %lb to %ub step %step {
    %sz = affine.apply affine_map<(d0)[s0] -> (s0 - d0)>(%iv)[%ub]
    %e = memref.alloca(%sz) : memref<?xf32>
    memref.store %x, %e[%c0] : memref<?xf32>
    %v = memref.subview %e[1] [%step] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: 1>>
    memref.store %x, %v[%c0] : memref<?xf32, strided<[1], offset: 1>>
    %t = memref.subview %v[1] [5] [1] : memref<?xf32, strided<[1], offset: 1>> to memref<5xf32, strided<[1], offset: 2>>
    linalg.fill ins(%x : f32) outs(%t : memref<5xf32, strided<[1], offset: 2>>)
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["memref.alloca"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.memref.make_loop_independent %0 {num_loops = 1} : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %1, "made" : !transform.any_op
  transform.yield
}
// -----
// an alloca that no loop changes
// only real MLIR refuses: it replaces the buffer by itself
func.func @f(%ub: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %iv = %c0 to %ub step %c1 {
    %e = memref.alloca(%ub) : memref<?xf32>
    memref.store %x, %e[%iv] : memref<?xf32>
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["memref.alloca"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.memref.make_loop_independent %0 {num_loops = 1} : (!transform.any_op) -> !transform.any_op
  %2 = transform.cast %1 : !transform.any_op to !transform.op<"memref.alloca">
  transform.yield
}
