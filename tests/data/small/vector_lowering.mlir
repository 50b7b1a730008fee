// Each script brings its payload.
// -----
// multi innerparallel: 2x4 add
func.func @f(%a: vector<2x4xf32>, %c: vector<2xf32>) -> vector<2xf32> {
  %0 = vector.multi_reduction <add>, %a, %c [1] : vector<2x4xf32> to vector<2xf32>
  return %0 : vector<2xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.lower_multi_reduction lowering_strategy = "innerparallel"
  } : !transform.any_op
  transform.yield
}

// -----
// multi innerreduction: 2x4 maxnumf
func.func @f(%a: vector<2x4xf32>, %c: vector<2xf32>) -> vector<2xf32> {
  %0 = vector.multi_reduction <maxnumf>, %a, %c [1] : vector<2x4xf32> to vector<2xf32>
  return %0 : vector<2xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.lower_multi_reduction lowering_strategy = "innerreduction"
  } : !transform.any_op
  transform.yield
}

// -----
// multi innerreduction: int 2x4 xor
func.func @f(%a: vector<2x4xi32>, %c: vector<2xi32>) -> vector<2xi32> {
  %0 = vector.multi_reduction <xor>, %a, %c [1] : vector<2x4xi32> to vector<2xi32>
  return %0 : vector<2xi32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.lower_multi_reduction lowering_strategy = "innerreduction"
  } : !transform.any_op
  transform.yield
}

// -----
// multi innerparallel: 3d 0 2
func.func @f(%a: vector<2x3x4xf32>, %c: vector<3xf32>) -> vector<3xf32> {
  %0 = vector.multi_reduction <add>, %a, %c [0, 2] : vector<2x3x4xf32> to vector<3xf32>
  return %0 : vector<3xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.lower_multi_reduction lowering_strategy = "innerparallel"
  } : !transform.any_op
  transform.yield
}

// -----
// multi innerreduction: 3d 0 2
func.func @f(%a: vector<2x3x4xf32>, %c: vector<3xf32>) -> vector<3xf32> {
  %0 = vector.multi_reduction <add>, %a, %c [0, 2] : vector<2x3x4xf32> to vector<3xf32>
  return %0 : vector<3xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.lower_multi_reduction lowering_strategy = "innerreduction"
  } : !transform.any_op
  transform.yield
}

// -----
// multi innerparallel: 3d all
func.func @f(%a: vector<2x3x4xf32>, %c: f32) -> f32 {
  %0 = vector.multi_reduction <add>, %a, %c [0, 1, 2] : vector<2x3x4xf32> to f32
  return %0 : f32
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.lower_multi_reduction lowering_strategy = "innerparallel"
  } : !transform.any_op
  transform.yield
}

// -----
// multi innerreduction: 1d
func.func @f(%a: vector<4xf32>, %c: f32) -> f32 {
  %0 = vector.multi_reduction <add>, %a, %c [0] : vector<4xf32> to f32
  return %0 : f32
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.lower_multi_reduction lowering_strategy = "innerreduction"
  } : !transform.any_op
  transform.yield
}

// -----
// multi innerparallel: masked 2x4
func.func @f(%a: vector<2x4xf32>, %c: vector<2xf32>, %m: vector<2x4xi1>) -> vector<2xf32> {
  %0 = vector.mask %m { vector.multi_reduction <add>, %a, %c [1] : vector<2x4xf32> to vector<2xf32> } : vector<2x4xi1> -> vector<2xf32>
  return %0 : vector<2xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.lower_multi_reduction lowering_strategy = "innerparallel"
  } : !transform.any_op
  transform.yield
}

// -----
// multi innerreduction: masked 3d 0 1
func.func @f(%a: vector<2x3x4xf32>, %c: vector<4xf32>, %m: vector<2x3x4xi1>) -> vector<4xf32> {
  %0 = vector.mask %m { vector.multi_reduction <add>, %a, %c [0, 1] : vector<2x3x4xf32> to vector<4xf32> } : vector<2x3x4xi1> -> vector<4xf32>
  return %0 : vector<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.lower_multi_reduction lowering_strategy = "innerreduction"
  } : !transform.any_op
  transform.yield
}

