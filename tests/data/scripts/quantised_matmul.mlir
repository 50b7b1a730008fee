// i8 operands summed in i32, scaled to f32 and rounded to bf16: the whole way.
// level: buffers
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %scale = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %mm = transform.get_producer_of_operand %scale[0] : (!transform.any_op) -> !transform.any_op
    %fill = transform.get_producer_of_operand %mm[2] : (!transform.any_op) -> !transform.any_op
    %tail, %grid = transform.structured.tile_using_forall %scale tile_sizes [16, 8] (mapping = [#gpu.block<y>, #gpu.block<x>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %mm_in, %grid1 = transform.structured.fuse_into_containing_op %mm into %grid
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fill_in, %grid2 = transform.structured.fuse_into_containing_op %fill into %grid1
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %part, %k = transform.structured.tile_using_for %mm_in tile_sizes [0, 0, 16]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %all = transform.merge_handles %part, %fill_in, %tail : !transform.any_op
    transform.structured.vectorize %all : !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.vector.reduction_to_contract
      transform.apply_patterns.vector.fold_arith_extension
      transform.apply_patterns.vector.transfer_permutation_patterns
      transform.apply_patterns.vector.sink_ops
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.apply_cse to %func : !transform.any_op
    %loops = transform.structured.match ops{["scf.for"]} in %func : (!transform.any_op) -> !transform.any_op
    transform.apply_licm to %loops : !transform.any_op
    transform.loop.hoist_loop_invariant_subsets %loops : !transform.any_op
    transform.structured.eliminate_empty_tensors %func : !transform.any_op
    %buffers = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %root
      {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

  func.func @f(%a: tensor<32x48xi8>, %b: tensor<48x24xi8>, %s: tensor<24xf32>) -> tensor<32x24xbf16> {
    %zero = arith.constant 0 : i32
    %e = tensor.empty() : tensor<32x24xi32>
    %init = linalg.fill ins(%zero : i32) outs(%e : tensor<32x24xi32>) -> tensor<32x24xi32>
    %mm = linalg.matmul ins(%a, %b : tensor<32x48xi8>, tensor<48x24xi8>) outs(%init : tensor<32x24xi32>) -> tensor<32x24xi32>
    %out = tensor.empty() : tensor<32x24xbf16>
    %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        ins(%mm, %s : tensor<32x24xi32>, tensor<24xf32>) outs(%out : tensor<32x24xbf16>) {
    ^bb0(%n: i32, %factor: f32, %o: bf16):
      %x = arith.sitofp %n : i32 to f32
      %y = arith.mulf %x, %factor : f32
      %z = arith.truncf %y : f32 to bf16
      linalg.yield %z : bf16
    } -> tensor<32x24xbf16>
    return %r : tensor<32x24xbf16>
  }
}
