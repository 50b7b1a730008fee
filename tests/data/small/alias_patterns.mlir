// -----
// alias: maskedstore
func.func @f(%m: memref<12x32xf32>, %i: index, %k: vector<4xi1>, %v: vector<4xf32>) {
  %c0 = arith.constant 0 : index
  %t = memref.subview %m[%i, 0] [4, 4] [1, 1] : memref<12x32xf32> to memref<4x4xf32, strided<[32, 1], offset: ?>>
  vector.maskedstore %t[%c0, %i], %k, %v : memref<4x4xf32, strided<[32, 1], offset: ?>>, vector<4xi1>, vector<4xf32>
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.memref.fold_memref_alias_ops
    } : !transform.any_op
    transform.yield
  }
// -----
// alias: dynamic expand and collapse
func.func @f(%m: memref<?x?xf32>, %i: index, %n: index, %x: f32) -> f32 {
  %e = memref.expand_shape %m [[0, 1], [2]] output_shape [%n, 4, %n] : memref<?x?xf32> into memref<?x4x?xf32>
  %a = memref.load %e[%i, %i, %i] : memref<?x4x?xf32>
  %c = memref.collapse_shape %m [[0, 1]] : memref<?x?xf32> into memref<?xf32>
  memref.store %x, %c[%i] : memref<?xf32>
  return %a : f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.memref.fold_memref_alias_ops
    } : !transform.any_op
    transform.yield
  }
// -----
// alias: reshapes of rank 0
func.func @f(%m: memref<f32>, %q: memref<1x1xf32>, %i: index) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %e = memref.expand_shape %m [] output_shape [1, 1] : memref<f32> into memref<1x1xf32>
  %a = memref.load %e[%c0, %c0] : memref<1x1xf32>
  %c = memref.collapse_shape %q [] : memref<1x1xf32> into memref<f32>
  %b = memref.load %c[] : memref<f32>
  return %a, %b : f32, f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.memref.fold_memref_alias_ops
    } : !transform.any_op
    transform.yield
  }
// -----
// alias: transfer of expand
func.func @f(%m: memref<12x32xf32>, %i: index, %p: f32) -> (vector<8xf32>) {
  %e = memref.expand_shape %m [[0, 1], [2]] output_shape [3, 4, 32] : memref<12x32xf32> into memref<3x4x32xf32>
  %a = vector.transfer_read %e[%i, %i, %i], %p {in_bounds = [true]} : memref<3x4x32xf32>, vector<8xf32>
  return %a : vector<8xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.memref.fold_memref_alias_ops
    } : !transform.any_op
    transform.yield
  }
// -----
// alias: cast and atomic, dim
func.func @f(%m: memref<12x32xf32>, %i: index, %x: f32) -> f32 {
  %t = memref.subview %m[%i, 0] [4, 4] [1, 1] : memref<12x32xf32> to memref<4x4xf32, strided<[32, 1], offset: ?>>
  %c = memref.cast %t : memref<4x4xf32, strided<[32, 1], offset: ?>> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  %v = memref.load %c[%i, %i] : memref<?x?xf32, strided<[?, ?], offset: ?>>
  return %v : f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.memref.fold_memref_alias_ops
    } : !transform.any_op
    transform.yield
  }
// -----
// alias ops: load of subview of subview
func.func @f(%m: memref<12x32xf32>, %i: index, %j: index) -> f32 {
  %c0 = arith.constant 0 : index
  %s = memref.subview %m[%i, %j] [4, 4] [2, 3] : memref<12x32xf32> to memref<4x4xf32, strided<[64, 3], offset: ?>>
  %v = memref.load %s[%i, %c0] : memref<4x4xf32, strided<[64, 3], offset: ?>>
  return %v : f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.memref.fold_memref_alias_ops
    } : !transform.any_op
    transform.yield
  }
// -----
// alias ops: expand collapse
func.func @f(%m: memref<12x32xf32>, %i: index, %j: index, %k: index, %x: f32) -> f32 {
  %e = memref.expand_shape %m [[0, 1], [2]] output_shape [3, 4, 32] : memref<12x32xf32> into memref<3x4x32xf32>
  %v = memref.load %e[%i, %j, %k] : memref<3x4x32xf32>
  %c = memref.collapse_shape %m [[0, 1]] : memref<12x32xf32> into memref<384xf32>
  memref.store %x, %c[%i] : memref<384xf32>
  return %v : f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.memref.fold_memref_alias_ops
    } : !transform.any_op
    transform.yield
  }
