builtin.module {
  func.func @f(%n: index, %s: index, %t: tensor<40xf32>, %z: f32) -> (f32, f32) {
    %b0 = arith.constant 0 : index
    %b1 = arith.constant 3 : index
    %b2 = arith.constant 4 : index
    %half = arith.constant 5.000000e-01 : f32
    %c8 = arith.constant 8 : index
    %k = arith.addi %b0, %c8 : index
    %v = tensor.extract %t[%k] : tensor<40xf32>
    %p = arith.mulf %z, %half : f32
    %q = arith.addf %p, %v : f32
    %w = arith.subf %q, %half : f32
    func.return %q, %w : f32, f32
  }
}