// -----
// multi innerreduction: masked 1d
func.func @f(%a: vector<4xf32>, %c: f32, %m: vector<4xi1>) -> f32 {
  %0 = vector.mask %m { vector.multi_reduction <add>, %a, %c [0] : vector<4xf32> to f32 } : vector<4xi1> -> f32
  return %0 : f32
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.lower_multi_reduction lowering_strategy = "innerreduction"
  } : !transform.any_op
  transform.yield
}

// -----
// transpose eltwise 2x4 (1, 0)
func.func @f(%a: vector<2x4xindex>) -> vector<4x2xindex> {
  %0 = vector.transpose %a, [1, 0] : vector<2x4xindex> to vector<4x2xindex>
  return %0 : vector<4x2xindex>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.lower_transpose lowering_strategy = "eltwise"
  } : !transform.any_op
  transform.yield
}

// -----
// transpose eltwise 2x3x4 (1, 0, 2)
func.func @f(%a: vector<2x3x4xf32>) -> vector<3x2x4xf32> {
  %0 = vector.transpose %a, [1, 0, 2] : vector<2x3x4xf32> to vector<3x2x4xf32>
  return %0 : vector<3x2x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.lower_transpose lowering_strategy = "eltwise"
  } : !transform.any_op
  transform.yield
}

// -----
// transpose shuffle_1d 1x4x1x3 (0, 3, 2, 1)
func.func @f(%a: vector<1x4x1x3xf32>) -> vector<1x3x1x4xf32> {
  %0 = vector.transpose %a, [0, 3, 2, 1] : vector<1x4x1x3xf32> to vector<1x3x1x4xf32>
  return %0 : vector<1x3x1x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.lower_transpose lowering_strategy = "shuffle_1d"
  } : !transform.any_op
  transform.yield
}

// -----
// transpose shuffle_16x16 16x16 (1, 0)
func.func @f(%a: vector<16x16xf32>) -> vector<16x16xf32> {
  %0 = vector.transpose %a, [1, 0] : vector<16x16xf32> to vector<16x16xf32>
  return %0 : vector<16x16xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.lower_transpose lowering_strategy = "shuffle_16x16"
  } : !transform.any_op
  transform.yield
}

// -----
// transpose eltwise 2x4x1 (0, 2, 1)
func.func @f(%a: vector<2x4x1xf32>) -> vector<2x1x4xf32> {
  %0 = vector.transpose %a, [0, 2, 1] : vector<2x4x1xf32> to vector<2x1x4xf32>
  return %0 : vector<2x1x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.lower_transpose lowering_strategy = "eltwise"
  } : !transform.any_op
  transform.yield
}

// -----
// transpose default
func.func @f(%a: vector<2x4xf32>) -> vector<4x2xf32> {
  %0 = vector.transpose %a, [1, 0] : vector<2x4xf32> to vector<4x2xf32>
  return %0 : vector<4x2xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.lower_transpose
  } : !transform.any_op
  transform.yield
}

// -----
// broadcast 2 4x3x2
func.func @f(%a: vector<2xf32>) -> vector<4x3x2xf32> {
  %0 = vector.broadcast %a : vector<2xf32> to vector<4x3x2xf32>
  return %0 : vector<4x3x2xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.lower_broadcast
  } : !transform.any_op
  transform.yield
}

// -----
// broadcast 3x1x2 3x4x2
func.func @f(%a: vector<3x1x2xf32>) -> vector<3x4x2xf32> {
  %0 = vector.broadcast %a : vector<3x1x2xf32> to vector<3x4x2xf32>
  return %0 : vector<3x4x2xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.lower_broadcast
  } : !transform.any_op
  transform.yield
}

// -----
// broadcast 1 4
func.func @f(%a: vector<1xf32>) -> vector<4xf32> {
  %0 = vector.broadcast %a : vector<1xf32> to vector<4xf32>
  return %0 : vector<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.lower_broadcast
  } : !transform.any_op
  transform.yield
}

// -----
// broadcast 0d 2d
func.func @f(%a: vector<f32>) -> vector<3x2xf32> {
  %0 = vector.broadcast %a : vector<f32> to vector<3x2xf32>
  return %0 : vector<3x2xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.lower_broadcast
  } : !transform.any_op
  transform.yield
}