// -----
// alias ops: transfers and masks
func.func @f(%m: memref<12x32xf32>, %i: index, %mask: vector<4xi1>, %v: vector<4xf32>) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %p = arith.constant 0.0 : f32
  %s = memref.subview %m[%i, %i] [1, 4] [1, 1] : memref<12x32xf32> to memref<4xf32, strided<[1], offset: ?>>
  %r = vector.transfer_read %s[%c0], %p {in_bounds = [true]} : memref<4xf32, strided<[1], offset: ?>>, vector<4xf32>
  vector.transfer_write %v, %s[%c0], %mask {in_bounds = [true]} : vector<4xf32>, memref<4xf32, strided<[1], offset: ?>>
  %q = vector.maskedload %s[%c0], %mask, %v : memref<4xf32, strided<[1], offset: ?>>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %o = vector.load %s[%c0] : memref<4xf32, strided<[1], offset: ?>>, vector<4xf32>
  vector.store %q, %s[%c0] : memref<4xf32, strided<[1], offset: ?>>, vector<4xf32>
  %w = arith.addf %r, %o : vector<4xf32>
  return %w : vector<4xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.memref.fold_memref_alias_ops
    } : !transform.any_op
    transform.yield
  }
// -----
// alias ops: subview of subview
func.func @f(%m: memref<12x32xf32>, %i: index) -> memref<2x2xf32, strided<[32, 1], offset: ?>> {
  %s = memref.subview %m[%i, 3] [4, 4] [1, 1] : memref<12x32xf32> to memref<4x4xf32, strided<[32, 1], offset: ?>>
  %t = memref.subview %s[1, %i] [2, 2] [1, 1] : memref<4x4xf32, strided<[32, 1], offset: ?>> to memref<2x2xf32, strided<[32, 1], offset: ?>>
  return %t : memref<2x2xf32, strided<[32, 1], offset: ?>>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.memref.fold_memref_alias_ops
    } : !transform.any_op
    transform.yield
  }
// -----
// metadata: of a subview
func.func @f(%m: memref<5x4xf32>, %i: index) -> (memref<f32>, index, index, index, index, index) {
  %s = memref.subview %m[%i, 2] [3, 2] [1, 1] : memref<5x4xf32> to memref<3x2xf32, strided<[4, 1], offset: ?>>
  %b, %o, %z:2, %t:2 = memref.extract_strided_metadata %s : memref<3x2xf32, strided<[4, 1], offset: ?>> -> memref<f32>, index, index, index, index, index
  return %b, %o, %z#0, %z#1, %t#0, %t#1 : memref<f32>, index, index, index, index, index
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.memref.expand_strided_metadata
    } : !transform.any_op
    transform.yield
  }
// -----
// metadata: a subview, dynamic
func.func @f(%m: memref<?x?xf32, strided<[?, ?], offset: ?>>, %i: index, %j: index, %n: index) -> memref<?x2xf32, strided<[?, ?], offset: ?>> {
  %s = memref.subview %m[%i, %j] [%n, 2] [3, %n] : memref<?x?xf32, strided<[?, ?], offset: ?>> to memref<?x2xf32, strided<[?, ?], offset: ?>>
  return %s : memref<?x2xf32, strided<[?, ?], offset: ?>>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.memref.expand_strided_metadata
    } : !transform.any_op
    transform.yield
  }
// -----
// metadata: a subview that drops a dimension
func.func @f(%m: memref<8x16x4xf32>, %i: index, %j: index) -> memref<6x2xf32, strided<[4, 1], offset: ?>> {
  %s = memref.subview %m[%i, %j, 2] [1, 6, 2] [1, 1, 1] : memref<8x16x4xf32> to memref<6x2xf32, strided<[4, 1], offset: ?>>
  return %s : memref<6x2xf32, strided<[4, 1], offset: ?>>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.memref.expand_strided_metadata
    } : !transform.any_op
    transform.yield
  }
// -----
// metadata: of allocations
func.func @f(%n: index) -> (memref<f32>, index, index, index, index, index) {
  %m = memref.alloc(%n) : memref<?x4xf32>
  %b, %o, %z:2, %t:2 = memref.extract_strided_metadata %m : memref<?x4xf32> -> memref<f32>, index, index, index, index, index
  return %b, %o, %z#0, %z#1, %t#0, %t#1 : memref<f32>, index, index, index, index, index
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.memref.expand_strided_metadata
    } : !transform.any_op
    transform.yield
  }
