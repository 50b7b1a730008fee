// -----
// inner: read static
func.func @f(%m: memref<1x1x8x1xf32>, %i: index) -> vector<1x8x1xf32> {
  %c0 = arith.constant 0 : index
  %p = arith.constant 0.0 : f32
  %r = vector.transfer_read %m[%c0, %c0, %i, %c0], %p {in_bounds = [true, true, true]} : memref<1x1x8x1xf32>, vector<1x8x1xf32>
  return %r : vector<1x8x1xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.vector.drop_inner_most_unit_dims_from_xfer_ops
    } : !transform.any_op
    transform.yield
  }
// -----
// inner: read strided, two dims
func.func @f(%m: memref<8x16x1x1xf32, strided<[16, 1, 1, 1], offset: ?>>, %i: index, %n: memref<2x4xf32>) -> vector<4x1x1xf32> {
  %c0 = arith.constant 0 : index
  %p = arith.constant 0.0 : f32
  %r = vector.transfer_read %m[%i, %i, %c0, %c0], %p {in_bounds = [true, true, true]} : memref<8x16x1x1xf32, strided<[16, 1, 1, 1], offset: ?>>, vector<4x1x1xf32>
  return %r : vector<4x1x1xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.vector.drop_inner_most_unit_dims_from_xfer_ops
    } : !transform.any_op
    transform.yield
  }
// -----
// inner: read dynamic
func.func @f(%m: memref<?x?x1xf32>, %i: index) -> vector<8x4x1xf32> {
  %c0 = arith.constant 0 : index
  %p = arith.constant 0.0 : f32
  %r = vector.transfer_read %m[%i, %i, %c0], %p {in_bounds = [false, true, true]} : memref<?x?x1xf32>, vector<8x4x1xf32>
  return %r : vector<8x4x1xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.vector.drop_inner_most_unit_dims_from_xfer_ops
    } : !transform.any_op
    transform.yield
  }
// -----
// inner: write
func.func @f(%m: memref<1x512x16x1xf32>, %v: vector<1x16x16x1xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  vector.transfer_write %v, %m[%c0, %i, %c0, %c0] {in_bounds = [true, true, true, true]} : vector<1x16x16x1xf32>, memref<1x512x16x1xf32>
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.vector.drop_inner_most_unit_dims_from_xfer_ops
    } : !transform.any_op
    transform.yield
  }
// -----
// inner: left alone
func.func @f(%m: memref<4x1xf32>, %n: memref<4x2xf32>, %t: tensor<4x1xf32>, %s: memref<4x1xf32, strided<[4, 2]>>, %v: vector<1xf32>) -> (vector<4x1xf32>, vector<4x1xf32>, vector<4x1xf32>, vector<4x1xf32>) {
  %c0 = arith.constant 0 : index
  %p = arith.constant 0.0 : f32
  %a = vector.transfer_read %m[%c0, %c0], %p {in_bounds = [true, false]} : memref<4x1xf32>, vector<4x1xf32>
  %b = vector.transfer_read %n[%c0, %c0], %p {in_bounds = [true, true]} : memref<4x2xf32>, vector<4x1xf32>
  %c = vector.transfer_read %t[%c0, %c0], %p {in_bounds = [true, true]} : tensor<4x1xf32>, vector<4x1xf32>
  %d = vector.transfer_read %s[%c0, %c0], %p {in_bounds = [true, true]} : memref<4x1xf32, strided<[4, 2]>>, vector<4x1xf32>
  vector.transfer_write %v, %m[%c0, %c0] {in_bounds = [true]} : vector<1xf32>, memref<4x1xf32>
  return %a, %b, %c, %d : vector<4x1xf32>, vector<4x1xf32>, vector<4x1xf32>, vector<4x1xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.vector.drop_inner_most_unit_dims_from_xfer_ops
    } : !transform.any_op
    transform.yield
  }
// -----
// inner: nonzero index
func.func @f(%m: memref<4x1xf32>, %i: index) -> vector<4x1xf32> {
  %c0 = arith.constant 0 : index
  %p = arith.constant 0.0 : f32
  %a = vector.transfer_read %m[%c0, %i], %p {in_bounds = [true, true]} : memref<4x1xf32>, vector<4x1xf32>
  return %a : vector<4x1xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.vector.drop_inner_most_unit_dims_from_xfer_ops
    } : !transform.any_op
    transform.yield
  }
// -----
// rank: read
func.func @f(%m: memref<1x1x3x2xi8, strided<[6, 6, 2, 1], offset: ?>>) -> vector<3x2xi8> {
  %c0 = arith.constant 0 : index
  %p = arith.constant 0 : i8
  %r = vector.transfer_read %m[%c0, %c0, %c0, %c0], %p {in_bounds = [true, true]} : memref<1x1x3x2xi8, strided<[6, 6, 2, 1], offset: ?>>, vector<3x2xi8>
  return %r : vector<3x2xi8>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.vector.rank_reducing_subview_patterns
    } : !transform.any_op
    transform.yield
  }
