// alloc: static, dynamic, aligned
func.func @f(%n: index) -> memref<?x8xf32> {
  %0 = memref.alloc() : memref<4x8xf32>
  %1 = memref.alloc(%n) : memref<?x8xf32>
  %2 = memref.alloc(%n, %n) {alignment = 64 : i64} : memref<?x?xf16>
  %3 = memref.alloc() : memref<f32>
  %4 = memref.alloc() : memref<2x3xindex>
  return %1 : memref<?x8xf32>
}

// -----
// alloc: layouts with symbols, a strided layout, memory spaces
func.func @f(%n: index, %s: index) {
  %0 = memref.alloc(%n)[%s] : memref<?xf32, affine_map<(d0)[s0] -> (d0 + s0)>>
  %1 = memref.alloc() : memref<4x8xf32, strided<[1, 4]>>
  %2 = memref.alloc() : memref<4xf32, 3>
  %3 = memref.alloc() : memref<4xf32, #gpu.address_space<workgroup>>
  %4 = memref.alloc() : memref<4xf32, strided<[2], offset: 1>, "shared">
  return
}

// -----
// alloca: as alloc
func.func @f(%n: index, %s: index) {
  %0 = memref.alloca() : memref<4xf32>
  %1 = memref.alloca(%n)[%s] {alignment = 8 : i64} : memref<?xf32, affine_map<(d0)[s0] -> (d0 * s0)>, 3>
  return
}

// -----
// dealloc: with and without a rank
func.func @f(%a: memref<4xf32>, %u: memref<*xf32>) {
  memref.dealloc %a : memref<4xf32>
  memref.dealloc %u : memref<*xf32>
  return
}

// -----
// load, store: attributes, rank 0, a strided buffer
func.func @f(%m: memref<?x?xf32>, %z: memref<f32>, %s: memref<4xf32, strided<[?], offset: ?>>, %i: index, %v: f32) -> f32 {
  %0 = memref.load %m[%i, %i] : memref<?x?xf32>
  %1 = memref.load %m[%i, %i] {alignment = 16 : i64, nontemporal = true} : memref<?x?xf32>
  %2 = memref.load %z[] : memref<f32>
  %3 = memref.load %s[%i] : memref<4xf32, strided<[?], offset: ?>>
  memref.store %v, %m[%i, %i] : memref<?x?xf32>
  memref.store %v, %m[%i, %i] {alignment = 16 : i64, nontemporal = true} : memref<?x?xf32>
  memref.store %v, %z[] : memref<f32>
  return %0 : f32
}

// -----
// load: an element that is a vector
func.func @f(%m: memref<?xvector<4xf32>>, %i: index) -> vector<4xf32> {
  %0 = memref.load %m[%i] : memref<?xvector<4xf32>>
  return %0 : vector<4xf32>
}

// -----
// copy: between layouts, between sizes, attributes
func.func @f(%a: memref<4x8xf32>, %b: memref<4x8xf32, strided<[16, 2], offset: 3>>, %c: memref<?x8xf32>, %u: memref<*xf32>) {
  memref.copy %a, %b : memref<4x8xf32> to memref<4x8xf32, strided<[16, 2], offset: 3>>
  memref.copy %a, %c {some.note} : memref<4x8xf32> to memref<?x8xf32>
  memref.copy %u, %u : memref<*xf32> to memref<*xf32>
  return
}

// -----
// cast: sizes, ranks, layouts
func.func @f(%a: memref<4x8xf32>, %m: memref<?x?xf32>, %u: memref<*xf32>) -> memref<?x?xf32, strided<[?, ?], offset: ?>> {
  %0 = memref.cast %m : memref<?x?xf32> to memref<4x?xf32>
  %1 = memref.cast %m : memref<?x?xf32> to memref<*xf32>
  %2 = memref.cast %u : memref<*xf32> to memref<?xf32>
  %3 = memref.cast %a : memref<4x8xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  %4 = memref.cast %3 : memref<?x?xf32, strided<[?, ?], offset: ?>> to memref<4x8xf32, strided<[16, 2], offset: 3>>
  return %3 : memref<?x?xf32, strided<[?, ?], offset: ?>>
}

