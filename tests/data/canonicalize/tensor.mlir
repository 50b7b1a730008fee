// cast: of a cast, to the same type
func.func @f(%x: tensor<8x?xf32>) -> (tensor<?x?xf32>, tensor<8x?xf32>, tensor<?x?xf32>) {
  %0 = tensor.cast %x : tensor<8x?xf32> to tensor<?x?xf32>
  %1 = tensor.cast %0 : tensor<?x?xf32> to tensor<8x?xf32>
  %2 = tensor.cast %0 : tensor<?x?xf32> to tensor<?x?xf32>
  return %0, %1, %2 : tensor<?x?xf32>, tensor<8x?xf32>, tensor<?x?xf32>
}
// -----
// cast: the one in between knows more
// stays: the extents are checked there
// dims: 8
func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = tensor.cast %x : tensor<?xf32> to tensor<8xf32>
  %1 = tensor.cast %0 : tensor<8xf32> to tensor<?xf32>
  return %1 : tensor<?xf32>
}
// -----
// extract_slice: constants become part of it
// index: 3, 2
func.func @f(%x: tensor<8x16xf32>, %n: index, %m: index) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %c4 = arith.constant 4 : index
  %0 = tensor.extract_slice %x[%c4, %n] [%c4, %m] [1, 1] : tensor<8x16xf32> to tensor<?x?xf32>
  %1 = tensor.extract_slice %x[0, %n] [1, %c4] [1, 1] : tensor<8x16xf32> to tensor<?xf32>
  return %0, %1 : tensor<?x?xf32>, tensor<?xf32>
}
// -----
// extract_slice: of what was cast, and cast
// index: 3, 4
func.func @f(%x: tensor<8x16xf32>, %n: index, %m: index) -> (tensor<?x4xf32>, tensor<4x4xf32>, tensor<4xf32>) {
  %c = tensor.cast %x : tensor<8x16xf32> to tensor<?x?xf32>
  %0 = tensor.extract_slice %c[%n, 0] [%m, 4] [1, 1] : tensor<?x?xf32> to tensor<?x4xf32>
  %d = tensor.extract_slice %x[0, %n] [4, %m] [1, 1] : tensor<8x16xf32> to tensor<4x?xf32>
  %1 = tensor.cast %d : tensor<4x?xf32> to tensor<4x4xf32>
  %e = tensor.extract_slice %x[1, %n] [1, %m] [1, 1] : tensor<8x16xf32> to tensor<?xf32>
  %2 = tensor.cast %e : tensor<?xf32> to tensor<4xf32>
  return %0, %1, %2 : tensor<?x4xf32>, tensor<4x4xf32>, tensor<4xf32>
}
// -----
// extract_slice: of everything
func.func @f(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %0 = tensor.extract_slice %x[0, 0] [8, 16] [1, 1] : tensor<8x16xf32> to tensor<8x16xf32>
  %1 = tensor.extract_slice %0[%c0, 0] [8, %c16] [1, 1] : tensor<8x16xf32> to tensor<8x?xf32>
  %2 = tensor.cast %1 : tensor<8x?xf32> to tensor<8x16xf32>
  return %2 : tensor<8x16xf32>
}
// -----
// extract_slice: of what was inserted there
// index: 1, 2
func.func @f(%x: tensor<8x16xf32>, %y: tensor<4x4xf32>, %n: index, %m: index) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = tensor.insert_slice %y into %x[%n, %m] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<8x16xf32>
  %1 = tensor.extract_slice %0[%n, %m] [4, 4] [1, 1] : tensor<8x16xf32> to tensor<4x4xf32>
  %2 = tensor.extract_slice %0[%m, %m] [4, 4] [1, 1] : tensor<8x16xf32> to tensor<4x4xf32>
  return %1, %2 : tensor<4x4xf32>, tensor<4x4xf32>
}
// -----
// extract_slice: of a constant
func.func @f() -> (tensor<2xf32>, tensor<2xf32>) {
  %a = arith.constant dense<1.0> : tensor<4xf32>
  %b = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %0 = tensor.extract_slice %a[1] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %1 = tensor.extract_slice %b[1] [2] [1] : tensor<4xf32> to tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}