// -----
// rank: write with unit dims in vector
func.func @f(%m: memref<1x8x1x4xf32>, %v: vector<1x8x1x4xf32>) {
  %c0 = arith.constant 0 : index
  vector.transfer_write %v, %m[%c0, %c0, %c0, %c0] {in_bounds = [true, true, true, true]} : vector<1x8x1x4xf32>, memref<1x8x1x4xf32>
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.vector.rank_reducing_subview_patterns
    } : !transform.any_op
    transform.yield
  }
// -----
// rank: single element
func.func @f(%m: memref<1x1xf32>) -> vector<1x1xf32> {
  %c0 = arith.constant 0 : index
  %p = arith.constant 0.0 : f32
  %r = vector.transfer_read %m[%c0, %c0], %p {in_bounds = [true, true]} : memref<1x1xf32>, vector<1x1xf32>
  return %r : vector<1x1xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.vector.rank_reducing_subview_patterns
    } : !transform.any_op
    transform.yield
  }
// -----
// rank: left alone
func.func @f(%m: memref<1x8xf32>, %n: memref<1x?x4xf32>, %i: index, %t: tensor<1x8xf32>) -> (vector<8xf32>, vector<8xf32>, vector<4x4xf32>, vector<1x8xf32>) {
  %c0 = arith.constant 0 : index
  %p = arith.constant 0.0 : f32
  %a = vector.transfer_read %m[%i, %c0], %p {in_bounds = [true]} : memref<1x8xf32>, vector<8xf32>
  %b = vector.transfer_read %m[%c0, %c0], %p {in_bounds = [false]} : memref<1x8xf32>, vector<8xf32>
  %c = vector.transfer_read %n[%c0, %c0, %c0], %p {in_bounds = [true, true]} : memref<1x?x4xf32>, vector<4x4xf32>
  %d = vector.transfer_read %t[%c0, %c0], %p {in_bounds = [true, true]} : tensor<1x8xf32>, vector<1x8xf32>
  return %a, %b, %c, %d : vector<8xf32>, vector<8xf32>, vector<4x4xf32>, vector<1x8xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.vector.rank_reducing_subview_patterns
    } : !transform.any_op
    transform.yield
  }
// -----
// buf reshapes: dynamic, scalar
func.func @f(%a: memref<1x?x1x?xf32, 3>, %s: f32, %o: memref<?x1x?x1x1xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j, k, l, m) -> (i, k, j, l)>, affine_map<(i, j, k, l, m) -> ()>, affine_map<(i, j, k, l, m) -> (k, j, l, i, m)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%a, %s : memref<1x?x1x?xf32, 3>, f32) outs(%o : memref<?x1x?x1x1xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %v = arith.addf %x, %y : f32
    linalg.yield %v : f32
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.linalg.fold_unit_extent_dims_via_reshapes
    } : !transform.any_op
    transform.yield
  }
// -----
// buf reshapes: strided
func.func @f(%a: memref<1x5xf32, strided<[10, 2]>>, %o: memref<1x5xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a : memref<1x5xf32, strided<[10, 2]>>) outs(%o : memref<1x5xf32>) {
  ^bb0(%x: f32, %z: f32):
    linalg.yield %x : f32
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.linalg.fold_unit_extent_dims_via_reshapes
    } : !transform.any_op
    transform.yield
  }
// -----
// buf slices: all units, index
func.func @f(%a: memref<1x1xindex>, %o: memref<1x1xindex>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a : memref<1x1xindex>) outs(%o : memref<1x1xindex>) {
  ^bb0(%x: index, %z: index):
    %i = linalg.index 1 : index
    %v = arith.addi %x, %i : index
    linalg.yield %v : index
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.linalg.fold_unit_extent_dims_via_slices
    } : !transform.any_op
    transform.yield
  }
// -----
// buf split
func.func @f(%a: memref<100xf32>, %b: memref<100xf32>) {
  linalg.exp ins(%a : memref<100xf32>) outs(%b : memref<100xf32>)
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %s = transform.structured.split %m after 42 {dimension = 0} : !transform.any_op
    transform.yield
  }
// -----
// buf transpose conv
func.func @f(%a: memref<1x4x6x3xf32>, %b: memref<8x2x3x3xf32>, %c: memref<1x3x4x8xf32>) {
  linalg.conv_2d_nhwc_fhwc ins(%a, %b : memref<1x4x6x3xf32>, memref<8x2x3x3xf32>) outs(%c : memref<1x3x4x8xf32>)
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.conv_2d_nhwc_fhwc"]} in %root : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.transpose_conv2d %m : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
// -----
// buf unit dims slices
func.func @f(%a: memref<1x5xf32>, %o: memref<1x5xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a : memref<1x5xf32>) outs(%o : memref<1x5xf32>) {
  ^bb0(%x: f32, %z: f32):
    %v = arith.addf %z, %x : f32
    linalg.yield %v : f32
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.linalg.fold_unit_extent_dims_via_slices
    } : !transform.any_op
    transform.yield
  }
// -----
// buf unit dims reshapes
func.func @f(%a: memref<1x5xf32>, %o: memref<1x5xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a : memref<1x5xf32>) outs(%o : memref<1x5xf32>) {
  ^bb0(%x: f32, %z: f32):
    %v = arith.addf %z, %x : f32
    linalg.yield %v : f32
  }
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.linalg.fold_unit_extent_dims_via_reshapes
    } : !transform.any_op
    transform.yield
  }
