builtin.module {
  func.func @f(%n: index, %s: index, %t: tensor<40xf32>, %z: f32) -> (f32, f32) {
    %b0 = arith.constant 0 : index
    %b1 = arith.constant 10 : index
    %b2 = arith.constant 1 : index
    %half = arith.constant 5.000000e-01 : f32
    %c8 = arith.constant 8 : index
    %0 = arith.constant 4 : index
    %1 = arith.constant 8 : index
    %r, %r_1 = scf.for %i = %b0 to %1 step %0 iter_args(%x = %z, %y = %half) -> (f32, f32) {
      %k = arith.addi %i, %c8 : index
      %v = tensor.extract %t[%k] : tensor<40xf32>
      %p = arith.mulf %x, %half : f32
      %q = arith.addf %p, %v : f32
      %w = arith.subf %q, %y : f32
      %2 = arith.constant 1 : index
      %3 = arith.muli %b2, %2 : index
      %4 = arith.addi %i, %3 : index
      %k_1 = arith.addi %4, %c8 : index
      %v_1 = tensor.extract %t[%k_1] : tensor<40xf32>
      %p_1 = arith.mulf %q, %half : f32
      %q_1 = arith.addf %p_1, %v_1 : f32
      %w_1 = arith.subf %q_1, %w : f32
      %5 = arith.constant 2 : index
      %6 = arith.muli %b2, %5 : index
      %7 = arith.addi %i, %6 : index
      %k_2 = arith.addi %7, %c8 : index
      %v_2 = tensor.extract %t[%k_2] : tensor<40xf32>
      %p_2 = arith.mulf %q_1, %half : f32
      %q_2 = arith.addf %p_2, %v_2 : f32
      %w_2 = arith.subf %q_2, %w_1 : f32
      %8 = arith.constant 3 : index
      %9 = arith.muli %b2, %8 : index
      %10 = arith.addi %i, %9 : index
      %k_3 = arith.addi %10, %c8 : index
      %v_3 = tensor.extract %t[%k_3] : tensor<40xf32>
      %p_3 = arith.mulf %q_2, %half : f32
      %q_3 = arith.addf %p_3, %v_3 : f32
      %w_3 = arith.subf %q_3, %w_2 : f32
      scf.yield %q_3, %w_3 : f32, f32
    } {outer}
    %r_2, %r_3 = scf.for %i_1 = %1 to %b1 step %b2 iter_args(%x_1 = %r, %y_1 = %r_1) -> (f32, f32) {
      %k_4 = arith.addi %i_1, %c8 : index
      %v_4 = tensor.extract %t[%k_4] : tensor<40xf32>
      %p_4 = arith.mulf %x_1, %half : f32
      %q_4 = arith.addf %p_4, %v_4 : f32
      %w_4 = arith.subf %q_4, %y_1 : f32
      scf.yield %q_4, %w_4 : f32, f32
    } {outer}
    func.return %r_2, %r_3 : f32, f32
  }
}
