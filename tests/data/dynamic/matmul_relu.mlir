func.func @matmul_relu(%a: tensor<?x512xf16>, %b: tensor<512x256xf16>) -> tensor<?x256xf16> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?x512xf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%m) : tensor<?x256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x256xf32>) -> tensor<?x256xf32>
  %p = linalg.matmul ins(%a, %b : tensor<?x512xf16>, tensor<512x256xf16>) outs(%f : tensor<?x256xf32>) -> tensor<?x256xf32>
  %o = tensor.empty(%m) : tensor<?x256xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<?x256xf32>) outs(%o : tensor<?x256xf16>) {
  ^bb0(%x: f32, %y: f16):
    %z = arith.maximumf %x, %zero : f32
    %w = arith.truncf %z : f32 to f16
    linalg.yield %w : f16
  } -> tensor<?x256xf16>
  return %r : tensor<?x256xf16>
}