// -----
// shape_cast 2x4 8
func.func @f(%a: vector<2x4xf32>) -> vector<8xf32> {
  %0 = vector.shape_cast %a : vector<2x4xf32> to vector<8xf32>
  return %0 : vector<8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.lower_shape_cast
  } : !transform.any_op
  transform.yield
}

// -----
// shape_cast 4x6 6x4
func.func @f(%a: vector<4x6xf32>) -> vector<6x4xf32> {
  %0 = vector.shape_cast %a : vector<4x6xf32> to vector<6x4xf32>
  return %0 : vector<6x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.lower_shape_cast
  } : !transform.any_op
  transform.yield
}

// -----
// shape_cast 2x3 3x2
func.func @f(%a: vector<2x3xf32>) -> vector<3x2xf32> {
  %0 = vector.shape_cast %a : vector<2x3xf32> to vector<3x2xf32>
  return %0 : vector<3x2xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.lower_shape_cast
  } : !transform.any_op
  transform.yield
}

// -----
// shape_cast 4 1x1x4
func.func @f(%a: vector<4xf32>) -> vector<1x1x4xf32> {
  %0 = vector.shape_cast %a : vector<4xf32> to vector<1x1x4xf32>
  return %0 : vector<1x1x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.lower_shape_cast
  } : !transform.any_op
  transform.yield
}

// -----
// shape_cast 2x2x3x4 8x6
func.func @f(%a: vector<2x2x3x4xf32>) -> vector<8x6xf32> {
  %0 = vector.shape_cast %a : vector<2x2x3x4xf32> to vector<8x6xf32>
  return %0 : vector<8x6xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.lower_shape_cast
  } : !transform.any_op
  transform.yield
}

// -----
// vector.lower_masks create 3d
func.func @f(%n: index, %m: index) -> vector<2x3x4xi1> {
  %c = arith.constant 1 : index
  %0 = vector.create_mask %n, %c, %m : vector<2x3x4xi1>
  return %0 : vector<2x3x4xi1>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.lower_masks
  } : !transform.any_op
  transform.yield
}

// -----
// vector.lower_create_mask constant 2d
func.func @f() -> vector<4x3xi1> {
  %0 = vector.constant_mask [2, 2] : vector<4x3xi1>
  return %0 : vector<4x3xi1>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.lower_create_mask
  } : !transform.any_op
  transform.yield
}

// -----
// vector.materialize_masks create 1d
func.func @f(%n: index) -> vector<4xi1> {
  %0 = vector.create_mask %n : vector<4xi1>
  return %0 : vector<4xi1>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.materialize_masks
  } : !transform.any_op
  transform.yield
}

// -----
// both masks
func.func @f(%n: index, %m: index) -> vector<2x1xi1> {
  %0 = vector.create_mask %n, %m : vector<2x1xi1>
  return %0 : vector<2x1xi1>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.lower_masks
    transform.apply_patterns.vector.materialize_masks
  } : !transform.any_op
  transform.yield
}

// -----
// materialize masked read memref<3x?xf32>
func.func @f(%s: memref<3x?xf32>, %i: index, %m: vector<4xi1>) -> vector<4xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %i], %p, %m : memref<3x?xf32>, vector<4xf32>
  return %0 : vector<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.materialize_masks
  } : !transform.any_op
  transform.yield
}

// -----
// materialize write tensor
func.func @f(%s: tensor<?xf32>, %i: index, %v: vector<4xf32>) -> tensor<?xf32> {
  %0 = vector.transfer_write %v, %s[%i] : vector<4xf32>, tensor<?xf32>
  return %0 : tensor<?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.materialize_masks
  } : !transform.any_op
  transform.yield
}

// -----
// materialize read tensor<?xf32>
func.func @f(%s: tensor<?xf32>, %i: index) -> vector<4xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i], %p : tensor<?xf32>, vector<4xf32>
  return %0 : vector<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.materialize_masks
  } : !transform.any_op
  transform.yield
}

