// One op, or one tensor, in a buffer of its own.
// -----
// matmul
func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %b, %new = transform.structured.bufferize_to_allocation %0  : !transform.any_op
  transform.yield
}
// -----
// fill
func.func @f(%n: index, %x: f32) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.fill ins(%x : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
  %b, %new = transform.structured.bufferize_to_allocation %0  : !transform.any_op
  transform.yield
}
// -----
// pad
func.func @f(%t: tensor<?x10xindex>, %l1: index, %h1: index, %h2: index) -> tensor<?x?xindex> {
  %c = arith.constant 50 : index
  %0 = tensor.pad %t low[5, %l1] high[%h1, %h2] {
  ^bb0(%a0: index, %a1: index):
    tensor.yield %c : index
  } : tensor<?x10xindex> to tensor<?x?xindex>
  return %0 : tensor<?x?xindex>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["tensor.pad"]} in %root : (!transform.any_op) -> !transform.any_op
  %b, %new = transform.structured.bufferize_to_allocation %0  : !transform.any_op
  transform.yield
}
// -----
// padgen
// only real MLIR refuses: it makes an op that its verifier rejects
func.func @f(%t: tensor<4x10xindex>) -> tensor<6x12xindex> {
  %0 = tensor.pad %t low[1, 2] high[1, 0] {
  ^bb0(%a0: index, %a1: index):
    %s = arith.addi %a0, %a1 : index
    tensor.yield %s : index
  } : tensor<4x10xindex> to tensor<6x12xindex>
  return %0 : tensor<6x12xindex>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["tensor.pad"]} in %root : (!transform.any_op) -> !transform.any_op
  %b, %new = transform.structured.bufferize_to_allocation %0  : !transform.any_op
  transform.yield
}
// -----
// padzero
func.func @f(%t: tensor<?x10xf32>, %x: f32) -> tensor<?x10xf32> {
  %0 = tensor.pad %t low[0, 0] high[0, 0] {
  ^bb0(%a0: index, %a1: index):
    tensor.yield %x : f32
  } : tensor<?x10xf32> to tensor<?x10xf32>
  return %0 : tensor<?x10xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["tensor.pad"]} in %root : (!transform.any_op) -> !transform.any_op
  %b, %new = transform.structured.bufferize_to_allocation %0  : !transform.any_op
  transform.yield
}
// -----
// insert
func.func @f(%t: tensor<?x10xindex>, %i: index, %v: index) -> tensor<?x10xindex> {
  %0 = tensor.insert %v into %t[%i, %i] : tensor<?x10xindex>
  return %0 : tensor<?x10xindex>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["tensor.insert"]} in %root : (!transform.any_op) -> !transform.any_op
  %b, %new = transform.structured.bufferize_to_allocation %0  : !transform.any_op
  transform.yield
}
// -----
// insert slice
func.func @f(%t: tensor<?x10xf32>, %i: index, %v: tensor<2x3xf32>) -> tensor<?x10xf32> {
  %0 = tensor.insert_slice %v into %t[%i, 0] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<?x10xf32>
  return %0 : tensor<?x10xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["tensor.insert_slice"]} in %root : (!transform.any_op) -> !transform.any_op
  %b, %new = transform.structured.bufferize_to_allocation %0  : !transform.any_op
  transform.yield
}
// -----
// extract slice
func.func @f(%t: tensor<?x10xf32>, %i: index) -> tensor<2x3xf32> {
  %0 = tensor.extract_slice %t[%i, 0] [2, 3] [1, 1] : tensor<?x10xf32> to tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["tensor.extract_slice"]} in %root : (!transform.any_op) -> !transform.any_op
  %b, %new = transform.structured.bufferize_to_allocation %0  : !transform.any_op
  transform.yield
}
// -----
// transfer write
func.func @f(%t: tensor<?x10xf32>, %i: index, %v: vector<4xf32>) -> tensor<?x10xf32> {
  %0 = vector.transfer_write %v, %t[%i, %i] : vector<4xf32>, tensor<?x10xf32>
  return %0 : tensor<?x10xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["vector.transfer_write"]} in %root : (!transform.any_op) -> !transform.any_op
  %b, %new = transform.structured.bufferize_to_allocation %0  : !transform.any_op
  transform.yield
}
// -----
// mask
func.func @f(%t: tensor<?xf32>, %i: index, %v: vector<16xf32>, %m: vector<16xi1>) -> tensor<?xf32> {
  %0 = vector.mask %m { vector.transfer_write %v, %t[%i] : vector<16xf32>, tensor<?xf32> } : vector<16xi1> -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["vector.mask"]} in %root : (!transform.any_op) -> !transform.any_op
  %b, %new = transform.structured.bufferize_to_allocation %0  : !transform.any_op
  transform.yield
}
// -----
// alloc tensor
func.func @f(%n: index, %x: f32) -> tensor<?xf32> {
  %e = bufferization.alloc_tensor(%n) : tensor<?xf32>
  %r = linalg.fill ins(%x : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["bufferization.alloc_tensor"]} in %root : (!transform.any_op) -> !transform.any_op
  %b, %new = transform.structured.bufferize_to_allocation %0  : !transform.any_op
  transform.yield
}
// -----
// two outs
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %r:2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%b, %c : tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    linalg.yield %x, %x : f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>)
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  %b, %new = transform.structured.bufferize_to_allocation %0  : !transform.any_op
  transform.yield
}
// -----
// scalar result
func.func @f(%t: tensor<4xf32>, %i: index) -> f32 {
  %r = tensor.extract %t[%i] : tensor<4xf32>
  return %r : f32
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["tensor.extract"]} in %root : (!transform.any_op) -> !transform.any_op
  %b, %new = transform.structured.bufferize_to_allocation %0  : !transform.any_op
  transform.yield
}
// -----
// empty
func.func @f(%n: index) -> tensor<?xf32> {
  %r = tensor.empty(%n) : tensor<?xf32>
  return %r : tensor<?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["tensor.empty"]} in %root : (!transform.any_op) -> !transform.any_op
  %b, %new = transform.structured.bufferize_to_allocation %0  : !transform.any_op
  transform.yield
}
// -----
// constant
func.func @f() -> tensor<2xf32> {
  %r = arith.constant dense<1.0> : tensor<2xf32>
  return %r : tensor<2xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["arith.constant"]} in %root : (!transform.any_op) -> !transform.any_op
  %b, %new = transform.structured.bufferize_to_allocation %0  : !transform.any_op
  transform.yield
}
// -----
// vector read
func.func @f(%t: tensor<4xf32>, %i: index, %x: f32) -> vector<4xf32> {
  %r = vector.transfer_read %t[%i], %x : tensor<4xf32>, vector<4xf32>
  return %r : vector<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["vector.transfer_read"]} in %root : (!transform.any_op) -> !transform.any_op
  %b, %new = transform.structured.bufferize_to_allocation %0  : !transform.any_op
  transform.yield
}
// -----
// cast
func.func @f(%t: tensor<4xf32>) -> tensor<?xf32> {
  %r = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["tensor.cast"]} in %root : (!transform.any_op) -> !transform.any_op
  %b, %new = transform.structured.bufferize_to_allocation %0  : !transform.any_op
  transform.yield
}
// -----
// loop
func.func @f(%t: tensor<4x4xf32>, %n: index, %x: f32) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> tensor<4x4xf32> {
    %s = linalg.fill ins(%x : f32) outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.yield %s : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
  %b, %new = transform.structured.bufferize_to_allocation %0  : !transform.any_op
  transform.yield
}
// -----
// arith
func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
  %r = arith.addf %t, %t : tensor<4xf32>
  return %r : tensor<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["arith.addf"]} in %root : (!transform.any_op) -> !transform.any_op
  %b, %new = transform.structured.bufferize_to_allocation %0  : !transform.any_op
  transform.yield
}
// -----
// scalarop
func.func @f(%t: f32) -> f32 {
  %r = arith.addf %t, %t : f32
  return %r : f32
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["arith.addf"]} in %root : (!transform.any_op) -> !transform.any_op
  %b, %new = transform.structured.bufferize_to_allocation %0  : !transform.any_op
  transform.yield
}
// -----
// generate
func.func @f(%n: index) -> tensor<?xindex> {
  %r = tensor.generate %n {
  ^bb0(%i: index):
    tensor.yield %i : index
  } : tensor<?xindex>
  return %r : tensor<?xindex>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["tensor.generate"]} in %root : (!transform.any_op) -> !transform.any_op
  %b, %new = transform.structured.bufferize_to_allocation %0  : !transform.any_op
  transform.yield
}
// -----
// matmul into a memory space
func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %b, %new = transform.structured.bufferize_to_allocation %0 {memory_space = 3} : !transform.any_op
  transform.yield
}
// -----
// matmul with linalg.copy
func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %b, %new = transform.structured.bufferize_to_allocation %0 {memcpy_op = "linalg.copy"} : !transform.any_op
  transform.yield
}
// -----
// matmul on the stack
func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %b, %new = transform.structured.bufferize_to_allocation %0 {alloc_op = "memref.alloca"} : !transform.any_op
  transform.yield
}
// -----
// matmul deallocated
func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %b, %new = transform.structured.bufferize_to_allocation %0 {emit_dealloc} : !transform.any_op
  transform.yield
}
// -----
// matmul, the destination only
func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %b, %new = transform.structured.bufferize_to_allocation %0 {bufferize_destination_only} : !transform.any_op
  transform.yield
}
// -----
// pad into a memory space
func.func @f(%t: tensor<?x10xindex>, %l1: index, %h1: index, %h2: index) -> tensor<?x?xindex> {
  %c = arith.constant 50 : index
  %0 = tensor.pad %t low[5, %l1] high[%h1, %h2] {
  ^bb0(%a0: index, %a1: index):
    tensor.yield %c : index
  } : tensor<?x10xindex> to tensor<?x?xindex>
  return %0 : tensor<?x?xindex>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["tensor.pad"]} in %root : (!transform.any_op) -> !transform.any_op
  %b, %new = transform.structured.bufferize_to_allocation %0 {memory_space = 3} : !transform.any_op
  transform.yield
}
// -----
// pad with linalg.copy
func.func @f(%t: tensor<?x10xindex>, %l1: index, %h1: index, %h2: index) -> tensor<?x?xindex> {
  %c = arith.constant 50 : index
  %0 = tensor.pad %t low[5, %l1] high[%h1, %h2] {
  ^bb0(%a0: index, %a1: index):
    tensor.yield %c : index
  } : tensor<?x10xindex> to tensor<?x?xindex>
  return %0 : tensor<?x?xindex>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["tensor.pad"]} in %root : (!transform.any_op) -> !transform.any_op
  %b, %new = transform.structured.bufferize_to_allocation %0 {memcpy_op = "linalg.copy"} : !transform.any_op
  transform.yield
}
// -----
// pad on the stack
func.func @f(%t: tensor<?x10xindex>, %l1: index, %h1: index, %h2: index) -> tensor<?x?xindex> {
  %c = arith.constant 50 : index
  %0 = tensor.pad %t low[5, %l1] high[%h1, %h2] {
  ^bb0(%a0: index, %a1: index):
    tensor.yield %c : index
  } : tensor<?x10xindex> to tensor<?x?xindex>
  return %0 : tensor<?x?xindex>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["tensor.pad"]} in %root : (!transform.any_op) -> !transform.any_op
  %b, %new = transform.structured.bufferize_to_allocation %0 {alloc_op = "memref.alloca"} : !transform.any_op
  transform.yield
}
// -----
// pad deallocated
func.func @f(%t: tensor<?x10xindex>, %l1: index, %h1: index, %h2: index) -> tensor<?x?xindex> {
  %c = arith.constant 50 : index
  %0 = tensor.pad %t low[5, %l1] high[%h1, %h2] {
  ^bb0(%a0: index, %a1: index):
    tensor.yield %c : index
  } : tensor<?x10xindex> to tensor<?x?xindex>
  return %0 : tensor<?x?xindex>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["tensor.pad"]} in %root : (!transform.any_op) -> !transform.any_op
  %b, %new = transform.structured.bufferize_to_allocation %0 {emit_dealloc} : !transform.any_op
  transform.yield
}
// -----
// pad, the destination only
func.func @f(%t: tensor<?x10xindex>, %l1: index, %h1: index, %h2: index) -> tensor<?x?xindex> {
  %c = arith.constant 50 : index
  %0 = tensor.pad %t low[5, %l1] high[%h1, %h2] {
  ^bb0(%a0: index, %a1: index):
    tensor.yield %c : index
  } : tensor<?x10xindex> to tensor<?x?xindex>
  return %0 : tensor<?x?xindex>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["tensor.pad"]} in %root : (!transform.any_op) -> !transform.any_op
  %b, %new = transform.structured.bufferize_to_allocation %0 {bufferize_destination_only} : !transform.any_op
  transform.yield
}
// -----
// insert slice into a memory space
func.func @f(%t: tensor<?x10xf32>, %i: index, %v: tensor<2x3xf32>) -> tensor<?x10xf32> {
  %0 = tensor.insert_slice %v into %t[%i, 0] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<?x10xf32>
  return %0 : tensor<?x10xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["tensor.insert_slice"]} in %root : (!transform.any_op) -> !transform.any_op
  %b, %new = transform.structured.bufferize_to_allocation %0 {memory_space = 3} : !transform.any_op
  transform.yield
}
// -----
// insert slice with linalg.copy
func.func @f(%t: tensor<?x10xf32>, %i: index, %v: tensor<2x3xf32>) -> tensor<?x10xf32> {
  %0 = tensor.insert_slice %v into %t[%i, 0] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<?x10xf32>
  return %0 : tensor<?x10xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["tensor.insert_slice"]} in %root : (!transform.any_op) -> !transform.any_op
  %b, %new = transform.structured.bufferize_to_allocation %0 {memcpy_op = "linalg.copy"} : !transform.any_op
  transform.yield
}
// -----
// insert slice on the stack
func.func @f(%t: tensor<?x10xf32>, %i: index, %v: tensor<2x3xf32>) -> tensor<?x10xf32> {
  %0 = tensor.insert_slice %v into %t[%i, 0] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<?x10xf32>
  return %0 : tensor<?x10xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["tensor.insert_slice"]} in %root : (!transform.any_op) -> !transform.any_op
  %b, %new = transform.structured.bufferize_to_allocation %0 {alloc_op = "memref.alloca"} : !transform.any_op
  transform.yield
}
// -----
// insert slice deallocated
func.func @f(%t: tensor<?x10xf32>, %i: index, %v: tensor<2x3xf32>) -> tensor<?x10xf32> {
  %0 = tensor.insert_slice %v into %t[%i, 0] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<?x10xf32>
  return %0 : tensor<?x10xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["tensor.insert_slice"]} in %root : (!transform.any_op) -> !transform.any_op
  %b, %new = transform.structured.bufferize_to_allocation %0 {emit_dealloc} : !transform.any_op
  transform.yield
}
// -----
// insert slice, the destination only
func.func @f(%t: tensor<?x10xf32>, %i: index, %v: tensor<2x3xf32>) -> tensor<?x10xf32> {
  %0 = tensor.insert_slice %v into %t[%i, 0] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<?x10xf32>
  return %0 : tensor<?x10xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["tensor.insert_slice"]} in %root : (!transform.any_op) -> !transform.any_op
  %b, %new = transform.structured.bufferize_to_allocation %0 {bufferize_destination_only} : !transform.any_op
  transform.yield
}
// -----
// mask into a memory space
func.func @f(%t: tensor<?xf32>, %i: index, %v: vector<16xf32>, %m: vector<16xi1>) -> tensor<?xf32> {
  %0 = vector.mask %m { vector.transfer_write %v, %t[%i] : vector<16xf32>, tensor<?xf32> } : vector<16xi1> -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["vector.mask"]} in %root : (!transform.any_op) -> !transform.any_op
  %b, %new = transform.structured.bufferize_to_allocation %0 {memory_space = 3} : !transform.any_op
  transform.yield
}
// -----
// mask with linalg.copy
func.func @f(%t: tensor<?xf32>, %i: index, %v: vector<16xf32>, %m: vector<16xi1>) -> tensor<?xf32> {
  %0 = vector.mask %m { vector.transfer_write %v, %t[%i] : vector<16xf32>, tensor<?xf32> } : vector<16xi1> -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["vector.mask"]} in %root : (!transform.any_op) -> !transform.any_op
  %b, %new = transform.structured.bufferize_to_allocation %0 {memcpy_op = "linalg.copy"} : !transform.any_op
  transform.yield
}
// -----
// mask on the stack
func.func @f(%t: tensor<?xf32>, %i: index, %v: vector<16xf32>, %m: vector<16xi1>) -> tensor<?xf32> {
  %0 = vector.mask %m { vector.transfer_write %v, %t[%i] : vector<16xf32>, tensor<?xf32> } : vector<16xi1> -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["vector.mask"]} in %root : (!transform.any_op) -> !transform.any_op
  %b, %new = transform.structured.bufferize_to_allocation %0 {alloc_op = "memref.alloca"} : !transform.any_op
  transform.yield
}
// -----
// mask deallocated
func.func @f(%t: tensor<?xf32>, %i: index, %v: vector<16xf32>, %m: vector<16xi1>) -> tensor<?xf32> {
  %0 = vector.mask %m { vector.transfer_write %v, %t[%i] : vector<16xf32>, tensor<?xf32> } : vector<16xi1> -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["vector.mask"]} in %root : (!transform.any_op) -> !transform.any_op
  %b, %new = transform.structured.bufferize_to_allocation %0 {emit_dealloc} : !transform.any_op
  transform.yield
}
// -----
// mask, the destination only
func.func @f(%t: tensor<?xf32>, %i: index, %v: vector<16xf32>, %m: vector<16xi1>) -> tensor<?xf32> {
  %0 = vector.mask %m { vector.transfer_write %v, %t[%i] : vector<16xf32>, tensor<?xf32> } : vector<16xi1> -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["vector.mask"]} in %root : (!transform.any_op) -> !transform.any_op
  %b, %new = transform.structured.bufferize_to_allocation %0 {bufferize_destination_only} : !transform.any_op
  transform.yield
}
// -----
// insert with memref.copy
func.func @f(%t: tensor<?x10xindex>, %i: index, %v: index) -> tensor<?x10xindex> {
  %0 = tensor.insert %v into %t[%i, %i] : tensor<?x10xindex>
  return %0 : tensor<?x10xindex>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["tensor.insert"]} in %root : (!transform.any_op) -> !transform.any_op
  %b, %new = transform.structured.bufferize_to_allocation %0 {memcpy_op = "memref.copy"} : !transform.any_op
  transform.yield
}
// -----
// insert with a copy that does not exist
func.func @f(%t: tensor<?x10xindex>, %i: index, %v: index) -> tensor<?x10xindex> {
  %0 = tensor.insert %v into %t[%i, %i] : tensor<?x10xindex>
  return %0 : tensor<?x10xindex>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["tensor.insert"]} in %root : (!transform.any_op) -> !transform.any_op
  %b, %new = transform.structured.bufferize_to_allocation %0 {memcpy_op = "foo"} : !transform.any_op
  transform.yield
}
// -----
// promote_tensor: an input, into a memory space
func.func @f(%a: tensor<42x84xf32>, %b: tensor<84x42xf32>, %c: tensor<42x42xf32>) -> tensor<42x42xf32> {
  %r = linalg.matmul ins(%a, %b: tensor<42x84xf32>, tensor<84x42xf32>) outs(%c: tensor<42x42xf32>) -> tensor<42x42xf32>
  return %r : tensor<42x42xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %op0 = transform.get_operand %mm[0] : (!transform.any_op) -> !transform.any_value
  %p = transform.structured.promote_tensor to 1 %op0 : !transform.any_value
  %op2 = transform.get_operand %mm[2] : (!transform.any_op) -> !transform.any_value
  %p2 = transform.structured.promote_tensor %op2 : !transform.any_value
  transform.yield
}
// -----
// promote_tensor: a fill needs no copy
func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x42xf32>, %c: tensor<?x42xf32>) -> tensor<?x42xf32> {
  %z = arith.constant 0.0 : f32
  %0 = linalg.fill ins(%z : f32) outs(%c : tensor<?x42xf32>) -> tensor<?x42xf32>
  %r = linalg.matmul ins(%a, %b: tensor<?x?xf32>, tensor<?x42xf32>) outs(%0: tensor<?x42xf32>) -> tensor<?x42xf32>
  return %r : tensor<?x42xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %mm = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
  %op0 = transform.get_operand %mm[1] : (!transform.any_op) -> !transform.any_value
  %p = transform.structured.promote_tensor to #gpu.address_space<workgroup> %op0 : !transform.any_value
  %res = transform.get_result %mm[0] : (!transform.any_op) -> !transform.any_value
  %q = transform.structured.promote_tensor %res : !transform.any_value
  transform.yield
}
// -----
// promote_tensor: no tensor
func.func @f(%a: f32, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.fill ins(%a : f32) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %mm = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
  %op0 = transform.get_operand %mm[0] : (!transform.any_op) -> !transform.any_value
  %p = transform.structured.promote_tensor %op0 : !transform.any_value
  transform.yield
}
// -----
// promote_tensor: promoted and bufferized
func.func @f(%a: tensor<42x84xf32>, %b: tensor<84x42xf32>) -> tensor<42x42xf32> {
  %c = tensor.empty() : tensor<42x42xf32>
  %z = arith.constant 0.0 : f32
  %0 = linalg.fill ins(%z : f32) outs(%c : tensor<42x42xf32>) -> tensor<42x42xf32>
  %r = linalg.matmul ins(%a, %b: tensor<42x84xf32>, tensor<84x42xf32>) outs(%0: tensor<42x42xf32>) -> tensor<42x42xf32>
  return %r : tensor<42x42xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %op0 = transform.get_operand %mm[0] : (!transform.any_op) -> !transform.any_value
  %p = transform.structured.promote_tensor to 1 %op0 : !transform.any_value
  %n = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %root {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
