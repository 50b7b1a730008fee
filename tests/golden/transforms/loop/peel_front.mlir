builtin.module {
  func.func @f(%n: index, %s: index, %t: tensor<40xf32>, %z: f32) -> (f32, f32) {
    %b0 = arith.constant 0 : index
    %b1 = arith.constant 10 : index
    %b2 = arith.constant 4 : index
    %half = arith.constant 5.000000e-01 : f32
    %c8 = arith.constant 8 : index
    %0 = arith.constant 4 : index
    %r, %r_1 = scf.for %i = %b0 to %0 step %b2 iter_args(%x = %z, %y = %half) -> (f32, f32) {
      %k = arith.addi %i, %c8 : index
      %v = tensor.extract %t[%k] : tensor<40xf32>
      %p = arith.mulf %x, %half : f32
      %q = arith.addf %p, %v : f32
      %w = arith.subf %q, %y : f32
      scf.yield %q, %w : f32, f32
    } {outer}
    %r_2, %r_3 = scf.for %i_1 = %0 to %b1 step %b2 iter_args(%x_1 = %r, %y_1 = %r_1) -> (f32, f32) {
      %k_1 = arith.addi %i_1, %c8 : index
      %v_1 = tensor.extract %t[%k_1] : tensor<40xf32>
      %p_1 = arith.mulf %x_1, %half : f32
      %q_1 = arith.addf %p_1, %v_1 : f32
      %w_1 = arith.subf %q_1, %y_1 : f32
      scf.yield %q_1, %w_1 : f32, f32
    } {outer}
    func.return %r_2, %r_3 : f32, f32
  }
}
