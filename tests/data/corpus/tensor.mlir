// empty: static, dynamic, rank 0
func.func @f(%n: index, %m: index) -> (tensor<4x8xf32>, tensor<?x8x?xf16>, tensor<i32>) {
  %0 = tensor.empty() : tensor<4x8xf32>
  %1 = tensor.empty(%n, %m) : tensor<?x8x?xf16>
  %2 = tensor.empty() {note} : tensor<i32>
  return %0, %1, %2 : tensor<4x8xf32>, tensor<?x8x?xf16>, tensor<i32>
}

// -----
// extract_slice: static, dynamic, mixed
func.func @f(%t: tensor<64x?xf32>, %i: index, %n: index) -> (tensor<16x8xf32>, tensor<?x?xf32>, tensor<16x?xf32>) {
  %0 = tensor.extract_slice %t[0, 8] [16, 8] [1, 1] : tensor<64x?xf32> to tensor<16x8xf32>
  %1 = tensor.extract_slice %t[%i, %i] [%n, %n] [1, 1] : tensor<64x?xf32> to tensor<?x?xf32>
  %2 = tensor.extract_slice %t[%i, 0] [16, %n] [1, %i] : tensor<64x?xf32> to tensor<16x?xf32>
  return %0, %1, %2 : tensor<16x8xf32>, tensor<?x?xf32>, tensor<16x?xf32>
}

// -----
// extract_slice: strides, attributes, nothing taken
func.func @f(%t: tensor<10x10xf32>) -> (tensor<3x2xf32>, tensor<0x10xf32>) {
  %0 = tensor.extract_slice %t[1, 0] [3, 2] [3, 5] {note} : tensor<10x10xf32> to tensor<3x2xf32>
  %1 = tensor.extract_slice %t[9, 0] [0, 10] [1, 1] : tensor<10x10xf32> to tensor<0x10xf32>
  return %0, %1 : tensor<3x2xf32>, tensor<0x10xf32>
}

// -----
// extract_slice: rank reduced, all of it and in the middle
func.func @f(%t: tensor<4x1x8x?xf32>, %i: index, %n: index) -> (tensor<8xf32>, tensor<4x8x?xf32>, tensor<f32>, tensor<1x8xf32>) {
  %0 = tensor.extract_slice %t[%i, 0, 0, %i] [1, 1, 8, 1] [1, 1, 1, 1] : tensor<4x1x8x?xf32> to tensor<8xf32>
  %1 = tensor.extract_slice %t[0, 0, 0, 0] [4, 1, 8, %n] [1, 1, 1, 1] : tensor<4x1x8x?xf32> to tensor<4x8x?xf32>
  %2 = tensor.extract_slice %t[0, 0, 0, 0] [1, 1, 1, 1] [1, 1, 1, 1] : tensor<4x1x8x?xf32> to tensor<f32>
  %3 = tensor.extract_slice %t[0, 0, 0, 0] [1, 1, 8, 1] [1, 1, 1, 1] : tensor<4x1x8x?xf32> to tensor<1x8xf32>
  return %0, %1, %2, %3 : tensor<8xf32>, tensor<4x8x?xf32>, tensor<f32>, tensor<1x8xf32>
}

// -----
// extract_slice: rank 0
func.func @f(%t: tensor<f32>) -> tensor<f32> {
  %0 = tensor.extract_slice %t[] [] [] : tensor<f32> to tensor<f32>
  return %0 : tensor<f32>
}

// -----
// insert_slice: static, dynamic, rank reduced
func.func @f(%s: tensor<16x8xf32>, %d: tensor<?x8xf32>, %v: tensor<8xf32>, %t: tensor<64x32xf32>, %i: index, %n: index) -> tensor<64x32xf32> {
  %0 = tensor.insert_slice %s into %t[0, 8] [16, 8] [1, 1] : tensor<16x8xf32> into tensor<64x32xf32>
  %1 = tensor.insert_slice %d into %0[%i, 0] [%n, 8] [1, %n] : tensor<?x8xf32> into tensor<64x32xf32>
  %2 = tensor.insert_slice %v into %1[%i, 0] [1, 8] [1, 1] {note} : tensor<8xf32> into tensor<64x32xf32>
  return %2 : tensor<64x32xf32>
}

