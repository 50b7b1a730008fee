// Payloads on buffers, which a schedule leaves as they are.
// -----
// views
func.func @f(%a: memref<1024xi8>, %n: index, %b: memref<4x8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %v = memref.view %a[%c0][] : memref<1024xi8> to memref<4x8xf32>
  %w = memref.view %a[%c0][%n] : memref<1024xi8> to memref<?x8xf32>
  %e = memref.expand_shape %b [[0, 1], [2]] output_shape [2, 2, 8] : memref<4x8xf32> into memref<2x2x8xf32>
  %c = memref.collapse_shape %e [[0, 1, 2]] : memref<2x2x8xf32> into memref<32xf32>
  %r = memref.reinterpret_cast %c to offset: [%n], sizes: [4, %n], strides: [8, 1] : memref<32xf32> to memref<4x?xf32, strided<[8, 1], offset: ?>>
  %s = memref.subview %b[1, %n] [2, 1] [1, 2] : memref<4x8xf32> to memref<2xf32, strided<[8], offset: ?>>
  %t = memref.transpose %b (i, j) -> (j, i) : memref<4x8xf32> to memref<8x4xf32, strided<[1, 8]>>
  %u = memref.cast %b : memref<4x8xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  %al = memref.assume_alignment %b, 16 : memref<4x8xf32>
  memref.prefetch %b[%c0, %c0], read, locality<3>, data : memref<4x8xf32>
  %x = memref.load %r[%c0, %c0] : memref<4x?xf32, strided<[8, 1], offset: ?>>
  memref.store %x, %v[%c0, %c0] : memref<4x8xf32>
  memref.copy %b, %v : memref<4x8xf32> to memref<4x8xf32>
  return %x : f32
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  transform.yield
}
// -----
// spaces
func.func @f(%b: memref<4x8xf32, #gpu.address_space<workgroup>>, %n: index) {
  %a = memref.alloc() : memref<4x8xf32, #gpu.address_space<workgroup>>
  %p = memref.alloca() {alignment = 16 : i64} : memref<4x8xf32, #gpu.address_space<private>>
  %g = memref.alloc(%n) : memref<?xf32, 1 : i32>
  %h = memref.alloc(%n) : memref<?xf32, "local">
  %i = memref.memory_space_cast %a : memref<4x8xf32, #gpu.address_space<workgroup>> to memref<4x8xf32>
  memref.copy %b, %a : memref<4x8xf32, #gpu.address_space<workgroup>> to memref<4x8xf32, #gpu.address_space<workgroup>>
  gpu.barrier
  memref.dealloc %a : memref<4x8xf32, #gpu.address_space<workgroup>>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  transform.yield
}
// -----
// reshape
func.func @f(%a: memref<4x8xf32>, %s: memref<1xindex>, %u: memref<*xf32>, %m: memref<2xi32>) -> memref<?xf32> {
  %r = memref.reshape %a(%s) : (memref<4x8xf32>, memref<1xindex>) -> memref<?xf32>
  %q = memref.reshape %u(%m) : (memref<*xf32>, memref<2xi32>) -> memref<?x?xf32>
  return %r : memref<?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  transform.yield
}
// -----
// layout maps
func.func @f(%a: memref<4x8xf32, affine_map<(d0, d1) -> (d1, d0)>>, %b: memref<4x8xf32, affine_map<(d0, d1)[s0] -> (d0 * s0 + d1)>>, %c: memref<?x?xf32, strided<[8, 1], offset: 4>>) {
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  transform.yield
}
// -----
// an atomic access
func.func @f(%a: memref<8xf32>, %i: index, %x: f32) -> f32 {
  %r = memref.atomic_rmw addf %x, %a[%i] : (f32, memref<8xf32>) -> f32
  return %r : f32
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  transform.yield
}
// -----
// globals
memref.global "private" constant @g : memref<2x2xf32> = dense<[[0.0, 1.0], [2.0, 3.0]]> {alignment = 64 : i64}
memref.global "private" @h : memref<4xf32, 3>
memref.global @u : memref<4xi32> = uninitialized
func.func @f() -> memref<2x2xf32> {
  %g = memref.get_global @g : memref<2x2xf32>
  %h = memref.get_global @h : memref<4xf32, 3>
  return %g : memref<2x2xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  transform.yield
}
// -----
// flatten: mul
func.func @f(%a: memref<32x7xf32>, %b: memref<32x7xf32>, %c: memref<32x7xf32>) {
  linalg.mul ins(%a, %b : memref<32x7xf32>, memref<32x7xf32>) outs(%c : memref<32x7xf32>)
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.mul"]} in %root : (!transform.any_op) -> !transform.any_op
    %l = transform.structured.flatten_elementwise %m : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
// -----
// flatten: fill
func.func @f(%a: f32, %c: memref<32x7xf32>) {
  linalg.fill ins(%a : f32) outs(%c : memref<32x7xf32>)
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %l = transform.structured.flatten_elementwise %m : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
// -----
// flatten: map
func.func @f(%a: memref<32x7xf32>, %b: memref<32x7xf32>, %c: memref<32x7xf32>) {
  linalg.map {arith.addf} ins(%a, %b : memref<32x7xf32>, memref<32x7xf32>) outs(%c : memref<32x7xf32>)
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.map"]} in %root : (!transform.any_op) -> !transform.any_op
    %l = transform.structured.flatten_elementwise %m : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
// -----
// flatten: generic and dynamic strided
func.func @f(%a: memref<32x?xf32>, %c: memref<32x?xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a : memref<32x?xf32>) outs(%c : memref<32x?xf32>) {
  ^bb0(%x: f32, %z: f32):
    %v = arith.addf %x, %z : f32
    linalg.yield %v : f32
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %l = transform.structured.flatten_elementwise %m : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
// -----
// flatten: strided layout that is contiguous
func.func @f(%a: memref<32x7xf32, strided<[7, 1], offset: ?>>, %c: memref<32x7xf32>) {
  linalg.exp ins(%a : memref<32x7xf32, strided<[7, 1], offset: ?>>) outs(%c : memref<32x7xf32>)
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %l = transform.structured.flatten_elementwise %m : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
// -----
// flatten: not contiguous
func.func @f(%a: memref<32x7xf32>, %s: memref<32x7xf32, strided<[8, 1]>>) {
  linalg.exp ins(%a : memref<32x7xf32>) outs(%s : memref<32x7xf32, strided<[8, 1]>>)
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %l = transform.structured.flatten_elementwise %m : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
// -----
// flatten: one dimension
func.func @f(%a: memref<32xf32>, %s: memref<32xf32>) {
  linalg.exp ins(%a : memref<32xf32>) outs(%s : memref<32xf32>)
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %l = transform.structured.flatten_elementwise %m : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
// -----
// flatten: a reduction
func.func @f(%a: memref<32x7xf32>, %b: memref<7x3xf32>, %c: memref<32x3xf32>) {
  linalg.matmul ins(%a, %b : memref<32x7xf32>, memref<7x3xf32>) outs(%c : memref<32x3xf32>)
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %l = transform.structured.flatten_elementwise %m : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
