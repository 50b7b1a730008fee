// Each script brings its payload.
// -----
// ew fma
func.func @f(%a: vector<4xf32>) -> vector<4xf32> {
  %0 = math.fma %a, %a, %a : vector<4xf32>
  return %0 : vector<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.elementwise_to_vector
  } : !transform.any_op
  transform.yield
}

// -----
// ew fma scalar
func.func @f(%a: f32) -> f32 {
  %0 = math.fma %a, %a, %a : f32
  return %0 : f32
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.elementwise_to_vector
  } : !transform.any_op
  transform.yield
}

// -----
// ew fma fast
func.func @f(%a: vector<2x4xf32>) -> vector<2x4xf32> {
  %0 = math.fma %a, %a, %a fastmath<fast> : vector<2x4xf32>
  return %0 : vector<2x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.elementwise_to_vector
  } : !transform.any_op
  transform.yield
}

// -----
// ew mul
func.func @f(%a: vector<4xf32>) -> vector<4xf32> {
  %0 = arith.mulf %a, %a : vector<4xf32>
  %1 = arith.addf %0, %a : vector<4xf32>
  return %1 : vector<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.elementwise_to_vector
  } : !transform.any_op
  transform.yield
}

// -----
// sm extract
func.func @f(%s: memref<?xf32>, %i: index) -> f32 {
  %0 = vector.load %s[%i] : memref<?xf32>, vector<4xf32>
  %1 = vector.extract %0[1] : f32 from vector<4xf32>
  return %1 : f32
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.sink_mem_ops
  } : !transform.any_op
  transform.yield
}

// -----
// sm extract 0
func.func @f(%s: memref<?xf32>, %i: index) -> f32 {
  %0 = vector.load %s[%i] : memref<?xf32>, vector<4xf32>
  %1 = vector.extract %0[0] : f32 from vector<4xf32>
  return %1 : f32
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.sink_mem_ops
  } : !transform.any_op
  transform.yield
}

// -----
// sm extract const idx
func.func @f(%s: memref<?xf32>) -> f32 {
  %i = arith.constant 2 : index
  %0 = vector.load %s[%i] : memref<?xf32>, vector<4xf32>
  %1 = vector.extract %0[1] : f32 from vector<4xf32>
  return %1 : f32
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.sink_mem_ops
  } : !transform.any_op
  transform.yield
}

// -----
// sm extract dyn
func.func @f(%s: memref<?xf32>, %i: index, %j: index) -> f32 {
  %0 = vector.load %s[%i] : memref<?xf32>, vector<4xf32>
  %1 = vector.extract %0[%j] : f32 from vector<4xf32>
  return %1 : f32
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.sink_mem_ops
  } : !transform.any_op
  transform.yield
}

// -----
// sm extract row
func.func @f(%s: memref<?x?xf32>, %i: index, %j: index) -> vector<4xf32> {
  %0 = vector.load %s[%i, %j] : memref<?x?xf32>, vector<3x4xf32>
  %1 = vector.extract %0[1] : vector<4xf32> from vector<3x4xf32>
  return %1 : vector<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.sink_mem_ops
  } : !transform.any_op
  transform.yield
}

// -----
// sm extract elem 2d
func.func @f(%s: memref<?x?xf32>, %i: index, %j: index) -> f32 {
  %0 = vector.load %s[%i, %j] : memref<?x?xf32>, vector<3x4xf32>
  %1 = vector.extract %0[1, 2] : f32 from vector<3x4xf32>
  return %1 : f32
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.sink_mem_ops
  } : !transform.any_op
  transform.yield
}

// -----
// sm extract lower rank
func.func @f(%s: memref<?x?xf32>, %i: index, %j: index) -> f32 {
  %0 = vector.load %s[%i, %j] : memref<?x?xf32>, vector<4xf32>
  %1 = vector.extract %0[2] : f32 from vector<4xf32>
  return %1 : f32
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.sink_mem_ops
  } : !transform.any_op
  transform.yield
}

// -----
// sm two uses
func.func @f(%s: memref<?xf32>, %i: index) -> (f32, f32) {
  %0 = vector.load %s[%i] : memref<?xf32>, vector<4xf32>
  %1 = vector.extract %0[1] : f32 from vector<4xf32>
  %2 = vector.extract %0[2] : f32 from vector<4xf32>
  return %1, %2 : f32, f32
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.sink_mem_ops
  } : !transform.any_op
  transform.yield
}

