func.func private @none()

// -----
// cfg plain
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %p: i1, %i: index, %v: f32) -> tensor<4xf32> {
  cf.cond_br %p, ^bb1(%t : tensor<4xf32>), ^bb1(%u : tensor<4xf32>)
^bb1(%x: tensor<4xf32>):
  %r = tensor.insert %v into %x[%i] : tensor<4xf32>
  return %r : tensor<4xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %r = transform.bufferization.one_shot_bufferize %root {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// cfg memcpy
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %p: i1, %i: index, %v: f32) -> tensor<4xf32> {
  cf.cond_br %p, ^bb1(%t : tensor<4xf32>), ^bb1(%u : tensor<4xf32>)
^bb1(%x: tensor<4xf32>):
  %r = tensor.insert %v into %x[%i] : tensor<4xf32>
  return %r : tensor<4xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %r = transform.bufferization.one_shot_bufferize %root {bufferize_function_boundaries = true, memcpy_op = "linalg.copy"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// unknown plain
func.func @f(%t: tensor<4xf32>, %i: index, %v: f32) -> tensor<4xf32> {
  %x = "test.dummy_op"(%t) : (tensor<4xf32>) -> tensor<4xf32>
  %r = tensor.insert %v into %x[%i] : tensor<4xf32>
  return %r : tensor<4xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %r = transform.bufferization.one_shot_bufferize %root {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// unknown nobound
func.func @f(%t: tensor<4xf32>, %i: index, %v: f32) -> tensor<4xf32> {
  %x = "test.dummy_op"(%t) : (tensor<4xf32>) -> tensor<4xf32>
  %r = tensor.insert %v into %x[%i] : tensor<4xf32>
  return %r : tensor<4xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %r = transform.bufferization.one_shot_bufferize %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// unknown memcpy
func.func @f(%t: tensor<4xf32>, %i: index, %v: f32) -> tensor<4xf32> {
  %x = "test.dummy_op"(%t) : (tensor<4xf32>) -> tensor<4xf32>
  %r = tensor.insert %v into %x[%i] : tensor<4xf32>
  return %r : tensor<4xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %r = transform.bufferization.one_shot_bufferize %root {bufferize_function_boundaries = true, memcpy_op = "linalg.copy"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// call plain
func.func @g(%t: tensor<4xf32>, %i: index, %v: f32) -> tensor<4xf32> {
  %r = tensor.insert %v into %t[%i] : tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @f(%t: tensor<4xf32>, %i: index, %v: f32) -> (tensor<4xf32>, f32) {
  %r = call @g(%t, %i, %v) : (tensor<4xf32>, index, f32) -> tensor<4xf32>
  %q = tensor.extract %t[%i] : tensor<4xf32>
  return %r, %q : tensor<4xf32>, f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %r = transform.bufferization.one_shot_bufferize %root {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// call nobound
func.func @g(%t: tensor<4xf32>, %i: index, %v: f32) -> tensor<4xf32> {
  %r = tensor.insert %v into %t[%i] : tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @f(%t: tensor<4xf32>, %i: index, %v: f32) -> (tensor<4xf32>, f32) {
  %r = call @g(%t, %i, %v) : (tensor<4xf32>, index, f32) -> tensor<4xf32>
  %q = tensor.extract %t[%i] : tensor<4xf32>
  return %r, %q : tensor<4xf32>, f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %r = transform.bufferization.one_shot_bufferize %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// call memcpy
func.func @g(%t: tensor<4xf32>, %i: index, %v: f32) -> tensor<4xf32> {
  %r = tensor.insert %v into %t[%i] : tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @f(%t: tensor<4xf32>, %i: index, %v: f32) -> (tensor<4xf32>, f32) {
  %r = call @g(%t, %i, %v) : (tensor<4xf32>, index, f32) -> tensor<4xf32>
  %q = tensor.extract %t[%i] : tensor<4xf32>
  return %r, %q : tensor<4xf32>, f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %r = transform.bufferization.one_shot_bufferize %root {bufferize_function_boundaries = true, memcpy_op = "linalg.copy"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// if plain
func.func @f(%t: tensor<4xf32>, %p: i1, %i: index, %v: f32) -> tensor<4xf32> {
  %r = scf.if %p -> tensor<4xf32> {
    %x = tensor.insert %v into %t[%i] : tensor<4xf32>
    scf.yield %x : tensor<4xf32>
  } else {
    scf.yield %t : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %r = transform.bufferization.one_shot_bufferize %root {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// if nobound
func.func @f(%t: tensor<4xf32>, %p: i1, %i: index, %v: f32) -> tensor<4xf32> {
  %r = scf.if %p -> tensor<4xf32> {
    %x = tensor.insert %v into %t[%i] : tensor<4xf32>
    scf.yield %x : tensor<4xf32>
  } else {
    scf.yield %t : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %r = transform.bufferization.one_shot_bufferize %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// if memcpy
func.func @f(%t: tensor<4xf32>, %p: i1, %i: index, %v: f32) -> tensor<4xf32> {
  %r = scf.if %p -> tensor<4xf32> {
    %x = tensor.insert %v into %t[%i] : tensor<4xf32>
    scf.yield %x : tensor<4xf32>
  } else {
    scf.yield %t : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %r = transform.bufferization.one_shot_bufferize %root {bufferize_function_boundaries = true, memcpy_op = "linalg.copy"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// const plain
func.func @f(%i: index) -> f32 {
  %c = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %q = tensor.extract %c[%i] : tensor<3xf32>
  return %q : f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %r = transform.bufferization.one_shot_bufferize %root {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// const nobound
func.func @f(%i: index) -> f32 {
  %c = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %q = tensor.extract %c[%i] : tensor<3xf32>
  return %q : f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %r = transform.bufferization.one_shot_bufferize %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// const memcpy
func.func @f(%i: index) -> f32 {
  %c = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %q = tensor.extract %c[%i] : tensor<3xf32>
  return %q : f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %r = transform.bufferization.one_shot_bufferize %root {bufferize_function_boundaries = true, memcpy_op = "linalg.copy"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// matmul plain
func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %r = transform.bufferization.one_shot_bufferize %root {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// matmul nobound
func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %r = transform.bufferization.one_shot_bufferize %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// matmul memcpy
func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %r = transform.bufferization.one_shot_bufferize %root {bufferize_function_boundaries = true, memcpy_op = "linalg.copy"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// empty plain
func.func @f(%n: index, %v: f32) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.fill ins(%v : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %r = transform.bufferization.one_shot_bufferize %root {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// empty nobound
func.func @f(%n: index, %v: f32) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.fill ins(%v : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %r = transform.bufferization.one_shot_bufferize %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// empty memcpy
func.func @f(%n: index, %v: f32) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.fill ins(%v : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %r = transform.bufferization.one_shot_bufferize %root {bufferize_function_boundaries = true, memcpy_op = "linalg.copy"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// sel plain
func.func @f(%p: i1, %a: tensor<4xf32>, %b: tensor<4xf32>, %i: index) -> f32 {
  %r = arith.select %p, %a, %b : tensor<4xf32>
  %q = tensor.extract %r[%i] : tensor<4xf32>
  return %q : f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %r = transform.bufferization.one_shot_bufferize %root {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// sel nobound
func.func @f(%p: i1, %a: tensor<4xf32>, %b: tensor<4xf32>, %i: index) -> f32 {
  %r = arith.select %p, %a, %b : tensor<4xf32>
  %q = tensor.extract %r[%i] : tensor<4xf32>
  return %q : f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %r = transform.bufferization.one_shot_bufferize %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// sel memcpy
func.func @f(%p: i1, %a: tensor<4xf32>, %b: tensor<4xf32>, %i: index) -> f32 {
  %r = arith.select %p, %a, %b : tensor<4xf32>
  %q = tensor.extract %r[%i] : tensor<4xf32>
  return %q : f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %r = transform.bufferization.one_shot_bufferize %root {bufferize_function_boundaries = true, memcpy_op = "linalg.copy"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// switch plain
func.func @f(%p: index, %a: tensor<4xf32>, %b: tensor<4xf32>, %i: index) -> f32 {
  %r = scf.index_switch %p -> tensor<4xf32>
  case 1 { scf.yield %a : tensor<4xf32> }
  default { scf.yield %b : tensor<4xf32> }
  %q = tensor.extract %r[%i] : tensor<4xf32>
  return %q : f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %r = transform.bufferization.one_shot_bufferize %root {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// switch nobound
func.func @f(%p: index, %a: tensor<4xf32>, %b: tensor<4xf32>, %i: index) -> f32 {
  %r = scf.index_switch %p -> tensor<4xf32>
  case 1 { scf.yield %a : tensor<4xf32> }
  default { scf.yield %b : tensor<4xf32> }
  %q = tensor.extract %r[%i] : tensor<4xf32>
  return %q : f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %r = transform.bufferization.one_shot_bufferize %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// switch memcpy
func.func @f(%p: index, %a: tensor<4xf32>, %b: tensor<4xf32>, %i: index) -> f32 {
  %r = scf.index_switch %p -> tensor<4xf32>
  case 1 { scf.yield %a : tensor<4xf32> }
  default { scf.yield %b : tensor<4xf32> }
  %q = tensor.extract %r[%i] : tensor<4xf32>
  return %q : f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %r = transform.bufferization.one_shot_bufferize %root {bufferize_function_boundaries = true, memcpy_op = "linalg.copy"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// exec plain
func.func @f(%a: tensor<4xf32>, %i: index) -> f32 {
  %r = scf.execute_region -> tensor<4xf32> { scf.yield %a : tensor<4xf32> }
  %q = tensor.extract %r[%i] : tensor<4xf32>
  return %q : f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %r = transform.bufferization.one_shot_bufferize %root {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// exec nobound
func.func @f(%a: tensor<4xf32>, %i: index) -> f32 {
  %r = scf.execute_region -> tensor<4xf32> { scf.yield %a : tensor<4xf32> }
  %q = tensor.extract %r[%i] : tensor<4xf32>
  return %q : f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %r = transform.bufferization.one_shot_bufferize %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// exec memcpy
func.func @f(%a: tensor<4xf32>, %i: index) -> f32 {
  %r = scf.execute_region -> tensor<4xf32> { scf.yield %a : tensor<4xf32> }
  %q = tensor.extract %r[%i] : tensor<4xf32>
  return %q : f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %r = transform.bufferization.one_shot_bufferize %root {bufferize_function_boundaries = true, memcpy_op = "linalg.copy"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// reshape plain
func.func @f(%a: tensor<4x8xf32>) -> (tensor<32xf32>, tensor<2x2x8xf32>) {
  %r = tensor.collapse_shape %a [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  %q = tensor.expand_shape %a [[0, 1], [2]] output_shape [2, 2, 8] : tensor<4x8xf32> into tensor<2x2x8xf32>
  return %r, %q : tensor<32xf32>, tensor<2x2x8xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %r = transform.bufferization.one_shot_bufferize %root {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// reshape memcpy
func.func @f(%a: tensor<4x8xf32>) -> (tensor<32xf32>, tensor<2x2x8xf32>) {
  %r = tensor.collapse_shape %a [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  %q = tensor.expand_shape %a [[0, 1], [2]] output_shape [2, 2, 8] : tensor<4x8xf32> into tensor<2x2x8xf32>
  return %r, %q : tensor<32xf32>, tensor<2x2x8xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %r = transform.bufferization.one_shot_bufferize %root {bufferize_function_boundaries = true, memcpy_op = "linalg.copy"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// pad plain
func.func @f(%a: tensor<4xf32>, %v: f32) -> tensor<8xf32> {
  %r = tensor.pad %a low[1] high[3] {
  ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<4xf32> to tensor<8xf32>
  return %r : tensor<8xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %r = transform.bufferization.one_shot_bufferize %root {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// pad nobound
func.func @f(%a: tensor<4xf32>, %v: f32) -> tensor<8xf32> {
  %r = tensor.pad %a low[1] high[3] {
  ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<4xf32> to tensor<8xf32>
  return %r : tensor<8xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %r = transform.bufferization.one_shot_bufferize %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// pad memcpy
func.func @f(%a: tensor<4xf32>, %v: f32) -> tensor<8xf32> {
  %r = tensor.pad %a low[1] high[3] {
  ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<4xf32> to tensor<8xf32>
  return %r : tensor<8xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %r = transform.bufferization.one_shot_bufferize %root {bufferize_function_boundaries = true, memcpy_op = "linalg.copy"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// gen plain
func.func @f(%n: index, %v: f32) -> tensor<?xindex> {
  %r = tensor.generate %n {
  ^bb0(%i: index):
    tensor.yield %i : index
  } : tensor<?xindex>
  return %r : tensor<?xindex>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %r = transform.bufferization.one_shot_bufferize %root {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// gen nobound
func.func @f(%n: index, %v: f32) -> tensor<?xindex> {
  %r = tensor.generate %n {
  ^bb0(%i: index):
    tensor.yield %i : index
  } : tensor<?xindex>
  return %r : tensor<?xindex>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %r = transform.bufferization.one_shot_bufferize %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// gen memcpy
func.func @f(%n: index, %v: f32) -> tensor<?xindex> {
  %r = tensor.generate %n {
  ^bb0(%i: index):
    tensor.yield %i : index
  } : tensor<?xindex>
  return %r : tensor<?xindex>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %r = transform.bufferization.one_shot_bufferize %root {bufferize_function_boundaries = true, memcpy_op = "linalg.copy"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// global plain
func.func private @ext(%a: tensor<4xf32>) -> tensor<4xf32>
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = call @ext(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %r = transform.bufferization.one_shot_bufferize %root {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// global nobound
func.func private @ext(%a: tensor<4xf32>) -> tensor<4xf32>
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = call @ext(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %r = transform.bufferization.one_shot_bufferize %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

// -----
// global memcpy
func.func private @ext(%a: tensor<4xf32>) -> tensor<4xf32>
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = call @ext(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %r = transform.bufferization.one_shot_bufferize %root {bufferize_function_boundaries = true, memcpy_op = "linalg.copy"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
