builtin.module {
  func.func @g(%c8: index, %t: tensor<40xf32>, %half: f32, %b0: index, %n: index, %b2: index, %z: f32) -> (f32, f32) {
    %c8_1 = arith.constant 8 : index
    %b0_1 = arith.constant 0 : index
    %b2_1 = arith.constant 3 : index
    %r, %r_1 = scf.for %i = %b0_1 to %n step %b2_1 iter_args(%x = %z, %y = %half) -> (f32, f32) {
      %k = arith.addi %i, %c8_1 : index
      %v = tensor.extract %t[%k] : tensor<40xf32>
      %p = arith.mulf %x, %half : f32
      %q = arith.addf %p, %v : f32
      %w = arith.subf %q, %y : f32
      scf.yield %q, %w : f32, f32
    } {outer}
    func.return %r, %r_1 : f32, f32
  }
  func.func @f(%n: index, %s: index, %t: tensor<40xf32>, %z: f32) -> (f32, f32) {
    %b0 = arith.constant 0 : index
    %b2 = arith.constant 3 : index
    %half = arith.constant 5.000000e-01 : f32
    %c8 = arith.constant 8 : index
    %r, %r_1 = func.call @g(%c8, %t, %half, %b0, %n, %b2, %z) : (index, tensor<40xf32>, f32, index, index, index, f32) -> (f32, f32)
    func.return %r, %r_1 : f32, f32
  }
}
