// The same loop for lengths that no tile divides: partial rows, a partial last step, and
// heads of 24. Masked-off rows need no mask in the loop.
func.func @attention(%q: tensor<2x40x24xf16>, %k: tensor<2x50x24xf16>, %v: tensor<2x50x24xf16>) -> tensor<2x40x24xf16> {
  %c0 = arith.constant 0 : index
  %bn = arith.constant 32 : index
  %n = arith.constant 50 : index
  %zero = arith.constant 0.0 : f32
  %factor = arith.constant 0.2944888920518061 : f32
  %minf = arith.constant 0xFF800000 : f32
  %empty = tensor.empty() : tensor<2x40x24xf16>
  %res = scf.forall (%b, %bi) in (2, 2) shared_outs(%o = %empty) -> (tensor<2x40x24xf16>) {
    %i = affine.apply affine_map<(d0) -> (d0 * 32)>(%bi)
    %ms_ = affine.min affine_map<(d0) -> (32, -d0 + 40)>(%i)
    %qt = tensor.extract_slice %q[%b, %i, 0] [1, %ms_, 24] [1, 1, 1] : tensor<2x40x24xf16> to tensor<1x?x24xf16>
    %e0 = tensor.empty(%ms_) : tensor<1x?xf32>
    %m0 = linalg.fill ins(%minf : f32) outs(%e0 : tensor<1x?xf32>) -> tensor<1x?xf32>
    %e1 = tensor.empty(%ms_) : tensor<1x?xf32>
    %l0 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x?xf32>) -> tensor<1x?xf32>
    %e2 = tensor.empty(%ms_) : tensor<1x?x24xf32>
    %a0 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<1x?x24xf32>) -> tensor<1x?x24xf32>
    %r:3 = scf.for %j = %c0 to %n step %bn iter_args(%m = %m0, %l = %l0, %acc = %a0) -> (tensor<1x?xf32>, tensor<1x?xf32>, tensor<1x?x24xf32>) {
      %ns_ = affine.min affine_map<(d0) -> (32, -d0 + 50)>(%j)
      %kt = tensor.extract_slice %k[%b, %j, 0] [1, %ns_, 24] [1, 1, 1] : tensor<2x50x24xf16> to tensor<1x?x24xf16>
      %vt = tensor.extract_slice %v[%b, %j, 0] [1, %ns_, 24] [1, 1, 1] : tensor<2x50x24xf16> to tensor<1x?x24xf16>
      %e3 = tensor.empty(%ms_, %ns_) : tensor<1x?x?xf32>
      %s0 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<1x?x?xf32>) -> tensor<1x?x?xf32>
      %s = linalg.batch_matmul indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>] ins(%qt, %kt : tensor<1x?x24xf16>, tensor<1x?x24xf16>) outs(%s0 : tensor<1x?x?xf32>) -> tensor<1x?x?xf32>
      %e4 = tensor.empty(%ms_, %ns_) : tensor<1x?x?xf32>
      %scores = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<1x?x?xf32>) outs(%e4 : tensor<1x?x?xf32>) {
      ^bb0(%x: f32, %out: f32):
        linalg.yield %x : f32
      } -> tensor<1x?x?xf32>
      %mn = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%scores : tensor<1x?x?xf32>) outs(%m : tensor<1x?xf32>) {
      ^bb0(%x: f32, %acc_1: f32):
        %1 = arith.maximumf %x, %acc_1 : f32
        linalg.yield %1 : f32
      } -> tensor<1x?xf32>
      %e5 = tensor.empty(%ms_) : tensor<1x?xf32>
      %f = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%m, %mn : tensor<1x?xf32>, tensor<1x?xf32>) outs(%e5 : tensor<1x?xf32>) {
      ^bb0(%x: f32, %y: f32, %out: f32):
        %a_ = arith.mulf %x, %factor : f32
        %b_ = arith.mulf %y, %factor : f32
        %d_ = arith.subf %a_, %b_ : f32
        %2 = math.exp2 %d_ : f32
        linalg.yield %2 : f32
      } -> tensor<1x?xf32>
      %e6 = tensor.empty(%ms_, %ns_) : tensor<1x?x?xf32>
      %p = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%scores, %mn : tensor<1x?x?xf32>, tensor<1x?xf32>) outs(%e6 : tensor<1x?x?xf32>) {
      ^bb0(%x: f32, %y: f32, %out: f32):
        %a_ = arith.mulf %x, %factor : f32
        %b_ = arith.mulf %y, %factor : f32
        %d_ = arith.subf %a_, %b_ : f32
        %3 = math.exp2 %d_ : f32
        linalg.yield %3 : f32
      } -> tensor<1x?x?xf32>
      %e7 = tensor.empty(%ms_) : tensor<1x?xf32>
      %lc = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%f : tensor<1x?xf32>) outs(%l : tensor<1x?xf32>) {
      ^bb0(%y: f32, %out: f32):
        %1 = arith.mulf %out, %y : f32
        linalg.yield %1 : f32
      } -> tensor<1x?xf32>
      %ln = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%p : tensor<1x?x?xf32>) outs(%lc : tensor<1x?xf32>) {
      ^bb0(%x: f32, %acc_1: f32):
        %1 = arith.addf %x, %acc_1 : f32
        linalg.yield %1 : f32
      } -> tensor<1x?xf32>
      %e9 = tensor.empty(%ms_, %ns_) : tensor<1x?x?xf16>
      %ph = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p : tensor<1x?x?xf32>) outs(%e9 : tensor<1x?x?xf16>) {
      ^bb0(%x: f32, %out: f16):
        %2 = arith.truncf %x : f32 to f16
        linalg.yield %2 : f16
      } -> tensor<1x?x?xf16>
      %e8 = tensor.empty(%ms_) : tensor<1x?x24xf32>
      %ac = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%f : tensor<1x?xf32>) outs(%acc : tensor<1x?x24xf32>) {
      ^bb0(%y: f32, %out: f32):
        %1 = arith.mulf %out, %y : f32
        linalg.yield %1 : f32
      } -> tensor<1x?x24xf32>
      %an = linalg.batch_matmul ins(%ph, %vt : tensor<1x?x?xf16>, tensor<1x?x24xf16>) outs(%ac : tensor<1x?x24xf32>) -> tensor<1x?x24xf32>
      scf.yield %mn, %ln, %an : tensor<1x?xf32>, tensor<1x?xf32>, tensor<1x?x24xf32>
    }
    %ot = tensor.extract_slice %o[%b, %i, 0] [1, %ms_, 24] [1, 1, 1] : tensor<2x40x24xf16> to tensor<1x?x24xf16>
    %d = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%r#2, %r#1 : tensor<1x?x24xf32>, tensor<1x?xf32>) outs(%ot : tensor<1x?x24xf16>) {
    ^bb0(%x: f32, %y: f32, %out: f16):
      %5 = arith.divf %x, %y : f32
      %6 = arith.truncf %5 : f32 to f16
      linalg.yield %6 : f16
    } -> tensor<1x?x24xf16>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %d into %o[%b, %i, 0] [1, %ms_, 24] [1, 1, 1] : tensor<1x?x24xf16> into tensor<2x40x24xf16>
    }
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  func.return %res : tensor<2x40x24xf16>
}
