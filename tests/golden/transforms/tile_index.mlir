builtin.module {
  func.func @elementwise(%a: tensor<30xi32>) -> tensor<30xi32> {
    %zero = arith.constant 0.000000e+00 : f32
    %e = tensor.empty() : tensor<30xi32>
    %r = scf.forall (%0) in (4) shared_outs(%1 = %e) -> (tensor<30xi32>) {
      %2 = affine.apply affine_map<(d0) -> ((d0 * 8))>(%0)
      %3 = affine.min affine_map<(d0) -> (((d0 * -1) + 30), 8)>(%2)
      %4 = tensor.extract_slice %a[%2] [%3] [1] : tensor<30xi32> to tensor<?xi32>
      %5 = tensor.extract_slice %1[%2] [%3] [1] : tensor<30xi32> to tensor<?xi32>
      %r_1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%4 : tensor<?xi32>) outs(%5 : tensor<?xi32>) {
      ^bb0(%x: i32, %o: i32):
        %i = linalg.index 0 : index
        %i_1 = affine.apply affine_map<(d0)[s0] -> ((d0 + s0))>(%2)[%i]
        %c = arith.index_cast %i_1 : index to i32
        %y = arith.addi %x, %c : i32
        linalg.yield %y : i32
      } -> tensor<?xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %r_1 into %1[%2] [%3] [1] : tensor<?xi32> into tensor<30xi32>
      }
    } {mapping = [#gpu.block<x>]}
    func.return %r : tensor<30xi32>
  }
}
