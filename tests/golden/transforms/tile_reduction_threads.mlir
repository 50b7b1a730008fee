builtin.module {
  func.func @f(%x: tensor<8x20xf32>, %o: tensor<8xf32>) -> tensor<8xf32> {
    %0 = tensor.empty() : tensor<8x4xf32>
    %1 = arith.constant 0.000000e+00 : f32
    %2 = linalg.fill {r0} ins(%1 : f32) outs(%0 : tensor<8x4xf32>) -> tensor<8x4xf32>
    %3 = scf.forall (%4) in (4) shared_outs(%5 = %2) -> (tensor<8x4xf32>) {
      %6 = affine.apply affine_map<(d0) -> ((d0 * 5))>(%4)
      %7 = tensor.extract_slice %x[0, %6] [8, 5] [1, 1] : tensor<8x20xf32> to tensor<8x5xf32>
      %8 = tensor.extract_slice %5[0, %4] [8, 1] [1, 1] : tensor<8x4xf32> to tensor<8xf32>
      %9 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%7 : tensor<8x5xf32>) outs(%8 : tensor<8xf32>) attrs = {r1} {
      ^bb0(%a: f32, %b: f32):
        %s = arith.addf %a, %b : f32
        linalg.yield %s : f32
      } -> tensor<8xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %9 into %5[0, %4] [8, 1] [1, 1] : tensor<8xf32> into tensor<8x4xf32>
      }
    } {r3}
    %r = linalg.reduce ins(%3 : tensor<8x4xf32>) outs(%o : tensor<8xf32>) dimensions = [1] {r2} (%10: f32, %11: f32) {
      %s_1 = arith.addf %10, %11 : f32
      linalg.yield %s_1 : f32
    }
    func.return %r : tensor<8xf32>
  }
}
