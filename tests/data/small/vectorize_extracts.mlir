// Each script brings its payload.
// -----
// extract 0-D table
func.func @f(%t: tensor<f32>, %o: tensor<1x3xf32>) -> tensor<1x3xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<1x3xf32>) {
  ^bb0(%x: f32):

    %e = tensor.extract %t[] : tensor<f32>
    linalg.yield %e : f32
  } -> tensor<1x3xf32>
  return %r : tensor<1x3xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m {vectorize_nd_extract} : !transform.any_op
  transform.yield
}

// -----
// children extract 0-D table
func.func @f(%t: tensor<f32>, %o: tensor<1x3xf32>) -> tensor<1x3xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<1x3xf32>) {
  ^bb0(%x: f32):

    %e = tensor.extract %t[] : tensor<f32>
    linalg.yield %e : f32
  } -> tensor<1x3xf32>
  return %r : tensor<1x3xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m {vectorize_nd_extract} : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// extract 0-D table no attr
func.func @f(%t: tensor<f32>, %o: tensor<1x3xf32>) -> tensor<1x3xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<1x3xf32>) {
  ^bb0(%x: f32):

    %e = tensor.extract %t[] : tensor<f32>
    linalg.yield %e : f32
  } -> tensor<1x3xf32>
  return %r : tensor<1x3xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m  : !transform.any_op
  transform.yield
}

// -----
// children extract 0-D table no attr
func.func @f(%t: tensor<f32>, %o: tensor<1x3xf32>) -> tensor<1x3xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<1x3xf32>) {
  ^bb0(%x: f32):

    %e = tensor.extract %t[] : tensor<f32>
    linalg.yield %e : f32
  } -> tensor<1x3xf32>
  return %r : tensor<1x3xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m  : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// extract 0-D loops
func.func @f(%t: tensor<3xf32>, %o: tensor<f32>) -> tensor<f32> {
  %r = linalg.generic {indexing_maps = [affine_map<() -> ()>], iterator_types = []} outs(%o : tensor<f32>) {
  ^bb0(%x: f32):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index

    %e = tensor.extract %t[%c1] : tensor<3xf32>
    linalg.yield %e : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m {vectorize_nd_extract} : !transform.any_op
  transform.yield
}

// -----
// extract 0-D loops from outside
func.func @f(%t: tensor<3xf32>, %o: tensor<f32>, %i: index) -> tensor<f32> {
  %r = linalg.generic {indexing_maps = [affine_map<() -> ()>], iterator_types = []} outs(%o : tensor<f32>) {
  ^bb0(%x: f32):

    %e = tensor.extract %t[%i] : tensor<3xf32>
    linalg.yield %e : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m {vectorize_nd_extract} : !transform.any_op
  transform.yield
}

// -----
// extract 1-D table index
func.func @f(%t: tensor<4xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%o : tensor<4xf32>) {
  ^bb0(%x: f32):
    %i = linalg.index 0 : index
    %e = tensor.extract %t[%i] : tensor<4xf32>
    linalg.yield %e : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m {vectorize_nd_extract} : !transform.any_op
  transform.yield
}

// -----
// children extract 1-D table index
func.func @f(%t: tensor<4xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%o : tensor<4xf32>) {
  ^bb0(%x: f32):
    %i = linalg.index 0 : index
    %e = tensor.extract %t[%i] : tensor<4xf32>
    linalg.yield %e : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m {vectorize_nd_extract} : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// extract 1-D table index no attr
func.func @f(%t: tensor<4xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%o : tensor<4xf32>) {
  ^bb0(%x: f32):
    %i = linalg.index 0 : index
    %e = tensor.extract %t[%i] : tensor<4xf32>
    linalg.yield %e : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m  : !transform.any_op
  transform.yield
}

// -----
// children extract 1-D table index no attr
func.func @f(%t: tensor<4xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%o : tensor<4xf32>) {
  ^bb0(%x: f32):
    %i = linalg.index 0 : index
    %e = tensor.extract %t[%i] : tensor<4xf32>
    linalg.yield %e : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m  : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// extract 2-D const no attr
func.func @f(%t: tensor<3x3xf32>, %o: tensor<1x1x3xf32>) -> tensor<1x1x3xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%o : tensor<1x1x3xf32>) {
  ^bb0(%x: f32):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index

    %e = tensor.extract %t[%c1, %c2] : tensor<3x3xf32>
    linalg.yield %e : f32
  } -> tensor<1x1x3xf32>
  return %r : tensor<1x1x3xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m  : !transform.any_op
  transform.yield
}

// -----
// children extract 2-D const no attr
func.func @f(%t: tensor<3x3xf32>, %o: tensor<1x1x3xf32>) -> tensor<1x1x3xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%o : tensor<1x1x3xf32>) {
  ^bb0(%x: f32):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index

    %e = tensor.extract %t[%c1, %c2] : tensor<3x3xf32>
    linalg.yield %e : f32
  } -> tensor<1x1x3xf32>
  return %r : tensor<1x1x3xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m  : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// extract 2-D const
func.func @f(%t: tensor<3x3xf32>, %o: tensor<1x1x3xf32>) -> tensor<1x1x3xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%o : tensor<1x1x3xf32>) {
  ^bb0(%x: f32):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index

    %e = tensor.extract %t[%c1, %c2] : tensor<3x3xf32>
    linalg.yield %e : f32
  } -> tensor<1x1x3xf32>
  return %r : tensor<1x1x3xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m {vectorize_nd_extract} : !transform.any_op
  transform.yield
}

