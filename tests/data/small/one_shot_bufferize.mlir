// one_shot_bufferize: its options, tensors at function boundaries, unknown ops.
// -----
// transfer_write, plain
func.func @f(%A : tensor<?xf32>, %v : vector<4xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_write %v, %A[%c0] : vector<4xf32>, tensor<?xf32>
  return %0 : tensor<?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.bufferization.one_shot_bufferize %0  : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// transfer_write, unknown
func.func @f(%A : tensor<?xf32>, %v : vector<4xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_write %v, %A[%c0] : vector<4xf32>, tensor<?xf32>
  return %0 : tensor<?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.bufferization.one_shot_bufferize %0 {allow_unknown_ops = true} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// transfer_write, lcopy
func.func @f(%A : tensor<?xf32>, %v : vector<4xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_write %v, %A[%c0] : vector<4xf32>, tensor<?xf32>
  return %0 : tensor<?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.bufferization.one_shot_bufferize %0 {memcpy_op = "linalg.copy"} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// transfer_write, badcopy
func.func @f(%A : tensor<?xf32>, %v : vector<4xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_write %v, %A[%c0] : vector<4xf32>, tensor<?xf32>
  return %0 : tensor<?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.bufferization.one_shot_bufferize %0 {memcpy_op = "foo.bar"} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// transfer_write, layout
func.func @f(%A : tensor<?xf32>, %v : vector<4xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_write %v, %A[%c0] : vector<4xf32>, tensor<?xf32>
  return %0 : tensor<?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.bufferization.one_shot_bufferize layout{FullyDynamicLayoutMap} %0 : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// transfer_write, par
func.func @f(%A : tensor<?xf32>, %v : vector<4xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_write %v, %A[%c0] : vector<4xf32>, tensor<?xf32>
  return %0 : tensor<?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.bufferization.one_shot_bufferize %0 {check_parallel_regions = false} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// matmul, plain
func.func @f(%A : tensor<12x9xf32>, %B: tensor<9x6xf32>, %C: tensor<12x6xf32>) -> tensor<12x6xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x6xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<12x6xf32>) -> tensor<12x6xf32>
  %0 = linalg.matmul ins(%A, %B : tensor<12x9xf32>, tensor<9x6xf32>) outs(%f : tensor<12x6xf32>) -> tensor<12x6xf32>
  %1 = linalg.add ins(%0, %C : tensor<12x6xf32>, tensor<12x6xf32>) outs(%C : tensor<12x6xf32>) -> tensor<12x6xf32>
  return %1 : tensor<12x6xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %1 = transform.bufferization.one_shot_bufferize %root  : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// matmul, unknown
func.func @f(%A : tensor<12x9xf32>, %B: tensor<9x6xf32>, %C: tensor<12x6xf32>) -> tensor<12x6xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x6xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<12x6xf32>) -> tensor<12x6xf32>
  %0 = linalg.matmul ins(%A, %B : tensor<12x9xf32>, tensor<9x6xf32>) outs(%f : tensor<12x6xf32>) -> tensor<12x6xf32>
  %1 = linalg.add ins(%0, %C : tensor<12x6xf32>, tensor<12x6xf32>) outs(%C : tensor<12x6xf32>) -> tensor<12x6xf32>
  return %1 : tensor<12x6xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %1 = transform.bufferization.one_shot_bufferize %root {allow_unknown_ops = true} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// matmul, lcopy
func.func @f(%A : tensor<12x9xf32>, %B: tensor<9x6xf32>, %C: tensor<12x6xf32>) -> tensor<12x6xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x6xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<12x6xf32>) -> tensor<12x6xf32>
  %0 = linalg.matmul ins(%A, %B : tensor<12x9xf32>, tensor<9x6xf32>) outs(%f : tensor<12x6xf32>) -> tensor<12x6xf32>
  %1 = linalg.add ins(%0, %C : tensor<12x6xf32>, tensor<12x6xf32>) outs(%C : tensor<12x6xf32>) -> tensor<12x6xf32>
  return %1 : tensor<12x6xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %1 = transform.bufferization.one_shot_bufferize %root {memcpy_op = "linalg.copy"} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// matmul, badcopy
func.func @f(%A : tensor<12x9xf32>, %B: tensor<9x6xf32>, %C: tensor<12x6xf32>) -> tensor<12x6xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x6xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<12x6xf32>) -> tensor<12x6xf32>
  %0 = linalg.matmul ins(%A, %B : tensor<12x9xf32>, tensor<9x6xf32>) outs(%f : tensor<12x6xf32>) -> tensor<12x6xf32>
  %1 = linalg.add ins(%0, %C : tensor<12x6xf32>, tensor<12x6xf32>) outs(%C : tensor<12x6xf32>) -> tensor<12x6xf32>
  return %1 : tensor<12x6xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %1 = transform.bufferization.one_shot_bufferize %root {memcpy_op = "foo.bar"} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// matmul, layout
func.func @f(%A : tensor<12x9xf32>, %B: tensor<9x6xf32>, %C: tensor<12x6xf32>) -> tensor<12x6xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x6xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<12x6xf32>) -> tensor<12x6xf32>
  %0 = linalg.matmul ins(%A, %B : tensor<12x9xf32>, tensor<9x6xf32>) outs(%f : tensor<12x6xf32>) -> tensor<12x6xf32>
  %1 = linalg.add ins(%0, %C : tensor<12x6xf32>, tensor<12x6xf32>) outs(%C : tensor<12x6xf32>) -> tensor<12x6xf32>
  return %1 : tensor<12x6xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %1 = transform.bufferization.one_shot_bufferize layout{FullyDynamicLayoutMap} %root : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// matmul, par
func.func @f(%A : tensor<12x9xf32>, %B: tensor<9x6xf32>, %C: tensor<12x6xf32>) -> tensor<12x6xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x6xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<12x6xf32>) -> tensor<12x6xf32>
  %0 = linalg.matmul ins(%A, %B : tensor<12x9xf32>, tensor<9x6xf32>) outs(%f : tensor<12x6xf32>) -> tensor<12x6xf32>
  %1 = linalg.add ins(%0, %C : tensor<12x6xf32>, tensor<12x6xf32>) outs(%C : tensor<12x6xf32>) -> tensor<12x6xf32>
  return %1 : tensor<12x6xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %1 = transform.bufferization.one_shot_bufferize %root {check_parallel_regions = false} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// loop and slice, plain
