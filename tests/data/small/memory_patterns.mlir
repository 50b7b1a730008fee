// Groups of patterns on tensors and buffers.
// -----
// tensor.decompose_concat: 1
func.func @f(%a: tensor<8x4xf32>, %b: tensor<8x5xf32>, %c: tensor<8x2xf32>) -> tensor<8x11xf32> {
  %0 = tensor.concat dim(1) %a, %b, %c : (tensor<8x4xf32>, tensor<8x5xf32>, tensor<8x2xf32>) -> tensor<8x11xf32>
  return %0 : tensor<8x11xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.tensor.decompose_concat
  } : !transform.any_op
  transform.yield
}
// -----
// tensor.decompose_concat: 2
func.func @f(%a: tensor<?x?xf32>, %b: tensor<8x?xf32>) -> tensor<?x?xf32> {
  %0 = tensor.concat dim(0) %a, %b : (tensor<?x?xf32>, tensor<8x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.tensor.decompose_concat
  } : !transform.any_op
  transform.yield
}
// -----
// tensor.decompose_concat: 3
func.func @f(%a: tensor<8x?xf32>, %b: tensor<8x5xf32>) -> tensor<8x17xf32> {
  %0 = tensor.concat dim(1) %a, %b : (tensor<8x?xf32>, tensor<8x5xf32>) -> tensor<8x17xf32>
  return %0 : tensor<8x17xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.tensor.decompose_concat
  } : !transform.any_op
  transform.yield
}
// -----
// tensor.decompose_concat: 4
func.func @f(%a: tensor<8x?xf32>) -> tensor<8x?xf32> {
  %0 = tensor.concat dim(1) %a : (tensor<8x?xf32>) -> tensor<8x?xf32>
  return %0 : tensor<8x?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.tensor.decompose_concat
  } : !transform.any_op
  transform.yield
}
// -----
// tensor.fold_tensor_empty: 1
func.func @f() -> tensor<4x5xf32> {
  %e = tensor.empty() : tensor<8x10xf32>
  %0 = tensor.extract_slice %e[1, 2] [4, 5] [1, 1] : tensor<8x10xf32> to tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.tensor.fold_tensor_empty
  } : !transform.any_op
  transform.yield
}
// -----
// tensor.fold_tensor_empty: 2
func.func @f(%n: index, %m: index) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?x10xf32>
  %0 = tensor.extract_slice %e[1, 2] [1, %m] [1, 1] : tensor<?x10xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.tensor.fold_tensor_empty
  } : !transform.any_op
  transform.yield
}
// -----
// tensor.fold_tensor_empty: 3
func.func @f(%n: index) -> tensor<?x4x10xf32> {
  %c4 = arith.constant 4 : index
  %k = arith.muli %n, %c4 : index
  %e = tensor.empty(%k) : tensor<?x10xf32>
  %0 = tensor.expand_shape %e [[0, 1], [2]] output_shape [%n, 4, 10] : tensor<?x10xf32> into tensor<?x4x10xf32>
  return %0 : tensor<?x4x10xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.tensor.fold_tensor_empty
  } : !transform.any_op
  transform.yield
}
// -----
// tensor.fold_tensor_empty: 4
func.func @f(%n: index) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?x10xf32>
  %0 = tensor.collapse_shape %e [[0, 1]] : tensor<?x10xf32> into tensor<?xf32>
  return %0 : tensor<?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.tensor.fold_tensor_empty
  } : !transform.any_op
  transform.yield
}
// -----
// tensor.fold_tensor_empty: 5
func.func @f(%n: index) -> (tensor<2xf32>, tensor<40xf32>) {
  %e = tensor.empty() : tensor<4x10xf32>
  %0 = tensor.collapse_shape %e [[0, 1]] : tensor<4x10xf32> into tensor<40xf32>
  %1 = tensor.extract_slice %e[0, 0] [1, 2] [1, 1] : tensor<4x10xf32> to tensor<2xf32>
  return %1, %0 : tensor<2xf32>, tensor<40xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.tensor.fold_tensor_empty
  } : !transform.any_op
  transform.yield
}
// -----
// tensor.fold_tensor_empty: 6
func.func @f(%n: index) -> tensor<?x11xf32> {
  %e = tensor.empty(%n) : tensor<?x11xf32>
  %f = tensor.empty(%n) : tensor<?x11xf32>
  %0 = tensor.concat dim(0) %e, %f : (tensor<?x11xf32>, tensor<?x11xf32>) -> tensor<?x11xf32>
  return %0 : tensor<?x11xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.tensor.fold_tensor_empty
  } : !transform.any_op
  transform.yield
}
// -----
// tensor.fold_tensor_subset_ops_into_vector_transfers: 1
func.func @f(%t: tensor<8x10xf32>, %i: index, %z: f32) -> vector<4x5xf32> {
  %c0 = arith.constant 0 : index
  %s = tensor.extract_slice %t[%i, 2] [4, 5] [1, 1] : tensor<8x10xf32> to tensor<4x5xf32>
  %v = vector.transfer_read %s[%c0, %c0], %z {in_bounds = [true, true]} : tensor<4x5xf32>, vector<4x5xf32>
  return %v : vector<4x5xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.tensor.fold_tensor_subset_ops_into_vector_transfers
  } : !transform.any_op
  transform.yield
}
// -----
// tensor.fold_tensor_subset_ops_into_vector_transfers: 2
func.func @f(%t: tensor<8x10xf32>, %i: index, %v: vector<4x5xf32>, %s: tensor<4x5xf32>) -> tensor<8x10xf32> {
  %c0 = arith.constant 0 : index
  %w = vector.transfer_write %v, %s[%c0, %c0] {in_bounds = [true, true]} : vector<4x5xf32>, tensor<4x5xf32>
  %r = tensor.insert_slice %w into %t[%i, 2] [4, 5] [1, 1] : tensor<4x5xf32> into tensor<8x10xf32>
  return %r : tensor<8x10xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.tensor.fold_tensor_subset_ops_into_vector_transfers
  } : !transform.any_op
  transform.yield
}
// -----
// tensor.fold_tensor_subset_ops_into_vector_transfers: 3
func.func @f(%t: tensor<3x8x10xf32>, %i: index, %z: f32) -> vector<3x2xf32> {
  %s = tensor.extract_slice %t[%i, %i, 2] [1, 4, 5] [1, 1, 1] : tensor<3x8x10xf32> to tensor<4x5xf32>
  %v = vector.transfer_read %s[%i, %i], %z {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : tensor<4x5xf32>, vector<3x2xf32>
  return %v : vector<3x2xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.tensor.fold_tensor_subset_ops_into_vector_transfers
  } : !transform.any_op
  transform.yield
}
// -----
// tensor.fold_tensor_subset_ops_into_vector_transfers: 4
func.func @f(%t: tensor<8x10xf32>, %i: index, %z: f32, %m: vector<4x5xi1>) -> vector<4x5xf32> {
  %c0 = arith.constant 0 : index
  %s = tensor.extract_slice %t[%i, 2] [4, 5] [1, 1] : tensor<8x10xf32> to tensor<4x5xf32>
  %v = vector.transfer_read %s[%c0, %c0], %z, %m {in_bounds = [true, true]} : tensor<4x5xf32>, vector<4x5xf32>
  return %v : vector<4x5xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.tensor.fold_tensor_subset_ops_into_vector_transfers
  } : !transform.any_op
  transform.yield
}
// -----
// tensor.rewrite_as_constant: 1
func.func @f() -> tensor<2x3xindex> {
  %c5 = arith.constant 5 : index
  %0 = tensor.generate {
  ^bb0(%i: index, %j: index):
    tensor.yield %c5 : index
  } : tensor<2x3xindex>
  return %0 : tensor<2x3xindex>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.tensor.rewrite_as_constant
  } : !transform.any_op
  transform.yield
}
// -----
// tensor.rewrite_as_constant: 2
func.func @f(%n: index) -> tensor<?x3xf32> {
  %c5 = arith.constant 5.0 : f32
  %0 = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    tensor.yield %c5 : f32
  } : tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.tensor.rewrite_as_constant
  } : !transform.any_op
  transform.yield
}
// -----
// tensor.rewrite_as_constant: 3
func.func @f() -> tensor<2x3xindex> {
  %0 = tensor.generate {
  ^bb0(%i: index, %j: index):
    tensor.yield %i : index
  } : tensor<2x3xindex>
  return %0 : tensor<2x3xindex>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.tensor.rewrite_as_constant
  } : !transform.any_op
  transform.yield
}
// -----
// tensor.rewrite_as_constant: 4
func.func @f() -> tensor<6x4xf32> {
  %c = arith.constant dense<2.0> : tensor<3x2xf32>
  %z = arith.constant 0.0 : f32
  %0 = tensor.pad %c low[1, 1] high[2, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<3x2xf32> to tensor<6x4xf32>
  return %0 : tensor<6x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.tensor.rewrite_as_constant
  } : !transform.any_op
  transform.yield
}
// -----
// tensor.rewrite_as_constant: 5
func.func @f() -> tensor<4xi32> {
  %c = arith.constant dense<[1, 2, 3]> : tensor<3xi32>
  %z = arith.constant 7 : i32
  %0 = tensor.pad %c low[0] high[1] {
  ^bb0(%i: index):
    tensor.yield %z : i32
  } : tensor<3xi32> to tensor<4xi32>
  return %0 : tensor<4xi32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.tensor.rewrite_as_constant
  } : !transform.any_op
  transform.yield
}
// -----
// memref.alloc_to_alloca: 1
func.func @f(%x: f32, %i: index) -> f32 {
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%i, %i] : memref<4x4xf32>
  %r = memref.load %a[%i, %i] : memref<4x4xf32>
  memref.dealloc %a : memref<4x4xf32>
  return %r : f32
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.memref.alloc_to_alloca
  } : !transform.any_op
  transform.yield
}
// -----
// memref.alloc_to_alloca: 2
func.func @f(%x: f32, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%i) : memref<?x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<?x4xf32>
  %r = memref.load %a[%c0, %c0] : memref<?x4xf32>
  memref.dealloc %a : memref<?x4xf32>
  return %r : f32
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.memref.alloc_to_alloca
  } : !transform.any_op
  transform.yield
}
// -----
// memref.alloc_to_alloca: 3
func.func @f(%x: f32, %i: index) -> memref<4x4xf32> {
  %a = memref.alloc() {alignment = 64 : i64} : memref<4x4xf32>
  memref.store %x, %a[%i, %i] : memref<4x4xf32>
  return %a : memref<4x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.memref.alloc_to_alloca
  } : !transform.any_op
  transform.yield
}
// -----
// memref.extract_address_computations: 1
func.func @f(%a: memref<3x16x16xf16>, %i: index) -> f16 {
  %c0 = arith.constant 0 : index
  %r = memref.load %a[%i, %i, %c0] : memref<3x16x16xf16>
  return %r : f16
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.memref.extract_address_computations
  } : !transform.any_op
  transform.yield
}
// -----
// memref.extract_address_computations: 2
func.func @f(%a: memref<?x?xf16, strided<[?, ?], offset: ?>>, %i: index, %x: f16) {
  memref.store %x, %a[%i, %i] {nontemporal = true} : memref<?x?xf16, strided<[?, ?], offset: ?>>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.memref.extract_address_computations
  } : !transform.any_op
  transform.yield
}
// -----
// memref.extract_address_computations: 3
func.func @f(%a: memref<2x16x16xf16>, %i: index, %z: f16) -> vector<4x2xf16> {
  %c0 = arith.constant 0 : index
  %r = vector.transfer_read %a[%i, %i, %i], %z {permutation_map = affine_map<(d0, d1, d2) -> (d2, d0)>} : memref<2x16x16xf16>, vector<4x2xf16>
  return %r : vector<4x2xf16>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.memref.extract_address_computations
  } : !transform.any_op
  transform.yield
}
// -----
// memref.extract_address_computations: 4
func.func @f(%a: memref<?x?xf16>, %i: index, %v: vector<4x2xf16>) {
  vector.transfer_write %v, %a[%i, %i] : vector<4x2xf16>, memref<?x?xf16>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.memref.extract_address_computations
  } : !transform.any_op
  transform.yield
}
// -----
// memref.extract_address_computations: 5
func.func @f(%a: memref<?x?xf16>, %i: index, %v: vector<4x2xf16>) {
  %c0 = arith.constant 0 : index
  vector.transfer_write %v, %a[%c0, %c0] : vector<4x2xf16>, memref<?x?xf16>
  %l = memref.load %a[%c0, %c0] : memref<?x?xf16>
  memref.store %l, %a[%i, %c0] : memref<?x?xf16>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.memref.extract_address_computations
  } : !transform.any_op
  transform.yield
}
// -----
// memref.extract_address_computations: 6
func.func @f(%a: tensor<16x16xf16>, %i: index, %z: f16) -> vector<4x2xf16> {
  %r = vector.transfer_read %a[%i, %i], %z : tensor<16x16xf16>, vector<4x2xf16>
  return %r : vector<4x2xf16>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.memref.extract_address_computations
  } : !transform.any_op
  transform.yield
}
// -----
// tensor.bubble_up_extract_slice: 1
func.func @f(%a: tensor<60xf32>, %s: index) -> tensor<1x1x5xf32> {
  %e = tensor.expand_shape %a [[0, 1, 2]] output_shape [2, 3, 10] : tensor<60xf32> into tensor<2x3x10xf32>
  %r = tensor.extract_slice %e[0, 0, 5] [1, 1, 5] [1, 1, 1] : tensor<2x3x10xf32> to tensor<1x1x5xf32>
  return %r : tensor<1x1x5xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.tensor.bubble_up_extract_slice
  } : !transform.any_op
  transform.yield
}
// -----
// tensor.bubble_up_extract_slice: 2
func.func @f(%a: tensor<60xf32>) -> tensor<1x3x10xf32> {
  %e = tensor.expand_shape %a [[0, 1, 2]] output_shape [2, 3, 10] : tensor<60xf32> into tensor<2x3x10xf32>
  %r = tensor.extract_slice %e[1, 0, 0] [1, 3, 10] [1, 1, 1] : tensor<2x3x10xf32> to tensor<1x3x10xf32>
  return %r : tensor<1x3x10xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.tensor.bubble_up_extract_slice
  } : !transform.any_op
  transform.yield
}
// -----
// tensor.bubble_up_extract_slice: 3
func.func @f(%a: tensor<60x4xf32>, %o: index, %z: index) -> tensor<?x1x4xf32> {
  %e = tensor.expand_shape %a [[0, 1], [2]] output_shape [6, 10, 4] : tensor<60x4xf32> into tensor<6x10x4xf32>
  %r = tensor.extract_slice %e[%o, 3, 0] [%z, 1, 4] [1, 1, 1] : tensor<6x10x4xf32> to tensor<?x1x4xf32>
  return %r : tensor<?x1x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.tensor.bubble_up_extract_slice
  } : !transform.any_op
  transform.yield
}
// -----
// tensor.bubble_up_extract_slice: 4
func.func @f(%a: tensor<6x10x4xf32>, %o: index) -> tensor<20x4xf32> {
  %e = tensor.collapse_shape %a [[0, 1], [2]] : tensor<6x10x4xf32> into tensor<60x4xf32>
  %r = tensor.extract_slice %e[20, 0] [20, 4] [1, 1] : tensor<60x4xf32> to tensor<20x4xf32>
  return %r : tensor<20x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.tensor.bubble_up_extract_slice
  } : !transform.any_op
  transform.yield
}
// -----
// tensor.bubble_up_extract_slice: 5
func.func @f(%a: tensor<6x10x4xf32>, %o: index) -> tensor<5x4xf32> {
  %e = tensor.collapse_shape %a [[0, 1], [2]] : tensor<6x10x4xf32> into tensor<60x4xf32>
  %r = tensor.extract_slice %e[25, 0] [5, 4] [1, 1] : tensor<60x4xf32> to tensor<5x4xf32>
  return %r : tensor<5x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.tensor.bubble_up_extract_slice
  } : !transform.any_op
  transform.yield
}
// -----
// memref.resolve_ranked_shaped_type_result_dims: 1
func.func @f(%a: memref<?x?xf32>, %n: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = memref.subview %a[%n, 0] [%n, 4] [1, 1] : memref<?x?xf32> to memref<?x4xf32, strided<[?, 1], offset: ?>>
  %d = memref.dim %s, %c0 : memref<?x4xf32, strided<[?, 1], offset: ?>>
  %al = memref.alloc(%n) : memref<4x?xf32>
  %d2 = memref.dim %al, %c1 : memref<4x?xf32>
  return %d, %d2 : index, index
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.memref.resolve_ranked_shaped_type_result_dims
  } : !transform.any_op
  transform.yield
}
// -----
// memref.resolve_ranked_shaped_type_result_dims: 2
func.func @f(%a: tensor<?x?xf32>, %n: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %a low[%n, 2] high[3, %n] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  %d = tensor.dim %p, %c0 : tensor<?x?xf32>
  %f = linalg.fill ins(%z : f32) outs(%a : tensor<?x?xf32>) -> tensor<?x?xf32>
  %d2 = tensor.dim %f, %c1 : tensor<?x?xf32>
  return %d, %d2 : index, index
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.memref.resolve_ranked_shaped_type_result_dims
  } : !transform.any_op
  transform.yield
}
// -----
// memref.resolve_ranked_shaped_type_result_dims: 3
func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>, %n: index) -> (index, index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %mm = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  %d = tensor.dim %mm, %c0 : tensor<?x?xf32>
  %d1 = tensor.dim %mm, %c1 : tensor<?x?xf32>
  %e = tensor.collapse_shape %a [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %d2 = tensor.dim %e, %c0 : tensor<?xf32>
  %s = tensor.extract_slice %a[0, 0] [%n, 4] [1, 1] : tensor<?x?xf32> to tensor<?x4xf32>
  %d3 = tensor.dim %s, %c0 : tensor<?x4xf32>
  return %d, %d1, %d2, %d3 : index, index, index, index
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.memref.resolve_ranked_shaped_type_result_dims
  } : !transform.any_op
  transform.yield
}
// -----
// alloca limits
func.func @f(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<32xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.store %x, %a[%c0] : memref<32xf32>
  memref.store %x, %b[%c0] : memref<8xf32>
  %v = memref.load %a[%c0] : memref<32xf32>
  %w = memref.load %b[%c0] : memref<8xf32>
  "use"(%w) : (f32) -> ()
  memref.dealloc %a : memref<32xf32>
  memref.dealloc %b : memref<8xf32>
  return %v : f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.memref.alloc_to_alloca size_limit(33)
    } : !transform.any_op
    transform.yield
  }