// -----
// scan true add
func.func @f(%a: vector<2x3xi32>, %b: vector<2xi32>) -> (vector<2x3xi32>, vector<2xi32>) {
  %0:2 = vector.scan <add>, %a, %b {inclusive = true, reduction_dim = 1} : vector<2x3xi32>, vector<2xi32>
  return %0#0, %0#1 : vector<2x3xi32>, vector<2xi32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.lower_scan
  } : !transform.any_op
  transform.yield
}

// -----
// scan false mul
func.func @f(%a: vector<2x3xi32>, %b: vector<2xi32>) -> (vector<2x3xi32>, vector<2xi32>) {
  %0:2 = vector.scan <mul>, %a, %b {inclusive = false, reduction_dim = 1} : vector<2x3xi32>, vector<2xi32>
  return %0#0, %0#1 : vector<2x3xi32>, vector<2xi32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.lower_scan
  } : !transform.any_op
  transform.yield
}

// -----
// scan 1d false
func.func @f(%a: vector<3xf32>, %b: vector<f32>) -> (vector<3xf32>, vector<f32>) {
  %0:2 = vector.scan <add>, %a, %b {inclusive = false, reduction_dim = 0} : vector<3xf32>, vector<f32>
  return %0#0, %0#1 : vector<3xf32>, vector<f32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.lower_scan
  } : !transform.any_op
  transform.yield
}

// -----
// scan 3d true
func.func @f(%a: vector<2x3x4xf32>, %b: vector<2x4xf32>) -> (vector<2x3x4xf32>, vector<2x4xf32>) {
  %0:2 = vector.scan <maxnumf>, %a, %b {inclusive = true, reduction_dim = 1} : vector<2x3x4xf32>, vector<2x4xf32>
  return %0#0, %0#1 : vector<2x3x4xf32>, vector<2x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.lower_scan
  } : !transform.any_op
  transform.yield
}

// -----
// bitcast
func.func @f(%a: vector<2x3x4xi64>) -> vector<2x3x8xi32> {
  %0 = vector.bitcast %a : vector<2x3x4xi64> to vector<2x3x8xi32>
  return %0 : vector<2x3x8xi32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.lower_bitcast
  } : !transform.any_op
  transform.yield
}

// -----
// interleave
func.func @f(%a: vector<1x2x4xi64>, %b: vector<1x2x4xi64>) -> vector<1x2x8xi64> {
  %0 = vector.interleave %a, %b : vector<1x2x4xi64> -> vector<1x2x8xi64>
  return %0 : vector<1x2x8xi64>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.lower_interleave
  } : !transform.any_op
  transform.yield
}

// -----
// deinterleave
func.func @f(%a: vector<2x4xi64>) -> (vector<2x2xi64>, vector<2x2xi64>) {
  %0, %1 = vector.deinterleave %a : vector<2x4xi64> -> vector<2x2xi64>
  return %0, %1 : vector<2x2xi64>, vector<2x2xi64>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.lower_interleave
  } : !transform.any_op
  transform.yield
}

// -----
// interleave shuffle
func.func @f(%a: vector<7xi16>, %b: vector<7xi16>) -> vector<14xi16> {
  %0 = vector.interleave %a, %b : vector<7xi16> -> vector<14xi16>
  return %0 : vector<14xi16>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.interleave_to_shuffle
  } : !transform.any_op
  transform.yield
}

// -----
// gather memref<?xf32> 1x2x3
func.func @f(%s: memref<?xf32>, %v: vector<1x2x3xindex>, %m: vector<1x2x3xi1>, %p: vector<1x2x3xf32>) -> vector<1x2x3xf32> {
  %c0 = arith.constant 0 : index
  %0 = vector.gather %s[%c0][%v], %m, %p : memref<?xf32>, vector<1x2x3xindex>, vector<1x2x3xi1>, vector<1x2x3xf32> into vector<1x2x3xf32>
  return %0 : vector<1x2x3xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.lower_gather
  } : !transform.any_op
  transform.yield
}

// -----
// from_elements 3d
func.func @f(%a: f32, %b: f32) -> vector<2x1x2xf32> {
  %0 = vector.from_elements %a, %b, %b, %a : vector<2x1x2xf32>
  return %0 : vector<2x1x2xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.unroll_from_elements
  } : !transform.any_op
  transform.yield
}