// -----
// children extract 2-D const
func.func @f(%t: tensor<3x3xf32>, %o: tensor<1x1x3xf32>) -> tensor<1x1x3xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%o : tensor<1x1x3xf32>) {
  ^bb0(%x: f32):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index

    %e = tensor.extract %t[%c1, %c2] : tensor<3x3xf32>
    linalg.yield %e : f32
  } -> tensor<1x1x3xf32>
  return %r : tensor<1x1x3xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m {vectorize_nd_extract} : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// extract 2-D outside idx
func.func @f(%t: tensor<3x3xf32>, %o: tensor<1x1x3xf32>, %i: index, %j: index) -> tensor<1x1x3xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%o : tensor<1x1x3xf32>) {
  ^bb0(%x: f32):

    %e = tensor.extract %t[%i, %j] : tensor<3x3xf32>
    linalg.yield %e : f32
  } -> tensor<1x1x3xf32>
  return %r : tensor<1x1x3xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m {vectorize_nd_extract} : !transform.any_op
  transform.yield
}

// -----
// children extract 2-D outside idx
func.func @f(%t: tensor<3x3xf32>, %o: tensor<1x1x3xf32>, %i: index, %j: index) -> tensor<1x1x3xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%o : tensor<1x1x3xf32>) {
  ^bb0(%x: f32):

    %e = tensor.extract %t[%i, %j] : tensor<3x3xf32>
    linalg.yield %e : f32
  } -> tensor<1x1x3xf32>
  return %r : tensor<1x1x3xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m {vectorize_nd_extract} : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// extract contig
func.func @f(%t: tensor<80x16xf32>, %o: tensor<1x4xf32>, %a: index, %b: index) -> tensor<1x4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<1x4xf32>) {
  ^bb0(%x: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.addi %i, %a : index
    %l = arith.addi %j, %b : index
    %e = tensor.extract %t[%k, %l] : tensor<80x16xf32>
    linalg.yield %e : f32
  } -> tensor<1x4xf32>
  return %r : tensor<1x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m {vectorize_nd_extract} : !transform.any_op
  transform.yield
}

// -----
// children extract contig
func.func @f(%t: tensor<80x16xf32>, %o: tensor<1x4xf32>, %a: index, %b: index) -> tensor<1x4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<1x4xf32>) {
  ^bb0(%x: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.addi %i, %a : index
    %l = arith.addi %j, %b : index
    %e = tensor.extract %t[%k, %l] : tensor<80x16xf32>
    linalg.yield %e : f32
  } -> tensor<1x4xf32>
  return %r : tensor<1x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m {vectorize_nd_extract} : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// extract contig const lead
func.func @f(%t: tensor<80x16xf32>, %o: tensor<1x4xf32>, %a: index) -> tensor<1x4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<1x4xf32>) {
  ^bb0(%x: f32):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %j = linalg.index 1 : index
    %l = arith.addi %j, %a : index
    %e = tensor.extract %t[%c1, %l] : tensor<80x16xf32>
    linalg.yield %e : f32
  } -> tensor<1x4xf32>
  return %r : tensor<1x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m {vectorize_nd_extract} : !transform.any_op
  transform.yield
}

