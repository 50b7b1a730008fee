// Every second row and column of the left factor, from the second one on.
func.func @stepped(%x: tensor<129x201xf16>, %y: tensor<100x72xf16>) -> tensor<64x72xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x72xf32>
  %part = tensor.extract_slice %x[1, 1] [64, 100] [2, 2] : tensor<129x201xf16> to tensor<64x100xf16>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x72xf32>) -> tensor<64x72xf32>
  %product = linalg.matmul ins(%part, %y : tensor<64x100xf16>, tensor<100x72xf16>) outs(%init : tensor<64x72xf32>) -> tensor<64x72xf32>
  return %product : tensor<64x72xf32>
}
