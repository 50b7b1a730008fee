// Allocations in loops, forwarded stores, copies.
// -----
// a linalg.copy becomes a memref.copy
func.func @f(%a: memref<8x4xf32>, %b: memref<8x4xf32>) {
  linalg.copy ins(%a : memref<8x4xf32>) outs(%b : memref<8x4xf32>)
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.copy"]} in %root : (!transform.any_op) -> !transform.any_op
  %m = transform.structured.linalg_copy_to_memref %c : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %m, "made" : !transform.any_op
  transform.yield
}
// -----
// a linalg.copy with another element type
func.func @f(%a: memref<8x4xf16>, %b: memref<8x4xf32>) {
  linalg.copy ins(%a : memref<8x4xf16>) outs(%b : memref<8x4xf32>)
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.copy"]} in %root : (!transform.any_op) -> !transform.any_op
  %m = transform.structured.linalg_copy_to_memref %c : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// a linalg.copy of a scalar
func.func @f(%a: f32, %b: memref<8x4xf32>) {
  linalg.copy ins(%a : f32) outs(%b : memref<8x4xf32>)
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.copy"]} in %root : (!transform.any_op) -> !transform.any_op
  %m = transform.structured.linalg_copy_to_memref %c : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// a linalg.copy on tensors
func.func @f(%a: tensor<8x4xf32>, %b: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %r = linalg.copy ins(%a : tensor<8x4xf32>) outs(%b : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["linalg.copy"]} in %root : (!transform.any_op) -> !transform.any_op
  %m = transform.structured.linalg_copy_to_memref %c : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// linalg_copy_to_memref of another op
func.func @f(%a: memref<8x4xf32>, %b: memref<8x4xf32>) {
  memref.copy %a, %b : memref<8x4xf32> to memref<8x4xf32>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.structured.match ops{["memref.copy"]} in %root : (!transform.any_op) -> !transform.any_op
  %m = transform.structured.linalg_copy_to_memref %c : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// two allocas become globals
func.func @f(%v: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloca() : memref<2x32xf32>
  %b = memref.alloca() {alignment = 64 : i64} : memref<4xf32, #gpu.address_space<workgroup>>
  memref.store %v, %a[%c0, %c0] : memref<2x32xf32>
  memref.store %v, %b[%c0] : memref<4xf32, #gpu.address_space<workgroup>>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["memref.alloca"]} in %root : (!transform.any_op) -> !transform.op<"memref.alloca">
  %get, %global = transform.memref.alloca_to_global %a : (!transform.op<"memref.alloca">) -> (!transform.any_op, !transform.any_op)
  %g = transform.cast %get : !transform.any_op to !transform.op<"memref.get_global">
  %h = transform.cast %global : !transform.any_op to !transform.op<"memref.global">
  transform.debug.emit_remark_at %get, "got" : !transform.any_op
  transform.yield
}
// -----
// an alloca of a dynamic size cannot be a global
func.func @f(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %a = memref.alloca(%n) : memref<?xf32>
  %d = memref.dim %a, %c0 : memref<?xf32>
  return %d : index
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["memref.alloca"]} in %root : (!transform.any_op) -> !transform.op<"memref.alloca">
  %get, %global = transform.memref.alloca_to_global %a : (!transform.op<"memref.alloca">) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// buffers that are only written to are erased
func.func @f(%v: vector<4xf32>, %x: f32, %i: index) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8x8xf32>
  %s = memref.subview %a[0, 0] [4, 4] [1, 1] : memref<8x8xf32> to memref<4x4xf32, strided<[8, 1]>>
  vector.transfer_write %v, %s[%c0, %c0] {in_bounds = [true]} : vector<4xf32>, memref<4x4xf32, strided<[8, 1]>>
  memref.store %x, %a[%i, %c0] : memref<8x8xf32>
  memref.dealloc %a : memref<8x8xf32>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.memref.erase_dead_alloc_and_stores %f : (!transform.any_op) -> ()
  transform.yield
}
// -----
// a store is forwarded to the load and the buffer erased
func.func @f(%v: vector<4xf32>, %out: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %p = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<4xf32>
  vector.transfer_write %v, %a[%c0] {in_bounds = [true]} : vector<4xf32>, memref<4xf32>
  %r = vector.transfer_read %a[%c0], %p {in_bounds = [true]} : memref<4xf32>, vector<4xf32>
  vector.transfer_write %r, %out[%c0] {in_bounds = [true]} : vector<4xf32>, memref<4xf32>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.memref.erase_dead_alloc_and_stores %f : (!transform.any_op) -> ()
  transform.yield
}
// -----
// a dead store is erased
func.func @f(%v: vector<4xf32>, %w: vector<4xf32>, %out: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  vector.transfer_write %v, %out[%c0] {in_bounds = [true]} : vector<4xf32>, memref<4xf32>
  vector.transfer_write %w, %out[%c0] {in_bounds = [true]} : vector<4xf32>, memref<4xf32>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.memref.erase_dead_alloc_and_stores %f : (!transform.any_op) -> ()
  transform.yield
}
// -----
// a buffer that is read stays
func.func @f(%i: index, %x: f32) -> f32 {
  %a = memref.alloca() : memref<8xf32>
  memref.store %x, %a[%i] : memref<8xf32>
  %r = memref.load %a[%i] : memref<8xf32>
  return %r : f32
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.memref.erase_dead_alloc_and_stores %f : (!transform.any_op) -> ()
  transform.yield
}
// -----
// allocations are hoisted out of loops
func.func @f(%n: index, %m: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      %a = memref.alloc(%m) : memref<?xf32>
      %b = memref.alloc(%i) : memref<?xf32>
      %c = memref.alloca() : memref<4xf32>
      linalg.fill ins(%v : f32) outs(%a : memref<?xf32>)
      linalg.fill ins(%v : f32) outs(%b : memref<?xf32>)
      linalg.fill ins(%v : f32) outs(%c : memref<4xf32>)
    }
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.bufferization.buffer_loop_hoisting %f : !transform.any_op
  transform.yield
}
// -----
// multibuffer a copied tile
func.func @f(%in: memref<16xf32>, %out: memref<16xf32>) {
  %tmp = memref.alloc() : memref<4xf32>
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  scf.for %i = %c0 to %c16 step %c4 {
    %1 = memref.subview %in[%i] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: ?>>
    memref.copy %1, %tmp : memref<4xf32, strided<[1], offset: ?>> to memref<4xf32>
    %2 = memref.subview %out[%i] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: ?>>
    memref.copy %tmp, %2 : memref<4xf32> to memref<4xf32, strided<[1], offset: ?>>
  }
  memref.dealloc %tmp : memref<4xf32>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["memref.alloc"]} in %root : (!transform.any_op) -> !transform.op<"memref.alloc">
  %m = transform.memref.multibuffer %a {factor = 2 : i64} : (!transform.op<"memref.alloc">) -> !transform.any_op
  transform.debug.emit_remark_at %m, "made" : !transform.any_op
  transform.yield
}
// -----
// multibuffer with a subview and symbolic bounds
func.func @f(%in: memref<16xf32>, %lb: index, %ub: index, %st: index) {
  %tmp = memref.alloc() {alignment = 64 : i64} : memref<4x8xf32, 3>
  scf.for %i = %lb to %ub step %st {
    %c0 = arith.constant 0 : index
    %v = memref.load %in[%i] : memref<16xf32>
    %s = memref.subview %tmp[0, 0] [2, 8] [1, 1] : memref<4x8xf32, 3> to memref<2x8xf32, strided<[8, 1]>, 3>
    linalg.fill ins(%v : f32) outs(%s : memref<2x8xf32, strided<[8, 1]>, 3>)
    %s2 = memref.subview %s[0, %i] [1, 2] [1, 1] : memref<2x8xf32, strided<[8, 1]>, 3> to memref<2xf32, strided<[1], offset: ?>, 3>
    %w = memref.load %s2[%c0] : memref<2xf32, strided<[1], offset: ?>, 3>
    memref.store %w, %in[%i] : memref<16xf32>
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["memref.alloc"]} in %root : (!transform.any_op) -> !transform.op<"memref.alloc">
  %m = transform.memref.multibuffer %a {factor = 3 : i64, skip_analysis} : (!transform.op<"memref.alloc">) -> !transform.any_op
  transform.yield
}
// -----
// no multibuffer where a value is carried
func.func @f(%in: memref<16xf32>, %x: f32) {
  %tmp = memref.alloc() : memref<4xf32>
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  scf.for %i = %c0 to %c16 step %c4 {
    %v = memref.load %tmp[%c0] : memref<4xf32>
    memref.store %v, %in[%i] : memref<16xf32>
    memref.store %x, %tmp[%c0] : memref<4xf32>
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["memref.alloc"]} in %root : (!transform.any_op) -> !transform.op<"memref.alloc">
  %m = transform.memref.multibuffer %a {factor = 2 : i64} : (!transform.op<"memref.alloc">) -> !transform.any_op
  transform.yield
}
// -----
// multibuffer in a forall
func.func @f(%in: memref<16x4xf32>, %out: memref<16x4xf32>) {
  %tmp = memref.alloc() : memref<4xf32>
  scf.forall (%i) in (16) {
    %1 = memref.subview %in[%i, 0] [1, 4] [1, 1] : memref<16x4xf32> to memref<4xf32, strided<[1], offset: ?>>
    memref.copy %1, %tmp : memref<4xf32, strided<[1], offset: ?>> to memref<4xf32>
    %2 = memref.subview %out[%i, 0] [1, 4] [1, 1] : memref<16x4xf32> to memref<4xf32, strided<[1], offset: ?>>
    memref.copy %tmp, %2 : memref<4xf32> to memref<4xf32, strided<[1], offset: ?>>
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["memref.alloc"]} in %root : (!transform.any_op) -> !transform.op<"memref.alloc">
  %m = transform.memref.multibuffer %a {factor = 2 : i64} : (!transform.op<"memref.alloc">) -> !transform.any_op
  transform.yield
}
// -----
// out of a forall
func.func @f(%m: memref<8xf32>, %v: f32) {
  scf.forall (%i) in (8) {
    %a = memref.alloc() : memref<8xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<8xf32>)
    %x = memref.load %a[%i] : memref<8xf32>
    memref.store %x, %m[%i] : memref<8xf32>
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.bufferization.buffer_loop_hoisting %f : !transform.any_op
  transform.yield
}
// -----
// out of a parallel in a for
func.func @f(%m: memref<8xf32>, %v: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %j = %c0 to %n step %c1 {
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %a = memref.alloc() : memref<4xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
    %x = memref.load %a[%i] : memref<4xf32>
    memref.store %x, %m[%i] : memref<8xf32>
  }
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.bufferization.buffer_loop_hoisting %f : !transform.any_op
  transform.yield
}
// -----
// inside an if in a loop
func.func @f(%m: memref<8xf32>, %v: f32, %n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %j = %c0 to %n step %c1 {
  scf.if %c {
    %a = memref.alloc() : memref<4xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
    %x = memref.load %a[%j] : memref<4xf32>
    memref.store %x, %m[%j] : memref<8xf32>
  }
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.bufferization.buffer_loop_hoisting %f : !transform.any_op
  transform.yield
}
// -----
// a carried allocation stays
func.func @f(%m: memref<8xf32>, %v: f32, %n: index) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %j = %c0 to %n step %c1 iter_args(%x = %m) -> (memref<8xf32>) {
    %a = memref.alloc() : memref<8xf32>
    linalg.copy ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
    memref.store %v, %a[%j] : memref<8xf32>
    scf.yield %a : memref<8xf32>
  }
  return %r : memref<8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.bufferization.buffer_loop_hoisting %f : !transform.any_op
  transform.yield
}