// -----
// sm store splat
func.func @f(%s: memref<?xf32>, %i: index, %v: f32) {
  %0 = vector.broadcast %v : f32 to vector<1xf32>
  vector.store %0, %s[%i] : memref<?xf32>, vector<1xf32>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.sink_mem_ops
  } : !transform.any_op
  transform.yield
}

// -----
// sm store splat 4
func.func @f(%s: memref<?xf32>, %i: index, %v: f32) {
  %0 = vector.broadcast %v : f32 to vector<4xf32>
  vector.store %0, %s[%i] : memref<?xf32>, vector<4xf32>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.sink_mem_ops
  } : !transform.any_op
  transform.yield
}

// -----
// sm store from_elements
func.func @f(%s: memref<?xf32>, %i: index, %v: f32) {
  %0 = vector.from_elements %v : vector<1xf32>
  vector.store %0, %s[%i] : memref<?xf32>, vector<1xf32>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.sink_mem_ops
  } : !transform.any_op
  transform.yield
}

// -----
// sm store vector bcast
func.func @f(%s: memref<?xf32>, %i: index, %v: vector<1xf32>) {
  %0 = vector.broadcast %v : vector<1xf32> to vector<1xf32>
  vector.store %0, %s[%i] : memref<?xf32>, vector<1xf32>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.sink_mem_ops
  } : !transform.any_op
  transform.yield
}

// -----
// sm store 2d
func.func @f(%s: memref<?x?xf32>, %i: index, %v: f32) {
  %0 = vector.broadcast %v : f32 to vector<1x1xf32>
  vector.store %0, %s[%i, %i] : memref<?x?xf32>, vector<1x1xf32>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.sink_mem_ops
  } : !transform.any_op
  transform.yield
}

// -----
// ew outer f32 0
func.func @f(%a: vector<2xf32>, %b: vector<4xf32>) -> vector<2x4xf32> {
  %1 = vector.broadcast %a : vector<2xf32> to vector<4x2xf32>
  %2 = vector.transpose %1, [1, 0] : vector<4x2xf32> to vector<2x4xf32>
  %3 = vector.broadcast %b : vector<4xf32> to vector<2x4xf32>
  %4 = arith.mulf %2, %3 : vector<2x4xf32>
  return %4 : vector<2x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.elementwise_to_vector
  } : !transform.any_op
  transform.yield
}

// -----
// ew outer f32 1
func.func @f(%a: vector<2xf32>, %b: vector<4xf32>) -> vector<2x4xf32> {
  %1 = vector.broadcast %a : vector<2xf32> to vector<4x2xf32>
  %2 = vector.transpose %1, [1, 0] : vector<4x2xf32> to vector<2x4xf32>
  %3 = vector.broadcast %b : vector<4xf32> to vector<2x4xf32>
  %4 = arith.mulf %3, %2 : vector<2x4xf32>
  return %4 : vector<2x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.elementwise_to_vector
  } : !transform.any_op
  transform.yield
}

// -----
// ew outer i32 0
func.func @f(%a: vector<2xi32>, %b: vector<4xi32>) -> vector<2x4xi32> {
  %1 = vector.broadcast %a : vector<2xi32> to vector<4x2xi32>
  %2 = vector.transpose %1, [1, 0] : vector<4x2xi32> to vector<2x4xi32>
  %3 = vector.broadcast %b : vector<4xi32> to vector<2x4xi32>
  %4 = arith.muli %2, %3 : vector<2x4xi32>
  return %4 : vector<2x4xi32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.elementwise_to_vector
  } : !transform.any_op
  transform.yield
}

// -----
// ew outer i32 1
func.func @f(%a: vector<2xi32>, %b: vector<4xi32>) -> vector<2x4xi32> {
  %1 = vector.broadcast %a : vector<2xi32> to vector<4x2xi32>
  %2 = vector.transpose %1, [1, 0] : vector<4x2xi32> to vector<2x4xi32>
  %3 = vector.broadcast %b : vector<4xi32> to vector<2x4xi32>
  %4 = arith.muli %3, %2 : vector<2x4xi32>
  return %4 : vector<2x4xi32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.elementwise_to_vector
  } : !transform.any_op
  transform.yield
}
