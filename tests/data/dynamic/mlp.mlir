func.func @mlp(%x: tensor<?x64xf16>, %w1: tensor<64x96xf16>, %b1: tensor<96xf16>, %w2: tensor<96x48xf16>, %res: tensor<?x48xf16>, %scale: f16) -> tensor<?x48xf16> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x64xf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%m) : tensor<?x96xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x96xf32>) -> tensor<?x96xf32>
  %p = linalg.matmul ins(%x, %w1 : tensor<?x64xf16>, tensor<64x96xf16>) outs(%f : tensor<?x96xf32>) -> tensor<?x96xf32>
  %o = tensor.empty(%m) : tensor<?x96xf16>
  %h = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%p, %b1 : tensor<?x96xf32>, tensor<96xf16>) outs(%o : tensor<?x96xf16>) {
  ^bb0(%a: f32, %b: f16, %y: f16):
    %w = arith.extf %b : f16 to f32
    %s = arith.addf %a, %w : f32
    %z = arith.maximumf %s, %zero : f32
    %t = arith.truncf %z : f32 to f16
    linalg.yield %t : f16
  } -> tensor<?x96xf16>
  %e2 = tensor.empty(%m) : tensor<?x48xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<?x48xf32>) -> tensor<?x48xf32>
  %p2 = linalg.matmul ins(%h, %w2 : tensor<?x96xf16>, tensor<96x48xf16>) outs(%f2 : tensor<?x48xf32>) -> tensor<?x48xf32>
  %o2 = tensor.empty(%m) : tensor<?x48xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%p2, %res : tensor<?x48xf32>, tensor<?x48xf16>) outs(%o2 : tensor<?x48xf16>) {
  ^bb0(%a: f32, %b: f16, %y: f16):
    %t = arith.truncf %a : f32 to f16
    %q = arith.mulf %t, %scale : f16
    %s = arith.addf %q, %b : f16
    linalg.yield %s : f16
  } -> tensor<?x48xf16>
  return %r : tensor<?x48xf16>
}