// -----
// children extract contig const lead
func.func @f(%t: tensor<80x16xf32>, %o: tensor<1x4xf32>, %a: index) -> tensor<1x4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<1x4xf32>) {
  ^bb0(%x: f32):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %j = linalg.index 1 : index
    %l = arith.addi %j, %a : index
    %e = tensor.extract %t[%c1, %l] : tensor<80x16xf32>
    linalg.yield %e : f32
  } -> tensor<1x4xf32>
  return %r : tensor<1x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m {vectorize_nd_extract} : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// extract contig rank up
func.func @f(%t: tensor<80x16xf32>, %o: tensor<1x1x4xf32>) -> tensor<1x1x4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%o : tensor<1x1x4xf32>) {
  ^bb0(%x: f32):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %j = linalg.index 2 : index
    %e = tensor.extract %t[%c1, %j] : tensor<80x16xf32>
    linalg.yield %e : f32
  } -> tensor<1x1x4xf32>
  return %r : tensor<1x1x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m {vectorize_nd_extract} : !transform.any_op
  transform.yield
}

// -----
// children extract contig rank up
func.func @f(%t: tensor<80x16xf32>, %o: tensor<1x1x4xf32>) -> tensor<1x1x4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%o : tensor<1x1x4xf32>) {
  ^bb0(%x: f32):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %j = linalg.index 2 : index
    %e = tensor.extract %t[%c1, %j] : tensor<80x16xf32>
    linalg.yield %e : f32
  } -> tensor<1x1x4xf32>
  return %r : tensor<1x1x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m {vectorize_nd_extract} : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// extract contig rank down
func.func @f(%t: tensor<5x80x16xf32>, %o: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<1x4xf32>) {
  ^bb0(%x: f32):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %j = linalg.index 1 : index
    %e = tensor.extract %t[%c1, %c0, %j] : tensor<5x80x16xf32>
    linalg.yield %e : f32
  } -> tensor<1x4xf32>
  return %r : tensor<1x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m {vectorize_nd_extract} : !transform.any_op
  transform.yield
}

// -----
// children extract contig rank down
func.func @f(%t: tensor<5x80x16xf32>, %o: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<1x4xf32>) {
  ^bb0(%x: f32):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %j = linalg.index 1 : index
    %e = tensor.extract %t[%c1, %c0, %j] : tensor<5x80x16xf32>
    linalg.yield %e : f32
  } -> tensor<1x4xf32>
  return %r : tensor<1x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m {vectorize_nd_extract} : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// extract gather 2-D out
func.func @f(%t: tensor<80x16xf32>, %o: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<3x4xf32>) {
  ^bb0(%x: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %e = tensor.extract %t[%i, %j] : tensor<80x16xf32>
    linalg.yield %e : f32
  } -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m {vectorize_nd_extract} : !transform.any_op
  transform.yield
}

// -----
// children extract gather 2-D out
func.func @f(%t: tensor<80x16xf32>, %o: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<3x4xf32>) {
  ^bb0(%x: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %e = tensor.extract %t[%i, %j] : tensor<80x16xf32>
    linalg.yield %e : f32
  } -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m {vectorize_nd_extract} : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// extract gather lead varies
func.func @f(%t: tensor<80x16xf32>, %o: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<1x4xf32>) {
  ^bb0(%x: f32):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %j = linalg.index 1 : index
    %e = tensor.extract %t[%j, %c1] : tensor<80x16xf32>
    linalg.yield %e : f32
  } -> tensor<1x4xf32>
  return %r : tensor<1x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m {vectorize_nd_extract} : !transform.any_op
  transform.yield
}