// -----
// to_elements 2d
func.func @f(%a: vector<2x2xf32>) -> (f32, f32, f32, f32) {
  %0:4 = vector.to_elements %a : vector<2x2xf32>
  return %0#0, %0#1, %0#2, %0#3 : f32, f32, f32, f32
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.unroll_to_elements
  } : !transform.any_op
  transform.yield
}

// -----
// xfer read 1d
func.func @f(%s: memref<8xf32>, %i: index) -> vector<4xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i], %p {in_bounds = [true]} : memref<8xf32>, vector<4xf32>
  return %0 : vector<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.lower_transfer
  } : !transform.any_op
  transform.yield
}

// -----
// xfer write 1d
func.func @f(%s: memref<8xf32>, %i: index, %v: vector<4xf32>) {
  vector.transfer_write %v, %s[%i] {in_bounds = [true]} : vector<4xf32>, memref<8xf32>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.lower_transfer
  } : !transform.any_op
  transform.yield
}

// -----
// xfer read oob
func.func @f(%s: memref<8xf32>, %i: index) -> vector<4xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i], %p : memref<8xf32>, vector<4xf32>
  return %0 : vector<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.lower_transfer
  } : !transform.any_op
  transform.yield
}

// -----
// xfer read 2d
func.func @f(%s: memref<8x8xf32>, %i: index) -> vector<4x4xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %i], %p {in_bounds = [true, true]} : memref<8x8xf32>, vector<4x4xf32>
  return %0 : vector<4x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.lower_transfer
  } : !transform.any_op
  transform.yield
}

// -----
// xfer read 2d rank 2
func.func @f(%s: memref<8x8xf32>, %i: index) -> vector<4x4xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %i], %p {in_bounds = [true, true]} : memref<8x8xf32>, vector<4x4xf32>
  return %0 : vector<4x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.lower_transfer max_transfer_rank = 2
  } : !transform.any_op
  transform.yield
}

// -----
// xfer read masked
func.func @f(%s: memref<8xf32>, %i: index, %m: vector<4xi1>) -> vector<4xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i], %p, %m {in_bounds = [true]} : memref<8xf32>, vector<4xf32>
  return %0 : vector<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.lower_transfer
  } : !transform.any_op
  transform.yield
}

// -----
// xfer write masked
func.func @f(%s: memref<8xf32>, %i: index, %m: vector<4xi1>, %v: vector<4xf32>) {
  vector.transfer_write %v, %s[%i], %m {in_bounds = [true]} : vector<4xf32>, memref<8xf32>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.lower_transfer
  } : !transform.any_op
  transform.yield
}

// -----
// xfer read broadcast2
func.func @f(%s: memref<8x8xf32>, %i: index) -> vector<4x4xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %i], %p {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d0, 0)>} : memref<8x8xf32>, vector<4x4xf32>
  return %0 : vector<4x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.lower_transfer max_transfer_rank = 2
  } : !transform.any_op
  transform.yield
}

// -----
// xfer read perm
func.func @f(%s: memref<8x8xf32>, %i: index) -> vector<4x4xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i, %i], %p {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<8x8xf32>, vector<4x4xf32>
  return %0 : vector<4x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.lower_transfer max_transfer_rank = 2
  } : !transform.any_op
  transform.yield
}

// -----
// xfer write strided
func.func @f(%s: memref<8x8xf32, strided<[1, 8]>>, %i: index, %v: vector<4xf32>) {
  vector.transfer_write %v, %s[%i, %i] {in_bounds = [true]} : vector<4xf32>, memref<8x8xf32, strided<[1, 8]>>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.lower_transfer
  } : !transform.any_op
  transform.yield
}

// -----
// xfer read 0d
func.func @f(%s: memref<f32>, %i: index) -> vector<f32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[], %p : memref<f32>, vector<f32>
  return %0 : vector<f32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.lower_transfer
  } : !transform.any_op
  transform.yield
}

// -----
// xfer read tensor
func.func @f(%s: tensor<8xf32>, %i: index) -> vector<4xf32> {
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %s[%i], %p {in_bounds = [true]} : tensor<8xf32>, vector<4xf32>
  return %0 : vector<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.lower_transfer
  } : !transform.any_op
  transform.yield
}

