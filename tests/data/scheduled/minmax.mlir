builtin.module {
  func.func @minmax(%x: tensor<5x1000xf16>) -> (tensor<5xf16>, tensor<5xf16>) {
    %ninf = arith.constant 0xFC00 : f16
    %pinf = arith.constant 0x7C00 : f16
    %empty = tensor.empty() : tensor<5xf16>
    %lo = linalg.fill ins(%pinf : f16) outs(%empty : tensor<5xf16>) -> tensor<5xf16>
    %empty_1 = tensor.empty() : tensor<5xf16>
    %hi = linalg.fill ins(%ninf : f16) outs(%empty_1 : tensor<5xf16>) -> tensor<5xf16>
    %least, %largest = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<5x1000xf16>) outs(%lo, %hi : tensor<5xf16>, tensor<5xf16>) {
    ^bb0(%a: f16, %l: f16, %h: f16):
      %0 = arith.minimumf %a, %l : f16
      %1 = arith.maximumf %a, %h : f16
      linalg.yield %0, %1 : f16, f16
    } -> (tensor<5xf16>, tensor<5xf16>)
    func.return %least, %largest : tensor<5xf16>, tensor<5xf16>
  }
}