// -----
// children extract gather lead varies
func.func @f(%t: tensor<80x16xf32>, %o: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<1x4xf32>) {
  ^bb0(%x: f32):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %j = linalg.index 1 : index
    %e = tensor.extract %t[%j, %c1] : tensor<80x16xf32>
    linalg.yield %e : f32
  } -> tensor<1x4xf32>
  return %r : tensor<1x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m {vectorize_nd_extract} : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// extract gather strided
func.func @f(%t: tensor<80x16xf32>, %o: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<1x4xf32>) {
  ^bb0(%x: f32):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %j = linalg.index 1 : index
    %k = arith.muli %j, %c2 : index
    %e = tensor.extract %t[%c1, %k] : tensor<80x16xf32>
    linalg.yield %e : f32
  } -> tensor<1x4xf32>
  return %r : tensor<1x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m {vectorize_nd_extract} : !transform.any_op
  transform.yield
}

// -----
// children extract gather strided
func.func @f(%t: tensor<80x16xf32>, %o: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<1x4xf32>) {
  ^bb0(%x: f32):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %j = linalg.index 1 : index
    %k = arith.muli %j, %c2 : index
    %e = tensor.extract %t[%c1, %k] : tensor<80x16xf32>
    linalg.yield %e : f32
  } -> tensor<1x4xf32>
  return %r : tensor<1x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m {vectorize_nd_extract} : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// extract gather both
func.func @f(%t: tensor<80x16xf32>, %o: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<1x4xf32>) {
  ^bb0(%x: f32):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %j = linalg.index 1 : index
    %e = tensor.extract %t[%j, %j] : tensor<80x16xf32>
    linalg.yield %e : f32
  } -> tensor<1x4xf32>
  return %r : tensor<1x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m {vectorize_nd_extract} : !transform.any_op
  transform.yield
}

// -----
// children extract gather both
func.func @f(%t: tensor<80x16xf32>, %o: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<1x4xf32>) {
  ^bb0(%x: f32):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %j = linalg.index 1 : index
    %e = tensor.extract %t[%j, %j] : tensor<80x16xf32>
    linalg.yield %e : f32
  } -> tensor<1x4xf32>
  return %r : tensor<1x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m {vectorize_nd_extract} : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// extract contig sub
func.func @f(%t: tensor<80x16xf32>, %o: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<1x4xf32>) {
  ^bb0(%x: f32):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %j = linalg.index 1 : index
    %k = arith.subi %j, %c2 : index
    %e = tensor.extract %t[%c1, %k] : tensor<80x16xf32>
    linalg.yield %e : f32
  } -> tensor<1x4xf32>
  return %r : tensor<1x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m {vectorize_nd_extract} : !transform.any_op
  transform.yield
}

// -----
// children extract contig sub
func.func @f(%t: tensor<80x16xf32>, %o: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<1x4xf32>) {
  ^bb0(%x: f32):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %j = linalg.index 1 : index
    %k = arith.subi %j, %c2 : index
    %e = tensor.extract %t[%c1, %k] : tensor<80x16xf32>
    linalg.yield %e : f32
  } -> tensor<1x4xf32>
  return %r : tensor<1x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m {vectorize_nd_extract} : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// extract const minus idx
func.func @f(%t: tensor<80x16xf32>, %o: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<1x4xf32>) {
  ^bb0(%x: f32):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %j = linalg.index 1 : index
    %k = arith.subi %c2, %j : index
    %e = tensor.extract %t[%c1, %k] : tensor<80x16xf32>
    linalg.yield %e : f32
  } -> tensor<1x4xf32>
  return %r : tensor<1x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m {vectorize_nd_extract} : !transform.any_op
  transform.yield
}

// -----
// children extract const minus idx
func.func @f(%t: tensor<80x16xf32>, %o: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<1x4xf32>) {
  ^bb0(%x: f32):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %j = linalg.index 1 : index
    %k = arith.subi %c2, %j : index
    %e = tensor.extract %t[%c1, %k] : tensor<80x16xf32>
    linalg.yield %e : f32
  } -> tensor<1x4xf32>
  return %r : tensor<1x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m {vectorize_nd_extract} : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// extract column out