// -----
// extract_slice: of everything, with values for extents
// further: upstream folds static shapes only
// index: 5
func.func @f(%x: tensor<8x8xf32>, %n: index) -> tensor<?x8xf32> {
  %0 = tensor.extract_slice %x[0, 0] [%n, 8] [1, 1] : tensor<8x8xf32> to tensor<?x8xf32>
  %1 = tensor.extract_slice %0[0, 0] [%n, 8] [1, 1] : tensor<?x8xf32> to tensor<?x8xf32>
  return %1 : tensor<?x8xf32>
}
// -----
// insert_slice: constants become part of it
// index: 1, 4
// dims: 8, 4, 4
func.func @f(%x: tensor<?x16xf32>, %n: index, %m: index, %s: tensor<?x?xf32>) -> (tensor<?x16xf32>, tensor<?x16xf32>) {
  %c4 = arith.constant 4 : index
  %0 = tensor.insert_slice %s into %x[%n, 0] [%c4, %c4] [1, 1] : tensor<?x?xf32> into tensor<?x16xf32>
  %1 = tensor.insert_slice %s into %x[%n, %c4] [%m, %c4] [1, 1] : tensor<?x?xf32> into tensor<?x16xf32>
  return %0, %1 : tensor<?x16xf32>, tensor<?x16xf32>
}
// -----
// insert_slice: of what was cast, into what was cast
// index: 1, 4
func.func @f(%x: tensor<8x16xf32>, %n: index, %m: index, %t: tensor<4x4xf32>) -> (tensor<8x16xf32>, tensor<?x16xf32>) {
  %tc = tensor.cast %t : tensor<4x4xf32> to tensor<?x4xf32>
  %0 = tensor.insert_slice %tc into %x[%n, 0] [%m, 4] [1, 1] : tensor<?x4xf32> into tensor<8x16xf32>
  %xc = tensor.cast %x : tensor<8x16xf32> to tensor<?x16xf32>
  %1 = tensor.insert_slice %t into %xc[%n, 0] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<?x16xf32>
  return %0, %1 : tensor<8x16xf32>, tensor<?x16xf32>
}
// -----
// insert_slice: over everything, over an insertion, what was taken from there
// index: 1, 2
func.func @f(%x: tensor<8x16xf32>, %y: tensor<4x4xf32>, %z: tensor<8x16xf32>, %n: index, %m: index) -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) {
  %0 = tensor.insert_slice %z into %x[0, 0] [8, 16] [1, 1] : tensor<8x16xf32> into tensor<8x16xf32>
  %a = tensor.insert_slice %y into %x[%n, %m] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<8x16xf32>
  %b = tensor.extract_slice %z[%n, %m] [4, 4] [1, 1] : tensor<8x16xf32> to tensor<4x4xf32>
  %1 = tensor.insert_slice %b into %a[%n, %m] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<8x16xf32>
  %2 = tensor.insert_slice %b into %z[%n, %m] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<8x16xf32>
  return %0, %1, %2 : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
}
// -----
// insert_slice: with fewer dimensions
// index: 1, 4
// dims: 4
func.func @f(%x: tensor<8x16xf32>, %y: tensor<?xf32>, %n: index) -> (tensor<8x16xf32>, tensor<8x16xf32>) {
  %c4 = arith.constant 4 : index
  %0 = tensor.insert_slice %y into %x[%n, 0] [1, %c4] [1, 1] : tensor<?xf32> into tensor<8x16xf32>
  %s = tensor.extract_slice %x[%n, 2] [1, 4] [1, 1] : tensor<8x16xf32> to tensor<4xf32>
  %1 = tensor.insert_slice %s into %x[%n, 2] [1, 4] [1, 1] : tensor<4xf32> into tensor<8x16xf32>
  return %0, %1 : tensor<8x16xf32>, tensor<8x16xf32>
}
// -----
// parallel_insert_slice: constants and casts
// dims: 8
func.func @f(%x: tensor<8x16xf32>, %y: tensor<?x16xf32>) -> tensor<8x16xf32> {
  %c1 = arith.constant 1 : index
  %r = scf.forall (%i) in (8) shared_outs(%o = %x) -> (tensor<8x16xf32>) {
    %s = tensor.extract_slice %y[%i, 0] [%c1, 16] [1, 1] : tensor<?x16xf32> to tensor<?x16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i, 0] [%c1, 16] [1, 1] : tensor<?x16xf32> into tensor<8x16xf32>
    }
  }
  return %r : tensor<8x16xf32>
}
// -----
// dim: that the type or a slice tells
// index: 3, 2
func.func @f(%x: tensor<8x?xf32>, %n: index, %m: index) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = tensor.extract_slice %x[%n, 0] [%m, %n] [1, 1] : tensor<8x?xf32> to tensor<?x?xf32>
  %0 = tensor.dim %x, %c0 : tensor<8x?xf32>
  %1 = tensor.dim %x, %c1 : tensor<8x?xf32>
  %2 = tensor.dim %s, %c1 : tensor<?x?xf32>
  return %0, %1, %2 : index, index, index
}
// -----
// dim: of a slice with fewer dimensions stays
// stays: the sizes do not say which is which
// index: 3, 2
func.func @f(%x: tensor<?x?xf32>, %n: index, %m: index) -> index {
  %c0 = arith.constant 0 : index
  %s = tensor.extract_slice %x[%n, 0] [%m, 1] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
  %0 = tensor.dim %s, %c0 : tensor<?xf32>
  return %0 : index
}
// -----
// dim: of what was written into, cast, or empty
// index: 3, 2
func.func @f(%x: tensor<?x?xf32>, %n: index, %v: vector<4xf32>, %z: f32) -> (index, index, index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %w = vector.transfer_write %v, %x[%c0, %c0] : vector<4xf32>, tensor<?x?xf32>
  %0 = tensor.dim %w, %c1 : tensor<?x?xf32>
  %f = linalg.fill ins(%z : f32) outs(%x : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = tensor.dim %f, %c0 : tensor<?x?xf32>
  %i = tensor.insert %z into %f[%c0, %c0] : tensor<?x?xf32>
  %2 = tensor.dim %i, %c0 : tensor<?x?xf32>
  %c = tensor.cast %x : tensor<?x?xf32> to tensor<?x6xf32>
  %3 = tensor.dim %c, %c0 : tensor<?x6xf32>
  %e = tensor.empty(%n) : tensor<4x?xf32>
  %4 = tensor.dim %e, %c1 : tensor<4x?xf32>
  return %0, %1, %2, %3, %4 : index, index, index, index, index
}
// -----
// empty: constant extents
// no numbers: it is not written
func.func @f(%n: index) -> (tensor<?x?xf32>, tensor<?x4xf32>, tensor<8x?xf32>) {
  %c8 = arith.constant 8 : index
  %0 = tensor.empty(%c8, %n) : tensor<?x?xf32>
  %e = tensor.empty(%n, %n) : tensor<?x?xf32>
  %1 = tensor.cast %e : tensor<?x?xf32> to tensor<?x4xf32>
  %f = tensor.empty(%c8, %n) : tensor<?x?xf32>
  %2 = tensor.cast %f : tensor<?x?xf32> to tensor<8x?xf32>
  return %0, %1, %2 : tensor<?x?xf32>, tensor<?x4xf32>, tensor<8x?xf32>
}
// -----
// elements: of constants, of elements, of what was cast
// index: 1
func.func @f(%x: f32, %y: f32, %i: index, %t: tensor<4xf32>) -> (f32, f32, f32, f32, tensor<2xf32>, tensor<4xf32>) {
  %c1 = arith.constant 1 : index
  %a = arith.constant dense<3.0> : tensor<4xf32>
  %b = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %f = arith.constant 5.0 : f32
  %0 = tensor.extract %a[%i] : tensor<4xf32>
  %1 = tensor.extract %b[%c1, %c1] : tensor<2x2xf32>
  %e = tensor.from_elements %x, %y : tensor<2xf32>
  %2 = tensor.extract %e[%c1] : tensor<2xf32>
  %c = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  %3 = tensor.extract %c[%i] : tensor<?xf32>
  %4 = tensor.from_elements %f, %f : tensor<2xf32>
  %5 = tensor.splat %f : tensor<4xf32>
  return %0, %1, %2, %3, %4, %5 : f32, f32, f32, f32, tensor<2xf32>, tensor<4xf32>
}
// -----
// pad: by nothing
func.func @f(%x: tensor<4x8xf32>, %y: tensor<?x8xf32>, %z: f32) -> (tensor<4x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>, tensor<4x8xf32>) {
  %c0 = arith.constant 0 : index
  %0 = tensor.pad %x low[0, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<4x8xf32> to tensor<4x8xf32>
  %1 = tensor.pad %y low[0, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<?x8xf32> to tensor<?x8xf32>
  %2 = tensor.pad %y low[%c0, 0] high[%c0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<?x8xf32> to tensor<?x8xf32>
  %3 = tensor.pad %x nofold low[0, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<4x8xf32> to tensor<4x8xf32>
  return %0, %1, %2, %3 : tensor<4x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>, tensor<4x8xf32>
}
// -----
// pad: twice
func.func @f(%x: tensor<4x8xf32>) -> tensor<7x11xf32> {
  %z = arith.constant 0.0 : f32
  %0 = tensor.pad %x low[1, 2] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<4x8xf32> to tensor<6x11xf32>
  %1 = tensor.pad %0 low[1, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<6x11xf32> to tensor<7x11xf32>
  return %1 : tensor<7x11xf32>
}
// -----
// concat: of one, of known extents
// dims: 8
func.func @f(%x: tensor<4x8xf32>, %z: tensor<4x?xf32>) -> (tensor<4x8xf32>, tensor<?x8xf32>, tensor<8x?xf32>, tensor<?x?xf32>) {
  %0 = tensor.concat dim(0) %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = tensor.concat dim(0) %x : (tensor<4x8xf32>) -> tensor<?x8xf32>
  %2 = tensor.concat dim(0) %x, %z : (tensor<4x8xf32>, tensor<4x?xf32>) -> tensor<8x?xf32>
  %3 = tensor.concat dim(0) %x, %x : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<?x?xf32>
  return %0, %1, %2, %3 : tensor<4x8xf32>, tensor<?x8xf32>, tensor<8x?xf32>, tensor<?x?xf32>
}
// -----
// reshapes: there and back, two of one kind
// index: 6
func.func @f(%x: tensor<8x4xf32>, %y: tensor<?x4xf32>, %n: index, %t: tensor<2x3x4xf32>, %c: tensor<24xf32>) -> (tensor<8x4xf32>, tensor<24xf32>, tensor<?x4xf32>, tensor<2x3x4xf32>) {
  %0 = tensor.expand_shape %x [[0, 1], [2]] output_shape [4, 2, 4] : tensor<8x4xf32> into tensor<4x2x4xf32>
  %1 = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<4x2x4xf32> into tensor<8x4xf32>
  %2 = tensor.collapse_shape %t [[0, 1], [2]] : tensor<2x3x4xf32> into tensor<6x4xf32>
  %3 = tensor.collapse_shape %2 [[0, 1]] : tensor<6x4xf32> into tensor<24xf32>
  %4 = tensor.expand_shape %y [[0], [1, 2]] output_shape [%n, 2, 2] : tensor<?x4xf32> into tensor<?x2x2xf32>
  %5 = tensor.collapse_shape %4 [[0], [1, 2]] : tensor<?x2x2xf32> into tensor<?x4xf32>
  %6 = tensor.expand_shape %c [[0, 1]] output_shape [2, 12] : tensor<24xf32> into tensor<2x12xf32>
  %7 = tensor.expand_shape %6 [[0], [1, 2]] output_shape [2, 3, 4] : tensor<2x12xf32> into tensor<2x3x4xf32>
  return %1, %3, %5, %7 : tensor<8x4xf32>, tensor<24xf32>, tensor<?x4xf32>, tensor<2x3x4xf32>
}
// -----
// reshapes: one of each kind
func.func @f(%x: tensor<8x4xf32>, %t: tensor<2x3x4xf32>, %c: tensor<24xf32>) -> (tensor<2x4x4xf32>, tensor<2x12xf32>, tensor<6x4xf32>, tensor<8x4xf32>) {
  %0 = tensor.collapse_shape %x [[0, 1]] : tensor<8x4xf32> into tensor<32xf32>
  %1 = tensor.expand_shape %0 [[0, 1, 2]] output_shape [2, 4, 4] : tensor<32xf32> into tensor<2x4x4xf32>
  %2 = tensor.expand_shape %t [[0], [1, 2], [3]] output_shape [2, 3, 1, 4] : tensor<2x3x4xf32> into tensor<2x3x1x4xf32>
  %3 = tensor.collapse_shape %2 [[0], [1, 2, 3]] : tensor<2x3x1x4xf32> into tensor<2x12xf32>
  %4 = tensor.expand_shape %c [[0, 1, 2]] output_shape [2, 3, 4] : tensor<24xf32> into tensor<2x3x4xf32>
  %5 = tensor.collapse_shape %4 [[0, 1], [2]] : tensor<2x3x4xf32> into tensor<6x4xf32>
  %6 = tensor.collapse_shape %1 [[0, 1], [2]] : tensor<2x4x4xf32> into tensor<8x4xf32>
  return %1, %3, %5, %6 : tensor<2x4x4xf32>, tensor<2x12xf32>, tensor<6x4xf32>, tensor<8x4xf32>
}
// -----
// reshapes: of constants, of what was cast
func.func @f(%x: tensor<8x4xf32>) -> (tensor<4x2xf32>, tensor<?xf32>) {
  %k = arith.constant dense<3.0> : tensor<8xf32>
  %0 = tensor.expand_shape %k [[0, 1]] output_shape [4, 2] : tensor<8xf32> into tensor<4x2xf32>
  %1 = tensor.cast %x : tensor<8x4xf32> to tensor<?x?xf32>
  %2 = tensor.collapse_shape %1 [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  return %0, %2 : tensor<4x2xf32>, tensor<?xf32>
}
// -----
// reshapes: expanded to constants
func.func @f(%x: tensor<8x4xf32>) -> tensor<?x2x4xf32> {
  %c4 = arith.constant 4 : index
  %c = tensor.cast %x : tensor<8x4xf32> to tensor<?x4xf32>
  %0 = tensor.expand_shape %c [[0, 1], [2]] output_shape [%c4, 2, 4] : tensor<?x4xf32> into tensor<?x2x4xf32>
  return %0 : tensor<?x2x4xf32>
}
// -----
// generate: constant extents, one element of it
// no numbers: the interpreter has no tensor.generate
// index: 2, 1
func.func @f(%n: index, %i: index) -> (tensor<?x4xindex>, index, index) {
  %c3 = arith.constant 3 : index
  %c0 = arith.constant 0 : index
  %0 = tensor.generate %c3 {
  ^bb0(%a: index, %b: index):
    %s = arith.addi %a, %b : index
    tensor.yield %s : index
  } : tensor<?x4xindex>
  %1 = tensor.extract %0[%i, %n] : tensor<?x4xindex>
  %2 = tensor.dim %0, %c0 : tensor<?x4xindex>
  return %0, %1, %2 : tensor<?x4xindex>, index, index
}
// -----
// pad: constants, and what was cast
// index: 3
func.func @f(%x: tensor<4x8xf32>, %n: index, %z: f32) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<6x9xf32>) {
  %c1 = arith.constant 1 : index
  %0 = tensor.pad %x low[%c1, 0] high[%c1, %n] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<4x8xf32> to tensor<?x?xf32>
  %c = tensor.cast %x : tensor<4x8xf32> to tensor<?x?xf32>
  %1 = tensor.pad %c low[1, 0] high[%n, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  %2 = tensor.pad %x low[%c1, 0] high[%c1, %c1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<4x8xf32> to tensor<6x9xf32>
  return %0, %1, %2 : tensor<?x?xf32>, tensor<?x?xf32>, tensor<6x9xf32>
}
