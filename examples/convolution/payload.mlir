// relu of a convolution: images [n, c, h, w], filters [f, c, kh, kw], stride 2.
#image   = affine_map<(n, f, y, x, c, p, q) -> (n, c, y * 2 + p, x * 2 + q)>
#filters = affine_map<(n, f, y, x, c, p, q) -> (f, c, p, q)>
#out     = affine_map<(n, f, y, x, c, p, q) -> (n, f, y, x)>
#each    = affine_map<(n, f, y, x) -> (n, f, y, x)>

func.func @convolution(%x: tensor<4x16x33x33xf16>, %w: tensor<32x16x3x3xf16>) -> tensor<4x32x16x16xf16> {
  %zero = arith.constant 0.0 : f16
  %empty = tensor.empty() : tensor<4x32x16x16xf16>
  %zeros = linalg.fill ins(%zero : f16) outs(%empty : tensor<4x32x16x16xf16>) -> tensor<4x32x16x16xf16>
  %conv = linalg.generic {
      indexing_maps = [#image, #filters, #out],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<4x16x33x33xf16>, tensor<32x16x3x3xf16>)
      outs(%zeros : tensor<4x32x16x16xf16>) attrs = {conv} {
  ^bb0(%a: f16, %b: f16, %sum: f16):
    %product = arith.mulf %a, %b : f16
    %added = arith.addf %sum, %product : f16
    linalg.yield %added : f16
  } -> tensor<4x32x16x16xf16>
  %relu = linalg.generic {
      indexing_maps = [#each, #each],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%conv : tensor<4x32x16x16xf16>) outs(%empty : tensor<4x32x16x16xf16>) {
  ^bb0(%a: f16, %b: f16):
    %most = arith.maximumf %a, %zero : f16
    linalg.yield %most : f16
  } -> tensor<4x32x16x16xf16>
  return %relu : tensor<4x32x16x16xf16>
}