func.func @f(%t: tensor<80x16xf32>, %o: tensor<4x1xf32>) -> tensor<4x1xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<4x1xf32>) {
  ^bb0(%x: f32):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %j = linalg.index 0 : index
    %e = tensor.extract %t[%c1, %j] : tensor<80x16xf32>
    linalg.yield %e : f32
  } -> tensor<4x1xf32>
  return %r : tensor<4x1xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m {vectorize_nd_extract} : !transform.any_op
  transform.yield
}

// -----
// children extract column out
func.func @f(%t: tensor<80x16xf32>, %o: tensor<4x1xf32>) -> tensor<4x1xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<4x1xf32>) {
  ^bb0(%x: f32):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %j = linalg.index 0 : index
    %e = tensor.extract %t[%c1, %j] : tensor<80x16xf32>
    linalg.yield %e : f32
  } -> tensor<4x1xf32>
  return %r : tensor<4x1xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m {vectorize_nd_extract} : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// extract column out const
func.func @f(%t: tensor<80x16xf32>, %o: tensor<4x1xf32>) -> tensor<4x1xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<4x1xf32>) {
  ^bb0(%x: f32):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index

    %e = tensor.extract %t[%c1, %c0] : tensor<80x16xf32>
    linalg.yield %e : f32
  } -> tensor<4x1xf32>
  return %r : tensor<4x1xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m {vectorize_nd_extract} : !transform.any_op
  transform.yield
}

// -----
// children extract column out const
func.func @f(%t: tensor<80x16xf32>, %o: tensor<4x1xf32>) -> tensor<4x1xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<4x1xf32>) {
  ^bb0(%x: f32):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index

    %e = tensor.extract %t[%c1, %c0] : tensor<80x16xf32>
    linalg.yield %e : f32
  } -> tensor<4x1xf32>
  return %r : tensor<4x1xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m {vectorize_nd_extract} : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// extract index from loop 0
func.func @f(%t: tensor<80x16xf32>, %o: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<1x4xf32>) {
  ^bb0(%x: f32):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %j = linalg.index 0 : index
    %e = tensor.extract %t[%c1, %j] : tensor<80x16xf32>
    linalg.yield %e : f32
  } -> tensor<1x4xf32>
  return %r : tensor<1x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m {vectorize_nd_extract} : !transform.any_op
  transform.yield
}

// -----
// children extract index from loop 0
func.func @f(%t: tensor<80x16xf32>, %o: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<1x4xf32>) {
  ^bb0(%x: f32):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %j = linalg.index 0 : index
    %e = tensor.extract %t[%c1, %j] : tensor<80x16xf32>
    linalg.yield %e : f32
  } -> tensor<1x4xf32>
  return %r : tensor<1x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m {vectorize_nd_extract} : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// extract masked contig
func.func @f(%t: tensor<80x16xf32>, %o: tensor<1x3xf32>) -> tensor<1x3xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<1x3xf32>) {
  ^bb0(%x: f32):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %j = linalg.index 1 : index
    %e = tensor.extract %t[%c1, %j] : tensor<80x16xf32>
    linalg.yield %e : f32
  } -> tensor<1x3xf32>
  return %r : tensor<1x3xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m vector_sizes [1, 4] {vectorize_nd_extract} : !transform.any_op
  transform.yield
}

// -----
// extract masked gather
func.func @f(%t: tensor<80x16xf32>, %o: tensor<1x3xf32>) -> tensor<1x3xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<1x3xf32>) {
  ^bb0(%x: f32):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %j = linalg.index 1 : index
    %e = tensor.extract %t[%j, %c1] : tensor<80x16xf32>
    linalg.yield %e : f32
  } -> tensor<1x3xf32>
  return %r : tensor<1x3xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m vector_sizes [1, 4] {vectorize_nd_extract} : !transform.any_op
  transform.yield
}

// -----
// extract masked scalar
func.func @f(%t: tensor<80x16xf32>, %o: tensor<1x3xf32>) -> tensor<1x3xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<1x3xf32>) {
  ^bb0(%x: f32):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index

    %e = tensor.extract %t[%c2, %c1] : tensor<80x16xf32>
    linalg.yield %e : f32
  } -> tensor<1x3xf32>
  return %r : tensor<1x3xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m vector_sizes [1, 4] {vectorize_nd_extract} : !transform.any_op
  transform.yield
}

