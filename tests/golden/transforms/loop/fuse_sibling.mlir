builtin.module {
  func.func @f(%n: index, %s: index, %t: tensor<40xf32>, %z: f32) -> (f32, f32, f32) {
    %b0 = arith.constant 0 : index
    %b1 = arith.constant 5 : index
    %b2 = arith.constant 1 : index
    %b3 = arith.constant 0 : index
    %b4 = arith.constant 5 : index
    %b5 = arith.constant 1 : index
    %half = arith.constant 5.000000e-01 : f32
    %b, %b_1, %a = scf.for %i = %b0 to %b1 step %b2 iter_args(%x = %z, %y = %half, %x_1 = %z) -> (f32, f32, f32) {
      %v = tensor.extract %t[%i] : tensor<40xf32>
      %p = arith.subf %x, %v : f32
      %v_1 = tensor.extract %t[%i] : tensor<40xf32>
      %p_1 = arith.mulf %x_1, %half : f32
      %q = arith.addf %p_1, %v_1 : f32
      scf.yield %p, %x, %q : f32, f32, f32
    }
    func.return %a, %b, %b_1 : f32, f32, f32
  }
}