// -----
// metadata: of a reinterpret_cast and a cast
func.func @f(%m: memref<?xf32>, %o: index, %n: index) -> (memref<f32>, index, index, index, index, index) {
  %r = memref.reinterpret_cast %m to offset: [%o], sizes: [%n, 4], strides: [%n, 1] : memref<?xf32> to memref<?x4xf32, strided<[?, 1], offset: ?>>
  %c = memref.cast %r : memref<?x4xf32, strided<[?, 1], offset: ?>> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  %b, %off, %z:2, %t:2 = memref.extract_strided_metadata %c : memref<?x?xf32, strided<[?, ?], offset: ?>> -> memref<f32>, index, index, index, index, index
  return %b, %off, %z#0, %z#1, %t#0, %t#1 : memref<f32>, index, index, index, index, index
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.memref.expand_strided_metadata
    } : !transform.any_op
    transform.yield
  }
// -----
// metadata: of an argument
func.func @f(%m: memref<?x4xf32>) -> (memref<f32>, index, index, index, index, index) {
  %b, %o, %z:2, %t:2 = memref.extract_strided_metadata %m : memref<?x4xf32> -> memref<f32>, index, index, index, index, index
  return %b, %o, %z#0, %z#1, %t#0, %t#1 : memref<f32>, index, index, index, index, index
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.memref.expand_strided_metadata
    } : !transform.any_op
    transform.yield
  }
// -----
// metadata: expand and collapse
func.func @f(%m: memref<12x32xf32>, %d: memref<?x32xf32>, %n: index) -> (memref<3x4x32xf32>, memref<384xf32>, memref<?x4x32xf32>) {
  %e = memref.expand_shape %m [[0, 1], [2]] output_shape [3, 4, 32] : memref<12x32xf32> into memref<3x4x32xf32>
  %c = memref.collapse_shape %m [[0, 1]] : memref<12x32xf32> into memref<384xf32>
  %g = memref.expand_shape %d [[0, 1], [2]] output_shape [%n, 4, 32] : memref<?x32xf32> into memref<?x4x32xf32>
  return %e, %c, %g : memref<3x4x32xf32>, memref<384xf32>, memref<?x4x32xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.memref.expand_strided_metadata
    } : !transform.any_op
    transform.yield
  }
// -----
// metadata: a subview of a subview, of an alloca and a strided expansion
func.func @f(%i: index, %n: index, %s: memref<?x8xf32, strided<[?, 2], offset: ?>>) -> (f32, memref<?x2x4xf32, strided<[?, 8, 2], offset: ?>>) {
  %c0 = arith.constant 0 : index
  %m = memref.alloca(%n) : memref<8x?x4xf32>
  %a = memref.subview %m[1, %i, 0] [4, 5, 4] [2, 1, 1] : memref<8x?x4xf32> to memref<4x5x4xf32, strided<[?, 4, 1], offset: ?>>
  %b = memref.subview %a[%i, 0, 1] [1, 3, 2] [1, 1, 1] : memref<4x5x4xf32, strided<[?, 4, 1], offset: ?>> to memref<3x2xf32, strided<[4, 1], offset: ?>>
  %v = memref.load %b[%i, %c0] : memref<3x2xf32, strided<[4, 1], offset: ?>>
  %e = memref.expand_shape %s [[0], [1, 2]] output_shape [%n, 2, 4] : memref<?x8xf32, strided<[?, 2], offset: ?>> into memref<?x2x4xf32, strided<[?, 8, 2], offset: ?>>
  return %v, %e : f32, memref<?x2x4xf32, strided<[?, 8, 2], offset: ?>>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.memref.expand_strided_metadata
    } : !transform.any_op
    transform.yield
  }
// -----
// metadata: a dynamic collapse
func.func @f(%m: memref<?x?x4xf32>) -> (memref<?x4xf32>, memref<?xf32>) {
  %c = memref.collapse_shape %m [[0, 1], [2]] : memref<?x?x4xf32> into memref<?x4xf32>
  %d = memref.collapse_shape %m [[0, 1, 2]] : memref<?x?x4xf32> into memref<?xf32>
  return %c, %d : memref<?x4xf32>, memref<?xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.memref.expand_strided_metadata
    } : !transform.any_op
    transform.yield
  }