// -----
// extract all ones
func.func @f(%t: tensor<80x16xf32>, %o: tensor<1x1xf32>) -> tensor<1x1xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<1x1xf32>) {
  ^bb0(%x: f32):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %j = linalg.index 1 : index
    %e = tensor.extract %t[%c1, %j] : tensor<80x16xf32>
    linalg.yield %e : f32
  } -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m {vectorize_nd_extract} : !transform.any_op
  transform.yield
}

// -----
// children extract all ones
func.func @f(%t: tensor<80x16xf32>, %o: tensor<1x1xf32>) -> tensor<1x1xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<1x1xf32>) {
  ^bb0(%x: f32):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %j = linalg.index 1 : index
    %e = tensor.extract %t[%c1, %j] : tensor<80x16xf32>
    linalg.yield %e : f32
  } -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m {vectorize_nd_extract} : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// extract unit table
func.func @f(%t: tensor<1x16xf32>, %o: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<1x4xf32>) {
  ^bb0(%x: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %e = tensor.extract %t[%j, %j] : tensor<1x16xf32>
    linalg.yield %e : f32
  } -> tensor<1x4xf32>
  return %r : tensor<1x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m {vectorize_nd_extract} : !transform.any_op
  transform.yield
}

// -----
// children extract unit table
func.func @f(%t: tensor<1x16xf32>, %o: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<1x4xf32>) {
  ^bb0(%x: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %e = tensor.extract %t[%j, %j] : tensor<1x16xf32>
    linalg.yield %e : f32
  } -> tensor<1x4xf32>
  return %r : tensor<1x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m {vectorize_nd_extract} : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// extract dyn table
func.func @f(%t: tensor<?x?xf32>, %o: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<1x4xf32>) {
  ^bb0(%x: f32):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %j = linalg.index 1 : index
    %e = tensor.extract %t[%c1, %j] : tensor<?x?xf32>
    linalg.yield %e : f32
  } -> tensor<1x4xf32>
  return %r : tensor<1x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m {vectorize_nd_extract} : !transform.any_op
  transform.yield
}

// -----
// children extract dyn table
func.func @f(%t: tensor<?x?xf32>, %o: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<1x4xf32>) {
  ^bb0(%x: f32):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %j = linalg.index 1 : index
    %e = tensor.extract %t[%c1, %j] : tensor<?x?xf32>
    linalg.yield %e : f32
  } -> tensor<1x4xf32>
  return %r : tensor<1x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m {vectorize_nd_extract} : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// extract dyn table gather
func.func @f(%t: tensor<?x?xf32>, %o: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<1x4xf32>) {
  ^bb0(%x: f32):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %j = linalg.index 1 : index
    %e = tensor.extract %t[%j, %j] : tensor<?x?xf32>
    linalg.yield %e : f32
  } -> tensor<1x4xf32>
  return %r : tensor<1x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m {vectorize_nd_extract} : !transform.any_op
  transform.yield
}

// -----
// children extract dyn table gather
func.func @f(%t: tensor<?x?xf32>, %o: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<1x4xf32>) {
  ^bb0(%x: f32):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %j = linalg.index 1 : index
    %e = tensor.extract %t[%j, %j] : tensor<?x?xf32>
    linalg.yield %e : f32
  } -> tensor<1x4xf32>
  return %r : tensor<1x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m {vectorize_nd_extract} : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// extract 3d gather
func.func @f(%t: tensor<3x3x3xf32>, %o: tensor<2x2x2xf32>) -> tensor<2x2x2xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%o : tensor<2x2x2xf32>) {
  ^bb0(%x: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %e = tensor.extract %t[%i, %j, %k] : tensor<3x3x3xf32>
    linalg.yield %e : f32
  } -> tensor<2x2x2xf32>
  return %r : tensor<2x2x2xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m {vectorize_nd_extract} : !transform.any_op
  transform.yield
}