func.func @f(%A : tensor<12x9xf32>, %n: index) -> (tensor<12x9xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %A) -> tensor<12x9xf32> {
    %s = tensor.extract_slice %t[%i, 0] [1, 9] [1, 1] : tensor<12x9xf32> to tensor<1x9xf32>
    %f = linalg.fill ins(%z : f32) outs(%s : tensor<1x9xf32>) -> tensor<1x9xf32>
    %u = tensor.insert_slice %f into %t[%i, 0] [1, 9] [1, 1] : tensor<1x9xf32> into tensor<12x9xf32>
    scf.yield %u : tensor<12x9xf32>
  }
  %x = tensor.extract %A[%c0, %c0] : tensor<12x9xf32>
  return %r, %x : tensor<12x9xf32>, f32
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %1 = transform.bufferization.one_shot_bufferize %root  : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// loop and slice, unknown
func.func @f(%A : tensor<12x9xf32>, %n: index) -> (tensor<12x9xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %A) -> tensor<12x9xf32> {
    %s = tensor.extract_slice %t[%i, 0] [1, 9] [1, 1] : tensor<12x9xf32> to tensor<1x9xf32>
    %f = linalg.fill ins(%z : f32) outs(%s : tensor<1x9xf32>) -> tensor<1x9xf32>
    %u = tensor.insert_slice %f into %t[%i, 0] [1, 9] [1, 1] : tensor<1x9xf32> into tensor<12x9xf32>
    scf.yield %u : tensor<12x9xf32>
  }
  %x = tensor.extract %A[%c0, %c0] : tensor<12x9xf32>
  return %r, %x : tensor<12x9xf32>, f32
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %1 = transform.bufferization.one_shot_bufferize %root {allow_unknown_ops = true} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// loop and slice, lcopy
func.func @f(%A : tensor<12x9xf32>, %n: index) -> (tensor<12x9xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %A) -> tensor<12x9xf32> {
    %s = tensor.extract_slice %t[%i, 0] [1, 9] [1, 1] : tensor<12x9xf32> to tensor<1x9xf32>
    %f = linalg.fill ins(%z : f32) outs(%s : tensor<1x9xf32>) -> tensor<1x9xf32>
    %u = tensor.insert_slice %f into %t[%i, 0] [1, 9] [1, 1] : tensor<1x9xf32> into tensor<12x9xf32>
    scf.yield %u : tensor<12x9xf32>
  }
  %x = tensor.extract %A[%c0, %c0] : tensor<12x9xf32>
  return %r, %x : tensor<12x9xf32>, f32
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %1 = transform.bufferization.one_shot_bufferize %root {memcpy_op = "linalg.copy"} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// loop and slice, badcopy
func.func @f(%A : tensor<12x9xf32>, %n: index) -> (tensor<12x9xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %A) -> tensor<12x9xf32> {
    %s = tensor.extract_slice %t[%i, 0] [1, 9] [1, 1] : tensor<12x9xf32> to tensor<1x9xf32>
    %f = linalg.fill ins(%z : f32) outs(%s : tensor<1x9xf32>) -> tensor<1x9xf32>
    %u = tensor.insert_slice %f into %t[%i, 0] [1, 9] [1, 1] : tensor<1x9xf32> into tensor<12x9xf32>
    scf.yield %u : tensor<12x9xf32>
  }
  %x = tensor.extract %A[%c0, %c0] : tensor<12x9xf32>
  return %r, %x : tensor<12x9xf32>, f32
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %1 = transform.bufferization.one_shot_bufferize %root {memcpy_op = "foo.bar"} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// loop and slice, layout
func.func @f(%A : tensor<12x9xf32>, %n: index) -> (tensor<12x9xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %A) -> tensor<12x9xf32> {
    %s = tensor.extract_slice %t[%i, 0] [1, 9] [1, 1] : tensor<12x9xf32> to tensor<1x9xf32>
    %f = linalg.fill ins(%z : f32) outs(%s : tensor<1x9xf32>) -> tensor<1x9xf32>
    %u = tensor.insert_slice %f into %t[%i, 0] [1, 9] [1, 1] : tensor<1x9xf32> into tensor<12x9xf32>
    scf.yield %u : tensor<12x9xf32>
  }
  %x = tensor.extract %A[%c0, %c0] : tensor<12x9xf32>
  return %r, %x : tensor<12x9xf32>, f32
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %1 = transform.bufferization.one_shot_bufferize layout{FullyDynamicLayoutMap} %root : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// loop and slice, par
func.func @f(%A : tensor<12x9xf32>, %n: index) -> (tensor<12x9xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %A) -> tensor<12x9xf32> {
    %s = tensor.extract_slice %t[%i, 0] [1, 9] [1, 1] : tensor<12x9xf32> to tensor<1x9xf32>
    %f = linalg.fill ins(%z : f32) outs(%s : tensor<1x9xf32>) -> tensor<1x9xf32>
    %u = tensor.insert_slice %f into %t[%i, 0] [1, 9] [1, 1] : tensor<1x9xf32> into tensor<12x9xf32>
    scf.yield %u : tensor<12x9xf32>
  }
  %x = tensor.extract %A[%c0, %c0] : tensor<12x9xf32>
  return %r, %x : tensor<12x9xf32>, f32
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %1 = transform.bufferization.one_shot_bufferize %root {check_parallel_regions = false} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// unknown op, plain
func.func private @g(tensor<4xf32>) -> tensor<4xf32>
func.func @f(%A : tensor<4xf32>, %x: f32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %0 = tensor.insert %x into %A[%c0] : tensor<4xf32>
  %1 = func.call @g(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = tensor.insert %x into %1[%c0] : tensor<4xf32>
  return %2 : tensor<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %1 = transform.bufferization.one_shot_bufferize %root  : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// unknown op, unknown
func.func private @g(tensor<4xf32>) -> tensor<4xf32>
func.func @f(%A : tensor<4xf32>, %x: f32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %0 = tensor.insert %x into %A[%c0] : tensor<4xf32>
  %1 = func.call @g(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = tensor.insert %x into %1[%c0] : tensor<4xf32>
  return %2 : tensor<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %1 = transform.bufferization.one_shot_bufferize %root {allow_unknown_ops = true} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// unknown op, lcopy
func.func private @g(tensor<4xf32>) -> tensor<4xf32>
func.func @f(%A : tensor<4xf32>, %x: f32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %0 = tensor.insert %x into %A[%c0] : tensor<4xf32>
  %1 = func.call @g(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = tensor.insert %x into %1[%c0] : tensor<4xf32>
  return %2 : tensor<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %1 = transform.bufferization.one_shot_bufferize %root {memcpy_op = "linalg.copy"} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// unknown op, badcopy
func.func private @g(tensor<4xf32>) -> tensor<4xf32>
func.func @f(%A : tensor<4xf32>, %x: f32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %0 = tensor.insert %x into %A[%c0] : tensor<4xf32>
  %1 = func.call @g(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = tensor.insert %x into %1[%c0] : tensor<4xf32>
  return %2 : tensor<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %1 = transform.bufferization.one_shot_bufferize %root {memcpy_op = "foo.bar"} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// unknown op, layout
func.func private @g(tensor<4xf32>) -> tensor<4xf32>
func.func @f(%A : tensor<4xf32>, %x: f32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %0 = tensor.insert %x into %A[%c0] : tensor<4xf32>
  %1 = func.call @g(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = tensor.insert %x into %1[%c0] : tensor<4xf32>
  return %2 : tensor<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %1 = transform.bufferization.one_shot_bufferize layout{FullyDynamicLayoutMap} %root : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// unknown op, par
func.func private @g(tensor<4xf32>) -> tensor<4xf32>
func.func @f(%A : tensor<4xf32>, %x: f32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %0 = tensor.insert %x into %A[%c0] : tensor<4xf32>
  %1 = func.call @g(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = tensor.insert %x into %1[%c0] : tensor<4xf32>
  return %2 : tensor<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %1 = transform.bufferization.one_shot_bufferize %root {check_parallel_regions = false} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// elementwise arith on tensors, plain
func.func @f(%A : tensor<4xf32>, %x: f32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %0 = arith.addf %A, %A : tensor<4xf32>
  %2 = tensor.insert %x into %0[%c0] : tensor<4xf32>
  return %2 : tensor<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %1 = transform.bufferization.one_shot_bufferize %root  : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// elementwise arith on tensors, unknown
func.func @f(%A : tensor<4xf32>, %x: f32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %0 = arith.addf %A, %A : tensor<4xf32>
  %2 = tensor.insert %x into %0[%c0] : tensor<4xf32>
  return %2 : tensor<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %1 = transform.bufferization.one_shot_bufferize %root {allow_unknown_ops = true} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// elementwise arith on tensors, lcopy
func.func @f(%A : tensor<4xf32>, %x: f32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %0 = arith.addf %A, %A : tensor<4xf32>
  %2 = tensor.insert %x into %0[%c0] : tensor<4xf32>
  return %2 : tensor<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %1 = transform.bufferization.one_shot_bufferize %root {memcpy_op = "linalg.copy"} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// elementwise arith on tensors, badcopy
func.func @f(%A : tensor<4xf32>, %x: f32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %0 = arith.addf %A, %A : tensor<4xf32>
  %2 = tensor.insert %x into %0[%c0] : tensor<4xf32>
  return %2 : tensor<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %1 = transform.bufferization.one_shot_bufferize %root {memcpy_op = "foo.bar"} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// elementwise arith on tensors, layout
func.func @f(%A : tensor<4xf32>, %x: f32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %0 = arith.addf %A, %A : tensor<4xf32>
  %2 = tensor.insert %x into %0[%c0] : tensor<4xf32>
  return %2 : tensor<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %1 = transform.bufferization.one_shot_bufferize layout{FullyDynamicLayoutMap} %root : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// elementwise arith on tensors, par
func.func @f(%A : tensor<4xf32>, %x: f32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %0 = arith.addf %A, %A : tensor<4xf32>
  %2 = tensor.insert %x into %0[%c0] : tensor<4xf32>
  return %2 : tensor<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %1 = transform.bufferization.one_shot_bufferize %root {check_parallel_regions = false} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// transfer_write, bounds
// only real MLIR refuses: it wants a module
func.func @f(%A : tensor<?xf32>, %v : vector<4xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_write %v, %A[%c0] : vector<4xf32>, tensor<?xf32>
  return %0 : tensor<?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.bufferization.one_shot_bufferize %0 {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// transfer_write, analysis
func.func @f(%A : tensor<?xf32>, %v : vector<4xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_write %v, %A[%c0] : vector<4xf32>, tensor<?xf32>
  return %0 : tensor<?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %1 = transform.bufferization.one_shot_bufferize %0 {test_analysis_only = true} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// matmul, bounds
func.func @f(%A : tensor<12x9xf32>, %B: tensor<9x6xf32>, %C: tensor<12x6xf32>) -> tensor<12x6xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x6xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<12x6xf32>) -> tensor<12x6xf32>
  %0 = linalg.matmul ins(%A, %B : tensor<12x9xf32>, tensor<9x6xf32>) outs(%f : tensor<12x6xf32>) -> tensor<12x6xf32>
  %1 = linalg.add ins(%0, %C : tensor<12x6xf32>, tensor<12x6xf32>) outs(%C : tensor<12x6xf32>) -> tensor<12x6xf32>
  return %1 : tensor<12x6xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %1 = transform.bufferization.one_shot_bufferize %root {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// matmul, analysis
func.func @f(%A : tensor<12x9xf32>, %B: tensor<9x6xf32>, %C: tensor<12x6xf32>) -> tensor<12x6xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x6xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<12x6xf32>) -> tensor<12x6xf32>
  %0 = linalg.matmul ins(%A, %B : tensor<12x9xf32>, tensor<9x6xf32>) outs(%f : tensor<12x6xf32>) -> tensor<12x6xf32>
  %1 = linalg.add ins(%0, %C : tensor<12x6xf32>, tensor<12x6xf32>) outs(%C : tensor<12x6xf32>) -> tensor<12x6xf32>
  return %1 : tensor<12x6xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %1 = transform.bufferization.one_shot_bufferize %root {test_analysis_only = true} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// loop and slice, bounds
func.func @f(%A : tensor<12x9xf32>, %n: index) -> (tensor<12x9xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %A) -> tensor<12x9xf32> {
    %s = tensor.extract_slice %t[%i, 0] [1, 9] [1, 1] : tensor<12x9xf32> to tensor<1x9xf32>
    %f = linalg.fill ins(%z : f32) outs(%s : tensor<1x9xf32>) -> tensor<1x9xf32>
    %u = tensor.insert_slice %f into %t[%i, 0] [1, 9] [1, 1] : tensor<1x9xf32> into tensor<12x9xf32>
    scf.yield %u : tensor<12x9xf32>
  }
  %x = tensor.extract %A[%c0, %c0] : tensor<12x9xf32>
  return %r, %x : tensor<12x9xf32>, f32
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %1 = transform.bufferization.one_shot_bufferize %root {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// loop and slice, analysis
func.func @f(%A : tensor<12x9xf32>, %n: index) -> (tensor<12x9xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %A) -> tensor<12x9xf32> {
    %s = tensor.extract_slice %t[%i, 0] [1, 9] [1, 1] : tensor<12x9xf32> to tensor<1x9xf32>
    %f = linalg.fill ins(%z : f32) outs(%s : tensor<1x9xf32>) -> tensor<1x9xf32>
    %u = tensor.insert_slice %f into %t[%i, 0] [1, 9] [1, 1] : tensor<1x9xf32> into tensor<12x9xf32>
    scf.yield %u : tensor<12x9xf32>
  }
  %x = tensor.extract %A[%c0, %c0] : tensor<12x9xf32>
  return %r, %x : tensor<12x9xf32>, f32
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %1 = transform.bufferization.one_shot_bufferize %root {test_analysis_only = true} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// written into its own place in a loop
func.func @f(%c: tensor<64x64xf32> {bufferization.writable = true}, %n: index) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %c) -> tensor<64x64xf32> {
    %s = tensor.extract_slice %t[%i, 0] [4, 8] [1, 1] : tensor<64x64xf32> to tensor<4x8xf32>
    %f = linalg.fill ins(%z : f32) outs(%s : tensor<4x8xf32>) -> tensor<4x8xf32>
    %v = vector.transfer_read %f[%c0, %c0], %z {in_bounds = [true, true]} : tensor<4x8xf32>, vector<4x8xf32>
    %a = arith.addf %v, %v : vector<4x8xf32>
    %w = vector.transfer_write %a, %t[%i, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, tensor<64x64xf32>
    scf.yield %w : tensor<64x64xf32>
  }
  return %r : tensor<64x64xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %n = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %root {bufferize_function_boundaries = true, allow_return_allocs_from_loops = true} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// transposed matmul in a for nest
func.func @f(%a: tensor<64x32xf32>, %b: tensor<32x64xf32>, %c: tensor<64x64xf32> {bufferization.writable = true}) -> tensor<64x64xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %mm = linalg.matmul ins(%a, %b : tensor<64x32xf32>, tensor<32x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %t = linalg.transpose ins(%mm : tensor<64x64xf32>) outs(%c : tensor<64x64xf32>) permutation = [1, 0]
  return %t : tensor<64x64xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %t = transform.structured.match ops{["linalg.transpose"]} in %root : (!transform.any_op) -> !transform.any_op
  %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %fill = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
  %tiled, %grid = transform.structured.tile_using_forall %t tile_sizes [16, 16] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %mm2, %g2 = transform.structured.fuse_into_containing_op %mm into %grid : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  %f2, %g3 = transform.structured.fuse_into_containing_op %fill into %g2 : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  %mm3, %k = transform.structured.tile_using_for %mm2 tile_sizes [0, 0, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %func2 = transform.structured.vectorize_children_and_apply_patterns %func : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %func2 { transform.apply_patterns.canonicalization } : !transform.any_op
  transform.apply_cse to %func2 : !transform.any_op
  %n = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %root {bufferize_function_boundaries = true, allow_return_allocs_from_loops = true} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