// -----
// parallel_insert_slice: inside a grid, rank reduced too
func.func @f(%s: tensor<8xf32>, %t: tensor<64x32xf32>, %o: tensor<4x8xf32>) -> (tensor<64x32xf32>, tensor<4x8xf32>) {
  %0:2 = scf.forall (%i) in (4) shared_outs(%a = %t, %b = %o) -> (tensor<64x32xf32>, tensor<4x8xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %a[%i, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<64x32xf32>
      tensor.parallel_insert_slice %s into %b[%i, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<4x8xf32>
    }
  }
  return %0#0, %0#1 : tensor<64x32xf32>, tensor<4x8xf32>
}

// -----
// pad: static, dynamic, a constant and computed values
func.func @f(%t: tensor<4x?xf32>, %n: index, %c: f32) -> (tensor<6x?xf32>, tensor<?x?xf32>) {
  %0 = tensor.pad %t low[1, 0] high[1, 3] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : f32
  } : tensor<4x?xf32> to tensor<6x?xf32>
  %1 = tensor.pad %t low[%n, 2] high[0, %n] {
  ^bb0(%i: index, %j: index):
    %s = arith.addi %i, %j : index
    %k = arith.index_cast %s : index to i32
    %v = arith.sitofp %k : i32 to f32
    tensor.yield %v : f32
  } : tensor<4x?xf32> to tensor<?x?xf32>
  return %0, %1 : tensor<6x?xf32>, tensor<?x?xf32>
}

// -----
// pad: nofold, a static result from dynamic amounts, attributes
func.func @f(%t: tensor<4x?xf32>, %n: index, %c: f32) -> (tensor<4x8xf32>, tensor<4x?xf32>) {
  %0 = tensor.pad %t low[0, 0] high[0, %n] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : f32
  } : tensor<4x?xf32> to tensor<4x8xf32>
  %1 = tensor.pad %t nofold low[0, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : f32
  } {note} : tensor<4x?xf32> to tensor<4x?xf32>
  return %0, %1 : tensor<4x8xf32>, tensor<4x?xf32>
}

// -----
// expand_shape: static, dynamic, unit dimensions
func.func @f(%a: tensor<24x?xf32>, %b: tensor<8xf32>, %n: index, %m: index) -> (tensor<2x12x?x4xf32>, tensor<1x8x1xf32>, tensor<24x?x?xf32>) {
  %0 = tensor.expand_shape %a [[0, 1], [2, 3]] output_shape [2, 12, %n, 4] : tensor<24x?xf32> into tensor<2x12x?x4xf32>
  %1 = tensor.expand_shape %b [[0, 1, 2]] output_shape [1, 8, 1] {note} : tensor<8xf32> into tensor<1x8x1xf32>
  %2 = tensor.expand_shape %a [[0], [1, 2]] output_shape [24, %n, %m] : tensor<24x?xf32> into tensor<24x?x?xf32>
  return %0, %1, %2 : tensor<2x12x?x4xf32>, tensor<1x8x1xf32>, tensor<24x?x?xf32>
}