// -----
// children extract 3d gather
func.func @f(%t: tensor<3x3x3xf32>, %o: tensor<2x2x2xf32>) -> tensor<2x2x2xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%o : tensor<2x2x2xf32>) {
  ^bb0(%x: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %e = tensor.extract %t[%i, %j, %k] : tensor<3x3x3xf32>
    linalg.yield %e : f32
  } -> tensor<2x2x2xf32>
  return %r : tensor<2x2x2xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m {vectorize_nd_extract} : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// extract index cast table
func.func @f(%t: tensor<16xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%o : tensor<4xf32>) {
  ^bb0(%x: f32):
    %i = linalg.index 0 : index
    %a = arith.index_cast %i : index to i32
    %b = arith.index_cast %a : i32 to index
    %e = tensor.extract %t[%b] : tensor<16xf32>
    linalg.yield %e : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m {vectorize_nd_extract} : !transform.any_op
  transform.yield
}

// -----
// children extract index cast table
func.func @f(%t: tensor<16xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%o : tensor<4xf32>) {
  ^bb0(%x: f32):
    %i = linalg.index 0 : index
    %a = arith.index_cast %i : index to i32
    %b = arith.index_cast %a : i32 to index
    %e = tensor.extract %t[%b] : tensor<16xf32>
    linalg.yield %e : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m {vectorize_nd_extract} : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// extract index inputs
func.func @f(%t: tensor<3x3xf32>, %a: tensor<1x1x3xi32>, %b: tensor<1x1x3xi32>, %o: tensor<1x1x3xf32>) -> tensor<1x1x3xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a, %b : tensor<1x1x3xi32>, tensor<1x1x3xi32>) outs(%o : tensor<1x1x3xf32>) {
  ^bb0(%x: i32, %y: i32, %z: f32):
    %i = arith.index_cast %x : i32 to index
    %j = arith.index_cast %y : i32 to index
    %e = tensor.extract %t[%i, %j] : tensor<3x3xf32>
    linalg.yield %e : f32
  } -> tensor<1x1x3xf32>
  return %r : tensor<1x1x3xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m {vectorize_nd_extract} : !transform.any_op
  transform.yield
}

// -----
// children extract index inputs
func.func @f(%t: tensor<3x3xf32>, %a: tensor<1x1x3xi32>, %b: tensor<1x1x3xi32>, %o: tensor<1x1x3xf32>) -> tensor<1x1x3xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a, %b : tensor<1x1x3xi32>, tensor<1x1x3xi32>) outs(%o : tensor<1x1x3xf32>) {
  ^bb0(%x: i32, %y: i32, %z: f32):
    %i = arith.index_cast %x : i32 to index
    %j = arith.index_cast %y : i32 to index
    %e = tensor.extract %t[%i, %j] : tensor<3x3xf32>
    linalg.yield %e : f32
  } -> tensor<1x1x3xf32>
  return %r : tensor<1x1x3xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.structured.vectorize_children_and_apply_patterns %m {vectorize_nd_extract} : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// extract index inputs no attr
func.func @f(%t: tensor<3x3xf32>, %a: tensor<1x1x3xi32>, %b: tensor<1x1x3xi32>, %o: tensor<1x1x3xf32>) -> tensor<1x1x3xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a, %b : tensor<1x1x3xi32>, tensor<1x1x3xi32>) outs(%o : tensor<1x1x3xf32>) {
  ^bb0(%x: i32, %y: i32, %z: f32):
    %i = arith.index_cast %x : i32 to index
    %j = arith.index_cast %y : i32 to index
    %e = tensor.extract %t[%i, %j] : tensor<3x3xf32>
    linalg.yield %e : f32
  } -> tensor<1x1x3xf32>
  return %r : tensor<1x1x3xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m  : !transform.any_op
  transform.yield
}

// -----
// dyn extract
func.func @f(%t: tensor<?x?xf32>, %o: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<?x?xf32>) {
  ^bb0(%x: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %e = tensor.extract %t[%i, %j] : tensor<?x?xf32>
    linalg.yield %e : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %m vector_sizes [1, 4] {vectorize_nd_extract} : !transform.any_op
  transform.yield
}
