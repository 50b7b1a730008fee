func.func @f(%a: tensor<256x256xf32>, %b: tensor<256x256xf32>, %c: tensor<256x256xf32>)
    -> tensor<256x256xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x256xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<256x256xf32>) -> tensor<256x256xf32>
  %m = linalg.matmul ins(%a, %b : tensor<256x256xf32>, tensor<256x256xf32>)
    outs(%i : tensor<256x256xf32>) -> tensor<256x256xf32>
  %n = linalg.matmul ins(%m, %c : tensor<256x256xf32>, tensor<256x256xf32>)
    outs(%i : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %n : tensor<256x256xf32>
}
