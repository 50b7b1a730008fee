builtin.module {
  func.func @f(%q: tensor<32x4xf32>, %k: tensor<32x4xf32>, %v: tensor<32x4xf32>, %doc: tensor<32xi32>, %length: index) -> (tensor<32x4xf32>, tensor<32xf32>) {
    %width = arith.constant 10 : index
    %c0 = arith.constant 0 : index
    %step = arith.constant 4 : index
    %zero = arith.constant 0.000000e+00 : f32
    %minf = arith.constant 0xFF800000 : f32
    %rows = arith.constant 32 : index
    %0 = tensor.empty() : tensor<32x4xf32>
    %1 = tensor.empty() : tensor<32xf32>
    %whole, %sums = scf.forall (%bi) in (4) shared_outs(%o = %0, %t = %1) -> (tensor<32x4xf32>, tensor<32xf32>) {
      %i = affine.apply affine_map<(d0) -> ((d0 * 8))>(%bi)
      %2 = tensor.extract_slice %q[%i, 0] [8, 4] [1, 1] : tensor<32x4xf32> to tensor<8x4xf32>
      %3 = tensor.empty() : tensor<8xf32>
      %m0 = linalg.fill ins(%minf : f32) outs(%3 : tensor<8xf32>) -> tensor<8xf32>
      %m0_1 = tensor.cast %m0 : tensor<8xf32> to tensor<?xf32>
      %l0 = linalg.fill ins(%zero : f32) outs(%3 : tensor<8xf32>) -> tensor<8xf32>
      %4 = tensor.empty() : tensor<8x4xf32>
      %a0 = linalg.fill ins(%zero : f32) outs(%4 : tensor<8x4xf32>) -> tensor<8x4xf32>
      %5 = affine.max affine_map<(d0) -> (0, ((d0 * 8) + -12))>(%bi)
      %6 = affine.apply affine_map<(d0) -> (((d0 * 8) + 8))>(%bi)
      %r, %7, %8 = scf.for %j = %5 to %6 step %step iter_args(%m = %m0_1, %l = %l0, %acc = %a0) -> (tensor<?xf32>, tensor<8xf32>, tensor<8x4xf32>) {
        %9 = tensor.empty() : tensor<8x4xf32>
        %s0 = linalg.fill ins(%zero : f32) outs(%9 : tensor<8x4xf32>) -> tensor<8x4xf32>
        %10 = tensor.extract_slice %k[%j, 0] [4, 4] [1, 1] : tensor<32x4xf32> to tensor<4x4xf32>
        %s = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%2, %10 : tensor<8x4xf32>, tensor<4x4xf32>) outs(%s0 : tensor<8x4xf32>) -> tensor<8x4xf32>
        %11 = tensor.empty() : tensor<8x4xf32>
        %sc = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<8x4xf32>) outs(%11 : tensor<8x4xf32>) {
        ^bb0(%x: f32, %out: f32):
          %jj = linalg.index 1 : index
          %jg = affine.apply affine_map<(d0)[s0] -> ((d0 + s0))>(%j)[%jj]
          %ii = linalg.index 0 : index
          %ig = affine.apply affine_map<(d0)[s0] -> (((d0 * 8) + s0))>(%bi)[%ii]
          %low = arith.subi %ig, %width : index
          %early = arith.cmpi sle, %jg, %ig : index
          %late = arith.cmpi sgt, %jg, %low : index
          %c = arith.andi %early, %late : i1
          %masked = arith.select %c, %x, %minf : f32
          linalg.yield %masked : f32
        } -> tensor<8x4xf32>
        %12 = tensor.cast %m : tensor<?xf32> to tensor<8xf32>
        %mn = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%sc : tensor<8x4xf32>) outs(%12 : tensor<8xf32>) {
        ^bb0(%x_1: f32, %y: f32):
          %13 = arith.maximumf %x_1, %y : f32
          linalg.yield %13 : f32
        } -> tensor<8xf32>
        %mn_1 = tensor.cast %mn : tensor<8xf32> to tensor<?xf32>
        %14 = tensor.empty() : tensor<8xf32>
        %ms = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%mn : tensor<8xf32>) outs(%14 : tensor<8xf32>) {
        ^bb0(%x_2: f32, %out_1: f32):
          %15 = arith.cmpf oeq, %x_2, %minf : f32
          %16 = arith.select %15, %zero, %x_2 : f32
          linalg.yield %16 : f32
        } -> tensor<8xf32>
        %17 = tensor.empty() : tensor<8xf32>
        %18 = tensor.cast %m : tensor<?xf32> to tensor<8xf32>
        %f = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%18, %ms : tensor<8xf32>, tensor<8xf32>) outs(%17 : tensor<8xf32>) {
        ^bb0(%x_3: f32, %y_1: f32, %out_2: f32):
          %19 = arith.subf %x_3, %y_1 : f32
          %20 = math.exp %19 : f32
          linalg.yield %20 : f32
        } -> tensor<8xf32>
        %21 = tensor.empty() : tensor<8x4xf32>
        %p = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%sc, %ms : tensor<8x4xf32>, tensor<8xf32>) outs(%21 : tensor<8x4xf32>) {
        ^bb0(%x_4: f32, %y_2: f32, %out_3: f32):
          %22 = arith.subf %x_4, %y_2 : f32
          %23 = math.exp %22 : f32
          linalg.yield %23 : f32
        } -> tensor<8x4xf32>
        %lc = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%f : tensor<8xf32>) outs(%l : tensor<8xf32>) {
        ^bb0(%y_3: f32, %out_4: f32):
          %24 = arith.mulf %out_4, %y_3 : f32
          linalg.yield %24 : f32
        } -> tensor<8xf32>
        %ln = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%p : tensor<8x4xf32>) outs(%lc : tensor<8xf32>) {
        ^bb0(%x_5: f32, %y_4: f32):
          %25 = arith.addf %x_5, %y_4 : f32
          linalg.yield %25 : f32
        } -> tensor<8xf32>
        %ac = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%f : tensor<8xf32>) outs(%acc : tensor<8x4xf32>) {
        ^bb0(%y_5: f32, %out_5: f32):
          %26 = arith.mulf %out_5, %y_5 : f32
          linalg.yield %26 : f32
        } -> tensor<8x4xf32>
        %27 = tensor.extract_slice %v[%j, 0] [4, 4] [1, 1] : tensor<32x4xf32> to tensor<4x4xf32>
        %an = linalg.matmul ins(%p, %27 : tensor<8x4xf32>, tensor<4x4xf32>) outs(%ac : tensor<8x4xf32>) -> tensor<8x4xf32>
        scf.yield %mn_1, %ln, %an : tensor<?xf32>, tensor<8xf32>, tensor<8x4xf32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %8 into %o[%i, 0] [8, 4] [1, 1] : tensor<8x4xf32> into tensor<32x4xf32>
        tensor.parallel_insert_slice %7 into %t[%i] [8] [1] : tensor<8xf32> into tensor<32xf32>
      }
    } {mapping = [#gpu.block<x>]}
    func.return %whole, %sums : tensor<32x4xf32>, tensor<32xf32>
  }
}