// -----
// constants: pad of a constant used twice
func.func @f() -> (tensor<1x2xf32>, tensor<2x2xf32>, tensor<3x3xi8>) {
  %z = arith.constant 0.0 : f32
  %cst = arith.constant dense<1.0> : tensor<1x2xf32>
  %p = tensor.pad %cst low[0, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<1x2xf32> to tensor<2x2xf32>
  %g = tensor.generate {
  ^bb0(%i: index, %j: index):
    %c = arith.constant 5 : i8
    tensor.yield %c : i8
  } : tensor<3x3xi8>
  return %cst, %p, %g : tensor<1x2xf32>, tensor<2x2xf32>, tensor<3x3xi8>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.tensor.rewrite_as_constant
    } : !transform.any_op
    transform.yield
  }
// -----
// constants: aggressive pad of a constant used twice
func.func @f() -> (tensor<1x2xf32>, tensor<2x2xf32>) {
  %z = arith.constant 0.0 : f32
  %cst = arith.constant dense<1.0> : tensor<1x2xf32>
  %p = tensor.pad %cst low[0, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<1x2xf32> to tensor<2x2xf32>
  return %cst, %p : tensor<1x2xf32>, tensor<2x2xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.tensor.rewrite_as_constant aggressive
    } : !transform.any_op
    transform.yield
  }
