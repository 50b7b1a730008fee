builtin.module {
  func.func @f(%a: tensor<20xf32>) -> (tensor<20xf32>, tensor<20xf32>) {
    %e = tensor.empty() : tensor<20xf32>
    %p = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : tensor<20xf32>) outs(%e : tensor<20xf32>) attrs = {first} {
    ^bb0(%x: f32, %z: f32):
      %s = arith.mulf %x, %x : f32
      linalg.yield %s : f32
    } -> tensor<20xf32>
    %q, %0 = scf.forall (%1) in (3) shared_outs(%2 = %e, %3 = %e) -> (tensor<20xf32>, tensor<20xf32>) {
      %4 = affine.apply affine_map<(d0) -> ((d0 * 8))>(%1)
      %5 = affine.min affine_map<(d0) -> (((d0 * -1) + 20), 8)>(%4)
      %6 = tensor.extract_slice %a[%4] [%5] [1] : tensor<20xf32> to tensor<?xf32>
      %7 = tensor.extract_slice %2[%4] [%5] [1] : tensor<20xf32> to tensor<?xf32>
      %p_1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%6 : tensor<?xf32>) outs(%7 : tensor<?xf32>) attrs = {first, fused} {
      ^bb0(%x_1: f32, %z_1: f32):
        %s_1 = arith.mulf %x_1, %x_1 : f32
        linalg.yield %s_1 : f32
      } -> tensor<?xf32>
      %8 = tensor.extract_slice %2[%4] [%5] [1] : tensor<20xf32> to tensor<?xf32>
      %q_1 = linalg.exp ins(%p_1 : tensor<?xf32>) outs(%8 : tensor<?xf32>) -> tensor<?xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %p_1 into %3[%4] [%5] [1] : tensor<?xf32> into tensor<20xf32>
        tensor.parallel_insert_slice %q_1 into %2[%4] [%5] [1] : tensor<?xf32> into tensor<20xf32>
      }
    } {loop, mapping = [#gpu.block<x>]}
    %r = linalg.add ins(%q, %0 : tensor<20xf32>, tensor<20xf32>) outs(%e : tensor<20xf32>) -> tensor<20xf32>
    func.return %q, %r : tensor<20xf32>, tensor<20xf32>
  }
}
