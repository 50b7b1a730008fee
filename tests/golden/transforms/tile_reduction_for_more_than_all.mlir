builtin.module {
  func.func @f(%x: tensor<8x20xf32>, %o: tensor<8xf32>) -> tensor<8xf32> {
    %0 = tensor.empty() : tensor<8x50xf32>
    %1 = arith.constant 0.000000e+00 : f32
    %2 = linalg.fill {r0} ins(%1 : f32) outs(%0 : tensor<8x50xf32>) -> tensor<8x50xf32>
    %3 = arith.constant 0 : index
    %4 = arith.constant 20 : index
    %5 = arith.constant 50 : index
    %6 = scf.for %7 = %3 to %4 step %5 iter_args(%8 = %2) -> (tensor<8x50xf32>) {
      %9 = affine.min affine_map<(d0) -> (((d0 * -1) + 20), 50)>(%7)
      %10 = tensor.extract_slice %x[0, %7] [8, %9] [1, 1] : tensor<8x20xf32> to tensor<8x?xf32>
      %11 = tensor.extract_slice %8[0, 0] [8, %9] [1, 1] : tensor<8x50xf32> to tensor<8x?xf32>
      %12 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<8x?xf32>) outs(%11 : tensor<8x?xf32>) attrs = {r1} {
      ^bb0(%a: f32, %b: f32):
        %s = arith.addf %a, %b : f32
        linalg.yield %s : f32
      } -> tensor<8x?xf32>
      %13 = tensor.insert_slice %12 into %8[0, 0] [8, %9] [1, 1] : tensor<8x?xf32> into tensor<8x50xf32>
      scf.yield %13 : tensor<8x50xf32>
    } {r3}
    %r = linalg.reduce ins(%6 : tensor<8x50xf32>) outs(%o : tensor<8xf32>) dimensions = [1] {r2} (%14: f32, %15: f32) {
      %s_1 = arith.addf %14, %15 : f32
      linalg.yield %s_1 : f32
    }
    func.return %r : tensor<8xf32>
  }
}