// -----
// constants: pack
func.func @f() -> (tensor<1x1x2x2xf32>, tensor<2x1x2x2xf32>) {
  %z = arith.constant 0.0 : f32
  %cst = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %e = tensor.empty() : tensor<1x1x2x2xf32>
  %r = linalg.pack %cst inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %e : tensor<2x2xf32> -> tensor<1x1x2x2xf32>
  %cst2 = arith.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %e2 = tensor.empty() : tensor<2x1x2x2xf32>
  %r2 = linalg.pack %cst2 padding_value(%z : f32) inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %e2 : tensor<3x2xf32> -> tensor<2x1x2x2xf32>
  return %r, %r2 : tensor<1x1x2x2xf32>, tensor<2x1x2x2xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.tensor.rewrite_as_constant aggressive
    } : !transform.any_op
    transform.yield
  }
// -----
// constants: pack splat
func.func @f() -> (tensor<1x1x2x2xf32>) {
  %cst = arith.constant dense<1.0> : tensor<2x2xf32>
  %e = tensor.empty() : tensor<1x1x2x2xf32>
  %r = linalg.pack %cst inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %e : tensor<2x2xf32> -> tensor<1x1x2x2xf32>
  return %r : tensor<1x1x2x2xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.tensor.rewrite_as_constant
    } : !transform.any_op
    transform.yield
  }