// -----
// dim, rank: with and without a rank
func.func @f(%m: memref<?x4xf32>, %u: memref<*xf32>, %i: index) -> index {
  %0 = memref.dim %m, %i : memref<?x4xf32>
  %1 = memref.dim %u, %i : memref<*xf32>
  %2 = memref.rank %m : memref<?x4xf32>
  %3 = memref.rank %u : memref<*xf32>
  return %3 : index
}

// -----
// subview: static, strided
func.func @f(%m: memref<4x8xf32>) -> memref<2x3xf32, strided<[8, 2], offset: 10>> {
  %0 = memref.subview %m[1, 2] [2, 3] [1, 2] : memref<4x8xf32> to memref<2x3xf32, strided<[8, 2], offset: 10>>
  return %0 : memref<2x3xf32, strided<[8, 2], offset: 10>>
}

// -----
// subview: offsets, sizes and strides by values
func.func @f(%m: memref<?x?xf32>, %i: index, %n: index, %s: index) -> memref<?x4xf32, strided<[?, ?], offset: ?>> {
  %0 = memref.subview %m[%i, 0] [%n, 4] [1, %s] : memref<?x?xf32> to memref<?x4xf32, strided<[?, ?], offset: ?>>
  return %0 : memref<?x4xf32, strided<[?, ?], offset: ?>>
}

// -----
// subview: unit dimensions dropped
func.func @f(%m: memref<4x1x8xf32>, %i: index) -> memref<8xf32, strided<[1], offset: ?>> {
  %0 = memref.subview %m[%i, 0, 0] [1, 1, 8] [1, 1, 1] : memref<4x1x8xf32> to memref<8xf32, strided<[1], offset: ?>>
  %1 = memref.subview %m[%i, 0, 0] [1, 1, 8] [1, 1, 1] : memref<4x1x8xf32> to memref<1x8xf32, strided<[8, 1], offset: ?>>
  %2 = memref.subview %m[0, 0, 0] [4, 1, 1] [1, 1, 1] : memref<4x1x8xf32> to memref<4xf32, strided<[8]>>
  %3 = memref.subview %m[0, 0, 0] [1, 1, 1] [1, 1, 1] : memref<4x1x8xf32> to memref<f32, strided<[]>>
  return %0 : memref<8xf32, strided<[1], offset: ?>>
}

// -----
// subview: of a subview, in a memory space, whole, empty
func.func @f(%m: memref<8x8xf32, strided<[16, 2], offset: 3>, 1>, %x: memref<4x8xf32>) -> memref<2x2xf32, strided<[32, 4], offset: 21>, 1> {
  %0 = memref.subview %m[1, 1] [2, 2] [2, 2] : memref<8x8xf32, strided<[16, 2], offset: 3>, 1> to memref<2x2xf32, strided<[32, 4], offset: 21>, 1>
  %1 = memref.subview %x[0, 0] [4, 8] [1, 1] : memref<4x8xf32> to memref<4x8xf32>
  %2 = memref.subview %x[0, 0] [4, 8] [1, 1] : memref<4x8xf32> to memref<4x8xf32, strided<[8, 1]>>
  %3 = memref.subview %x[0, 0] [0, 8] [1, 1] : memref<4x8xf32> to memref<0x8xf32, strided<[8, 1]>>
  return %0 : memref<2x2xf32, strided<[32, 4], offset: 21>, 1>
}

// -----
// subview: of a layout written as a map
func.func @f(%m: memref<?x8xf32, affine_map<(d0, d1)[s0] -> (d0 * s0 + d1 * 2 + 5)>>) -> memref<2x8xf32, strided<[?, 2], offset: 5>> {
  %0 = memref.subview %m[0, 0] [2, 8] [1, 1] : memref<?x8xf32, affine_map<(d0, d1)[s0] -> (d0 * s0 + d1 * 2 + 5)>> to memref<2x8xf32, strided<[?, 2], offset: 5>>
  return %0 : memref<2x8xf32, strided<[?, 2], offset: 5>>
}

