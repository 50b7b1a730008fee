builtin.module {
  func.func @f(%q: tensor<32x4xf32>, %k: tensor<32x4xf32>, %v: tensor<32x4xf32>, %doc: tensor<32xi32>, %length: index) -> tensor<32x4xf32> {
    %width = arith.constant 10 : index
    %c0 = arith.constant 0 : index
    %step = arith.constant 4 : index
    %zero = arith.constant 0.000000e+00 : f32
    %rows = arith.constant 32 : index
    %0 = tensor.empty() : tensor<32x4xf32>
    %whole = scf.forall (%bi) in (4) shared_outs(%o = %0) -> (tensor<32x4xf32>) {
      %i = affine.apply affine_map<(d0) -> ((d0 * 8))>(%bi)
      %1 = tensor.extract_slice %q[%i, 0] [8, 4] [1, 1] : tensor<32x4xf32> to tensor<8x4xf32>
      %2 = tensor.empty() : tensor<8x4xf32>
      %a0 = linalg.fill ins(%zero : f32) outs(%2 : tensor<8x4xf32>) -> tensor<8x4xf32>
      %3 = affine.max affine_map<(d0) -> (0, ((d0 * 8) + -12))>(%bi)
      %4 = affine.apply affine_map<(d0) -> (((d0 * 8) + 8))>(%bi)
      %5 = scf.for %j = %3 to %4 step %step iter_args(%acc = %a0) -> (tensor<8x4xf32>) {
        %6 = tensor.empty() : tensor<8x4xf32>
        %s0 = linalg.fill ins(%zero : f32) outs(%6 : tensor<8x4xf32>) -> tensor<8x4xf32>
        %7 = tensor.extract_slice %k[%j, 0] [4, 4] [1, 1] : tensor<32x4xf32> to tensor<4x4xf32>
        %s = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%1, %7 : tensor<8x4xf32>, tensor<4x4xf32>) outs(%s0 : tensor<8x4xf32>) -> tensor<8x4xf32>
        %8 = tensor.empty() : tensor<8x4xf32>
        %sc = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<8x4xf32>) outs(%8 : tensor<8x4xf32>) {
        ^bb0(%x: f32, %out: f32):
          %jj = linalg.index 1 : index
          %jg = affine.apply affine_map<(d0)[s0] -> ((d0 + s0))>(%j)[%jj]
          %ii = linalg.index 0 : index
          %ig = affine.apply affine_map<(d0)[s0] -> (((d0 * 8) + s0))>(%bi)[%ii]
          %low = arith.subi %ig, %width : index
          %early = arith.cmpi sle, %jg, %ig : index
          %late = arith.cmpi sgt, %jg, %low : index
          %c = arith.andi %early, %late : i1
          %masked = arith.select %c, %x, %zero : f32
          linalg.yield %masked : f32
        } -> tensor<8x4xf32>
        %9 = tensor.extract_slice %v[%j, 0] [4, 4] [1, 1] : tensor<32x4xf32> to tensor<4x4xf32>
        %an = linalg.matmul ins(%sc, %9 : tensor<8x4xf32>, tensor<4x4xf32>) outs(%acc : tensor<8x4xf32>) -> tensor<8x4xf32>
        scf.yield %an : tensor<8x4xf32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %5 into %o[%i, 0] [8, 4] [1, 1] : tensor<8x4xf32> into tensor<32x4xf32>
      }
    } {mapping = [#gpu.block<x>]}
    func.return %whole : tensor<32x4xf32>
  }
}