// -----
// an option that makes instructions of another processor
// only ours refuses: x86 instructions make no sense on a GPU
func.func @f(%a: vector<8x8xf32>) -> vector<8x8xf32> {
  %0 = vector.transpose %a, [1, 0] : vector<8x8xf32> to vector<8x8xf32>
  return %0 : vector<8x8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.lower_transpose avx2_lowering_strategy = true
  } : !transform.any_op
  transform.yield
}

// -----
// a strategy that does not exist
func.func @f(%a: vector<8x8xf32>) -> vector<8x8xf32> {
  %0 = vector.transpose %a, [1, 0] : vector<8x8xf32> to vector<8x8xf32>
  return %0 : vector<8x8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.lower_transpose lowering_strategy = quickly
  } : !transform.any_op
  transform.yield
}
// -----
// transpose shuffle 3d unit
func.func @f(%c: vector<1x2x4xf32>) -> (vector<2x1x4xf32>) {
  %2 = vector.transpose %c, [1, 0, 2] : vector<1x2x4xf32> to vector<2x1x4xf32>
  return %2 : vector<2x1x4xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.vector.lower_transpose lowering_strategy = "shuffle_1d"
    } : !transform.any_op
    transform.yield
  }
// -----
// transpose eltwise 3d unit
func.func @f(%c: vector<1x2x4xf32>) -> (vector<2x1x4xf32>) {
  %2 = vector.transpose %c, [1, 0, 2] : vector<1x2x4xf32> to vector<2x1x4xf32>
  return %2 : vector<2x1x4xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.vector.lower_transpose
    } : !transform.any_op
    transform.yield
  }
// -----
// transpose units
func.func @f(%a: vector<1x4x1xf32>, %b: vector<4x1x1xf32>, %c: vector<1x1xf32>, %d: vector<4x1x3xf32>) -> (vector<1x4x1xf32>, vector<1x4x1xf32>, vector<1x1xf32>, vector<1x4x3xf32>, vector<3x1x4xf32>) {
  %0 = vector.transpose %a, [2, 1, 0] : vector<1x4x1xf32> to vector<1x4x1xf32>
  %1 = vector.transpose %b, [1, 0, 2] : vector<4x1x1xf32> to vector<1x4x1xf32>
  %2 = vector.transpose %c, [1, 0] : vector<1x1xf32> to vector<1x1xf32>
  %3 = vector.transpose %d, [1, 0, 2] : vector<4x1x3xf32> to vector<1x4x3xf32>
  %4 = vector.transpose %d, [2, 1, 0] : vector<4x1x3xf32> to vector<3x1x4xf32>
  return %0, %1, %2, %3, %4 : vector<1x4x1xf32>, vector<1x4x1xf32>, vector<1x1xf32>, vector<1x4x3xf32>, vector<3x1x4xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.vector.lower_transpose
    } : !transform.any_op
    transform.yield
  }
// -----
// transpose units shuffle
func.func @f(%a: vector<1x4x1xf32>, %b: vector<4x1x1xf32>, %c: vector<1x1xf32>, %d: vector<4x1x3xf32>) -> (vector<1x4x1xf32>, vector<1x4x1xf32>, vector<1x1xf32>, vector<1x4x3xf32>, vector<3x1x4xf32>) {
  %0 = vector.transpose %a, [2, 1, 0] : vector<1x4x1xf32> to vector<1x4x1xf32>
  %1 = vector.transpose %b, [1, 0, 2] : vector<4x1x1xf32> to vector<1x4x1xf32>
  %2 = vector.transpose %c, [1, 0] : vector<1x1xf32> to vector<1x1xf32>
  %3 = vector.transpose %d, [1, 0, 2] : vector<4x1x3xf32> to vector<1x4x3xf32>
  %4 = vector.transpose %d, [2, 1, 0] : vector<4x1x3xf32> to vector<3x1x4xf32>
  return %0, %1, %2, %3, %4 : vector<1x4x1xf32>, vector<1x4x1xf32>, vector<1x1xf32>, vector<1x4x3xf32>, vector<3x1x4xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.vector.lower_transpose lowering_strategy = shuffle_1d
    } : !transform.any_op
    transform.yield
  }