// -----
// expand_shape, collapse_shape: from and to rank 0
func.func @f(%a: tensor<f32>) -> tensor<f32> {
  %0 = tensor.expand_shape %a [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>
  %1 = tensor.collapse_shape %0 [] : tensor<1x1xf32> into tensor<f32>
  return %1 : tensor<f32>
}

// -----
// collapse_shape: static, dynamic
func.func @f(%a: tensor<2x12x?x4xf32>) -> (tensor<24x?xf32>, tensor<2x?x4xf32>, tensor<?xf32>) {
  %0 = tensor.collapse_shape %a [[0, 1], [2, 3]] : tensor<2x12x?x4xf32> into tensor<24x?xf32>
  %1 = tensor.collapse_shape %a [[0], [1, 2], [3]] {note} : tensor<2x12x?x4xf32> into tensor<2x?x4xf32>
  %2 = tensor.collapse_shape %a [[0, 1, 2, 3]] : tensor<2x12x?x4xf32> into tensor<?xf32>
  return %0, %1, %2 : tensor<24x?xf32>, tensor<2x?x4xf32>, tensor<?xf32>
}

// -----
// dim, rank
func.func @f(%t: tensor<4x?xf32>, %i: index) -> (index, index, index) {
  %c1 = arith.constant 1 : index
  %0 = tensor.dim %t, %c1 : tensor<4x?xf32>
  %1 = tensor.dim %t, %i : tensor<4x?xf32>
  %2 = tensor.rank %t : tensor<4x?xf32>
  return %0, %1, %2 : index, index, index
}

// -----
// cast: to and from dynamic sizes
func.func @f(%t: tensor<4x?xf32>) -> tensor<?x8xf32> {
  %0 = tensor.cast %t : tensor<4x?xf32> to tensor<?x?xf32>
  %1 = tensor.cast %0 {note} : tensor<?x?xf32> to tensor<?x8xf32>
  return %1 : tensor<?x8xf32>
}

// -----
// concat: one, many, dynamic
func.func @f(%a: tensor<2x3xf32>, %b: tensor<4x3xf32>, %c: tensor<?x3xf32>) -> (tensor<2x3xf32>, tensor<8x3xf32>, tensor<?x3xf32>, tensor<2x6xf32>) {
  %0 = tensor.concat dim(0) %a : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = tensor.concat dim(0) %a, %b, %a : (tensor<2x3xf32>, tensor<4x3xf32>, tensor<2x3xf32>) -> tensor<8x3xf32>
  %2 = tensor.concat dim(0) %a, %c : (tensor<2x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  %3 = tensor.concat dim(1) %a, %a {note} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>
  return %0, %1, %2, %3 : tensor<2x3xf32>, tensor<8x3xf32>, tensor<?x3xf32>, tensor<2x6xf32>
}

// -----
// splat: static, dynamic, rank 0
func.func @f(%v: f32, %n: index) -> (tensor<4x8xf32>, tensor<?x8x?xf32>, tensor<f32>) {
  %0 = tensor.splat %v : tensor<4x8xf32>
  %1 = tensor.splat %v[%n, %n] : tensor<?x8x?xf32>
  %2 = tensor.splat %v {note} : tensor<f32>
  return %0, %1, %2 : tensor<4x8xf32>, tensor<?x8x?xf32>, tensor<f32>
}

// -----
// generate
func.func @f(%n: index, %m: index) -> tensor<?x3x?xindex> {
  %0 = tensor.generate %n, %m {
  ^bb0(%i: index, %j: index, %k: index):
    %a = arith.muli %i, %j : index
    %b = arith.addi %a, %k : index
    tensor.yield %b : index
  } : tensor<?x3x?xindex>
  return %0 : tensor<?x3x?xindex>
}

// -----
// generate: no dynamic sizes, attributes
func.func @f() -> tensor<3xindex> {
  %0 = tensor.generate {
  ^bb0(%i: index):
    tensor.yield %i : index
  } {note} : tensor<3xindex>
  return %0 : tensor<3xindex>
}

// -----
// extract, insert
func.func @f(%t: tensor<4x?xf32>, %z: tensor<i8>, %i: index, %v: f32) -> (f32, i8, tensor<4x?xf32>) {
  %0 = tensor.extract %t[%i, %i] : tensor<4x?xf32>
  %1 = tensor.extract %z[] : tensor<i8>
  %2 = tensor.insert %v into %t[%i, %i] : tensor<4x?xf32>
  return %0, %1, %2 : f32, i8, tensor<4x?xf32>
}

// -----
// from_elements: rank 0, 1, 2
func.func @f(%a: f32, %b: f32) -> (tensor<f32>, tensor<2xf32>, tensor<2x2xf32>, tensor<0xf32>) {
  %0 = tensor.from_elements %a : tensor<f32>
  %1 = tensor.from_elements %a, %b : tensor<2xf32>
  %2 = tensor.from_elements %a, %b, %b, %a {note} : tensor<2x2xf32>
  %3 = tensor.from_elements : tensor<0xf32>
  return %0, %1, %2, %3 : tensor<f32>, tensor<2xf32>, tensor<2x2xf32>, tensor<0xf32>
}

// -----
// reshape: the shape as a tensor
func.func @f(%t: tensor<4x6xf32>, %s: tensor<2xi32>, %d: tensor<3xindex>) -> (tensor<8x3xf32>, tensor<?x2x?xf32>) {
  %0 = tensor.reshape %t(%s) : (tensor<4x6xf32>, tensor<2xi32>) -> tensor<8x3xf32>
  %1 = tensor.reshape %t(%d) : (tensor<4x6xf32>, tensor<3xindex>) -> tensor<?x2x?xf32>
  return %0, %1 : tensor<8x3xf32>, tensor<?x2x?xf32>
}

// -----
// bitcast
func.func @f(%t: tensor<4x?xf32>) -> tensor<4x?xi32> {
  %0 = tensor.bitcast %t : tensor<4x?xf32> to tensor<4x?xi32>
  return %0 : tensor<4x?xi32>
}