// -----
// expand_shape: static, dynamic, strided, from rank 0
func.func @f(%a: memref<4x8xf32>, %m: memref<?x?xf32>, %s: memref<4x8xf32, strided<[16, 2], offset: 3>>, %z: memref<f32>, %n: index, %k: index) -> memref<2x2x8xf32> {
  %0 = memref.expand_shape %a [[0, 1], [2]] output_shape [2, 2, 8] : memref<4x8xf32> into memref<2x2x8xf32>
  %1 = memref.expand_shape %m [[0, 1], [2]] output_shape [%n, 4, %k] : memref<?x?xf32> into memref<?x4x?xf32>
  %2 = memref.expand_shape %s [[0, 1], [2]] output_shape [2, 2, 8] : memref<4x8xf32, strided<[16, 2], offset: 3>> into memref<2x2x8xf32, strided<[32, 16, 2], offset: 3>>
  %3 = memref.expand_shape %z [] output_shape [1, 1] : memref<f32> into memref<1x1xf32>
  return %0 : memref<2x2x8xf32>
}

// -----
// collapse_shape: static, dynamic, strided, to rank 0
func.func @f(%a: memref<2x3x4xf32>, %m: memref<?x?xf32>, %s: memref<4x8xf32, strided<[16, 2], offset: 3>>, %u: memref<4x1xf32, strided<[8, 3], offset: ?>>, %z: memref<1x1xf32>) -> memref<2x12xf32> {
  %0 = memref.collapse_shape %a [[0], [1, 2]] : memref<2x3x4xf32> into memref<2x12xf32>
  %1 = memref.collapse_shape %m [[0, 1]] : memref<?x?xf32> into memref<?xf32>
  %2 = memref.collapse_shape %s [[0, 1]] : memref<4x8xf32, strided<[16, 2], offset: 3>> into memref<32xf32, strided<[2], offset: 3>>
  %3 = memref.collapse_shape %u [[0, 1]] : memref<4x1xf32, strided<[8, 3], offset: ?>> into memref<4xf32, strided<[8], offset: ?>>
  %4 = memref.collapse_shape %z [] : memref<1x1xf32> into memref<f32>
  return %0 : memref<2x12xf32>
}

// -----
// reinterpret_cast: static, dynamic, without a rank, left open
func.func @f(%m: memref<?x?xf32>, %u: memref<*xf32>, %n: index, %s: index) -> memref<10xf32> {
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [4, 8], strides: [8, 1] : memref<?x?xf32> to memref<4x8xf32>
  %1 = memref.reinterpret_cast %m to offset: [%n], sizes: [4, %n], strides: [%s, 1] : memref<?x?xf32> to memref<4x?xf32, strided<[?, 1], offset: ?>>
  %2 = memref.reinterpret_cast %u to offset: [0], sizes: [10], strides: [1] : memref<*xf32> to memref<10xf32>
  %3 = memref.reinterpret_cast %m to offset: [5], sizes: [2], strides: [0] : memref<?x?xf32> to memref<2xf32, strided<[?], offset: ?>>
  %4 = memref.reinterpret_cast %m to offset: [1], sizes: [], strides: [] : memref<?x?xf32> to memref<f32, strided<[], offset: 1>>
  return %2 : memref<10xf32>
}

// -----
// transpose: by a map, into either way to write the layout
func.func @f(%a: memref<4x8xf32>, %m: memref<?x?xf32>) -> memref<8x4xf32, strided<[1, 8]>> {
  %0 = memref.transpose %a (i, j) -> (j, i) : memref<4x8xf32> to memref<8x4xf32, strided<[1, 8]>>
  %1 = memref.transpose %m (i, j) -> (j, i) : memref<?x?xf32> to memref<?x?xf32, affine_map<(d0, d1)[s0] -> (d1 * s0 + d0)>>
  return %0 : memref<8x4xf32, strided<[1, 8]>>
}

// -----
// view: bytes as elements
func.func @f(%b: memref<?xi8>, %i: index, %n: index) -> memref<?x4xf32> {
  %0 = memref.view %b[%i][%n] : memref<?xi8> to memref<?x4xf32>
  %1 = memref.view %b[%i][] : memref<?xi8> to memref<4xf16>
  return %0 : memref<?x4xf32>
}