// -----
// alloca limits 32
func.func @f(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<32xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.store %x, %a[%c0] : memref<32xf32>
  memref.store %x, %b[%c0] : memref<8xf32>
  %v = memref.load %a[%c0] : memref<32xf32>
  %w = memref.load %b[%c0] : memref<8xf32>
  "use"(%w) : (f32) -> ()
  memref.dealloc %a : memref<32xf32>
  memref.dealloc %b : memref<8xf32>
  return %v : f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.memref.alloc_to_alloca size_limit(32)
    } : !transform.any_op
    transform.yield
  }
// -----
// alloca limits 128
func.func @f(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<32xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.store %x, %a[%c0] : memref<32xf32>
  memref.store %x, %b[%c0] : memref<8xf32>
  %v = memref.load %a[%c0] : memref<32xf32>
  %w = memref.load %b[%c0] : memref<8xf32>
  "use"(%w) : (f32) -> ()
  memref.dealloc %a : memref<32xf32>
  memref.dealloc %b : memref<8xf32>
  return %v : f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.memref.alloc_to_alloca size_limit(128)
    } : !transform.any_op
    transform.yield
  }
// -----
// expand_ops: atomics
func.func @f(%m: memref<10xf32>, %i: index, %v: f32) -> (f32, f32, f32) {
  %x = memref.atomic_rmw maximumf %v, %m[%i] : (f32, memref<10xf32>) -> f32
  %y = memref.atomic_rmw addf %v, %m[%i] : (f32, memref<10xf32>) -> f32
  %z = memref.atomic_rmw minimumf %v, %m[%i] : (f32, memref<10xf32>) -> f32
  return %x, %y, %z : f32, f32, f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.memref.expand_ops
    } : !transform.any_op
    transform.yield
  }
