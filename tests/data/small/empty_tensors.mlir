func.func @insert(%d: tensor<8x16xf32>, %x: tensor<8x8xf32>) -> (tensor<8x16xf32>, tensor<8x8xf32>) {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = tensor.insert_slice %f into %d[0, 4] [8, 8] [1, 1] : tensor<8x8xf32> into tensor<8x16xf32>
  %e2 = tensor.empty() : tensor<8x8xf32>
  %y = linalg.exp ins(%x : tensor<8x8xf32>) outs(%e2 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %e3 = tensor.empty() : tensor<8x8xf32>
  %z = linalg.exp ins(%y : tensor<8x8xf32>) outs(%e3 : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r, %z : tensor<8x16xf32>, tensor<8x8xf32>
}
func.func @loop(%d: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %c = arith.constant 0.0 : f32
  %r = scf.forall (%i) in (4) shared_outs(%o = %d) -> tensor<8x16xf32> {
    %n = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %e = tensor.empty() : tensor<8x4xf32>
    %f = linalg.fill ins(%c : f32) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %f into %o[0, %n] [8, 4] [1, 1] : tensor<8x4xf32> into tensor<8x16xf32>
    }
  }
  return %r : tensor<8x16xf32>
}
// -----
// bufferization.eliminate_empty_tensors
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.bufferization.eliminate_empty_tensors %f : !transform.any_op
  transform.yield
}

// -----
// bufferization.eliminate_empty_tensors of a module
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  transform.bufferization.eliminate_empty_tensors %root : !transform.any_op
  transform.yield
}