// -----
// memory_space_cast: to another memory, and back
func.func @f(%a: memref<4x8xf32>) -> memref<4x8xf32> {
  %0 = memref.memory_space_cast %a : memref<4x8xf32> to memref<4x8xf32, 5>
  %1 = memref.memory_space_cast %0 : memref<4x8xf32, 5> to memref<4x8xf32>
  return %1 : memref<4x8xf32>
}

// -----
// assume_alignment: a promise
func.func @f(%a: memref<?x8xf32>) -> memref<?x8xf32> {
  %0 = memref.assume_alignment %a, 16 : memref<?x8xf32>
  return %0 : memref<?x8xf32>
}

// -----
// extract_strided_metadata: of rank two and of rank zero
func.func @f(%m: memref<?x8xf32, strided<[?, 2], offset: ?>, 3>, %z: memref<f32>) -> index {
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %m : memref<?x8xf32, strided<[?, 2], offset: ?>, 3> -> memref<f32, 3>, index, index, index, index, index
  %b, %o = memref.extract_strided_metadata %z : memref<f32> -> memref<f32>, index
  %p = memref.extract_aligned_pointer_as_index %m : memref<?x8xf32, strided<[?, 2], offset: ?>, 3> -> index
  return %sizes#1 : index
}

// -----
// global: constant, uninitialized, elsewhere, splat, rank 0
memref.global "private" constant @table : memref<2x2xf32> = dense<[[1.0, 2.0], [3.0, 4.0]]> {alignment = 64 : i64}
memref.global @scratch : memref<4xf32> = uninitialized
memref.global "private" @elsewhere : memref<4xi8>
memref.global "public" @ones : memref<8xi32> = dense<1>
memref.global @zero : memref<f16> = dense<0.0>
memref.global constant @far : memref<2xf32, 3> = dense<0xFF800000>
func.func @f() -> memref<2x2xf32> {
  %0 = memref.get_global @table : memref<2x2xf32>
  %1 = memref.get_global @far : memref<2xf32, 3>
  return %0 : memref<2x2xf32>
}

// -----
// the type: an identity map is no layout
func.func @f(%a: memref<4x8xf32, affine_map<(d0, d1) -> (d0, d1)>>, %b: memref<4xf32, affine_map<(d0) -> (d0)>, 3>) -> memref<4x8xf32> {
  return %a : memref<4x8xf32>
}

// -----
// the type: elements that are vectors, buffers, complex
func.func @f(%a: memref<2xvector<4xf32>>, %b: memref<2xmemref<4xf32>>, %c: memref<?xcomplex<f32>>, %d: memref<*xi8>, %e: memref<2xindex>) {
  return
}

// -----
// atomic_rmw: a few kinds
func.func @f(%a: memref<4x8xf32>, %b: memref<4xi32>, %i: index, %x: f32, %y: i32) -> f32 {
  %0 = memref.atomic_rmw addf %x, %a[%i, %i] : (f32, memref<4x8xf32>) -> f32
  %1 = memref.atomic_rmw maximumf %x, %a[%i, %i] {some.mark} : (f32, memref<4x8xf32>) -> f32
  %2 = memref.atomic_rmw xori %y, %b[%i] : (i32, memref<4xi32>) -> i32
  return %0 : f32
}

// -----
// prefetch: reads and writes
func.func @f(%a: memref<4x8xf32>, %b: memref<f32>, %i: index) {
  memref.prefetch %a[%i, %i], read, locality<3>, data : memref<4x8xf32>
  memref.prefetch %b[], write, locality<0>, instr : memref<f32>
  return
}

// -----
// reshape: to and from any rank
func.func @f(%a: memref<4x8xf32>, %s: memref<1xindex>, %u: memref<*xf32>, %m: memref<2xi32>, %d: memref<?xindex>) -> memref<?xf32> {
  %0 = memref.reshape %a(%s) : (memref<4x8xf32>, memref<1xindex>) -> memref<?xf32>
  %1 = memref.reshape %u(%m) : (memref<*xf32>, memref<2xi32>) -> memref<?x?xf32>
  %2 = memref.reshape %a(%d) : (memref<4x8xf32>, memref<?xindex>) -> memref<*xf32>
  return %0 : memref<?xf32>
}