// -----
// expand_ops: minnumf
func.func @f(%m: memref<10xf32>, %i: index, %v: f32) -> f32 {
  %z = memref.atomic_rmw minnumf %v, %m[%i] : (f32, memref<10xf32>) -> f32
  return %z : f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.memref.expand_ops
    } : !transform.any_op
    transform.yield
  }
// -----
// expand_ops: reshapes
func.func @f(%s: memref<3xi32>, %t: memref<2xindex>, %u: memref<?xindex>, %r: memref<?x?xf32>, %k: memref<16xf32>) -> (memref<?x8x?xf32>, memref<4x4xf32>, memref<*xf32>) {
  %0 = memref.reshape %r(%s) : (memref<?x?xf32>, memref<3xi32>) -> memref<?x8x?xf32>
  %1 = memref.reshape %k(%t) : (memref<16xf32>, memref<2xindex>) -> memref<4x4xf32>
  %2 = memref.reshape %r(%u) : (memref<?x?xf32>, memref<?xindex>) -> memref<*xf32>
  return %0, %1, %2 : memref<?x8x?xf32>, memref<4x4xf32>, memref<*xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.memref.expand_ops
    } : !transform.any_op
    transform.yield
  }
// -----
// generic atomic, realloc, alloca_scope in the payload
func.func @f(%m: memref<10xf32>, %i: index, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %x = memref.generic_atomic_rmw %m[%i] : memref<10xf32> {
  ^bb0(%cur: f32):
    %c = arith.constant 1.0 : f32
    %y = arith.addf %c, %cur : f32
    memref.atomic_yield %y : f32
  }
  %q = memref.alloca_scope -> (f32) {
    %a = memref.alloca() : memref<4xf32>
    memref.store %x, %a[%c0] : memref<4xf32>
    %w = memref.load %a[%i] : memref<4xf32>
    memref.alloca_scope.return %w : f32
  }
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %b = memref.realloc %a(%n) : memref<4xf32> to memref<?xf32>
  %d = memref.realloc %b {alignment = 16} : memref<?xf32> to memref<8xf32>
  %e = memref.load %d[%i] : memref<8xf32>
  memref.dealloc %d : memref<8xf32>
  %g = arith.addf %e, %q : f32
  return %g : f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.yield
  }
