builtin.module {
  func.func @f(%q: tensor<32x4xf32>, %k: tensor<32x4xf32>, %v: tensor<32x4xf32>, %doc: tensor<32xi32>, %length: index) -> tensor<32x4xf32> {
    %width = arith.constant 24 : index
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
      %3 = affine.apply affine_map<(d0) -> (((d0 * 8) + 8))>(%bi)
      %4 = affine.max affine_map<(d0) -> (0, ((d0 * 8) + -16))>(%bi)
      %5 = affine.apply affine_map<(d0) -> ((d0 * 8))>(%bi)
      %6 = scf.for %j = %c0 to %4 step %step iter_args(%acc = %a0) -> (tensor<8x4xf32>) {
        %7 = tensor.empty() : tensor<8x4xf32>
        %s0 = linalg.fill ins(%zero : f32) outs(%7 : tensor<8x4xf32>) -> tensor<8x4xf32>
        %8 = tensor.extract_slice %k[%j, 0] [4, 4] [1, 1] : tensor<32x4xf32> to tensor<4x4xf32>
        %s = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%1, %8 : tensor<8x4xf32>, tensor<4x4xf32>) outs(%s0 : tensor<8x4xf32>) -> tensor<8x4xf32>
        %9 = tensor.empty() : tensor<8x4xf32>
        %sc = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<8x4xf32>) outs(%9 : tensor<8x4xf32>) {
        ^bb0(%x: f32, %out: f32):
          %jj = linalg.index 1 : index
          %jg = affine.apply affine_map<(d0)[s0] -> ((d0 + s0))>(%j)[%jj]
          %ii = linalg.index 0 : index
          %ig = affine.apply affine_map<(d0)[s0] -> (((d0 * 8) + s0))>(%bi)[%ii]
          %low = arith.subi %ig, %width : index
          %late = arith.cmpi sgt, %jg, %low : index
          %masked = arith.select %late, %x, %zero : f32
          linalg.yield %masked : f32
        } -> tensor<8x4xf32>
        %10 = tensor.extract_slice %v[%j, 0] [4, 4] [1, 1] : tensor<32x4xf32> to tensor<4x4xf32>
        %an = linalg.matmul ins(%sc, %10 : tensor<8x4xf32>, tensor<4x4xf32>) outs(%acc : tensor<8x4xf32>) -> tensor<8x4xf32>
        scf.yield %an : tensor<8x4xf32>
      } {masked}
      %11 = scf.for %j_1 = %4 to %5 step %step iter_args(%acc_1 = %6) -> (tensor<8x4xf32>) {
        %12 = tensor.empty() : tensor<8x4xf32>
        %s0_1 = linalg.fill ins(%zero : f32) outs(%12 : tensor<8x4xf32>) -> tensor<8x4xf32>
        %13 = tensor.extract_slice %k[%j_1, 0] [4, 4] [1, 1] : tensor<32x4xf32> to tensor<4x4xf32>
        %s_1 = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%1, %13 : tensor<8x4xf32>, tensor<4x4xf32>) outs(%s0_1 : tensor<8x4xf32>) -> tensor<8x4xf32>
        %14 = tensor.empty() : tensor<8x4xf32>
        %sc_1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%s_1 : tensor<8x4xf32>) outs(%14 : tensor<8x4xf32>) {
        ^bb0(%x_1: f32, %out_1: f32):
          linalg.yield %x_1 : f32
        } -> tensor<8x4xf32>
        %15 = tensor.extract_slice %v[%j_1, 0] [4, 4] [1, 1] : tensor<32x4xf32> to tensor<4x4xf32>
        %an_1 = linalg.matmul ins(%sc_1, %15 : tensor<8x4xf32>, tensor<4x4xf32>) outs(%acc_1 : tensor<8x4xf32>) -> tensor<8x4xf32>
        scf.yield %an_1 : tensor<8x4xf32>
      } {whole}
      %16 = scf.for %j_2 = %5 to %3 step %step iter_args(%acc_2 = %11) -> (tensor<8x4xf32>) {
        %17 = tensor.empty() : tensor<8x4xf32>
        %s0_2 = linalg.fill ins(%zero : f32) outs(%17 : tensor<8x4xf32>) -> tensor<8x4xf32>
        %18 = tensor.extract_slice %k[%j_2, 0] [4, 4] [1, 1] : tensor<32x4xf32> to tensor<4x4xf32>
        %s_2 = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%1, %18 : tensor<8x4xf32>, tensor<4x4xf32>) outs(%s0_2 : tensor<8x4xf32>) -> tensor<8x4xf32>
        %19 = tensor.empty() : tensor<8x4xf32>
        %sc_2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%s_2 : tensor<8x4xf32>) outs(%19 : tensor<8x4xf32>) {
        ^bb0(%x_2: f32, %out_2: f32):
          %jj_1 = linalg.index 1 : index
          %jg_1 = affine.apply affine_map<(d0)[s0] -> ((d0 + s0))>(%j_2)[%jj_1]
          %ii_1 = linalg.index 0 : index
          %ig_1 = affine.apply affine_map<(d0)[s0] -> (((d0 * 8) + s0))>(%bi)[%ii_1]
          %early = arith.cmpi sle, %jg_1, %ig_1 : index
          %masked_1 = arith.select %early, %x_2, %zero : f32
          linalg.yield %masked_1 : f32
        } -> tensor<8x4xf32>
        %20 = tensor.extract_slice %v[%j_2, 0] [4, 4] [1, 1] : tensor<32x4xf32> to tensor<4x4xf32>
        %an_2 = linalg.matmul ins(%sc_2, %20 : tensor<8x4xf32>, tensor<4x4xf32>) outs(%acc_2 : tensor<8x4xf32>) -> tensor<8x4xf32>
        scf.yield %an_2 : tensor<8x4xf32>
      } {masked}
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %16 into %o[%i, 0] [8, 4] [1, 1] : tensor<8x4xf32> into tensor<32x4xf32>
      }
    } {mapping = [#gpu.block<x>]}
    func.return %whole : tensor<32x4xf32>
  }
}
