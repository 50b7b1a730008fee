builtin.module {
  func.func @f(%n: index, %s: index, %t: tensor<40xf32>, %z: f32) -> (tensor<40xf32>, f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %d = arith.constant 1 : index
    %k = affine.apply affine_map<()[s0] -> (s0)>()[%n]
    %a = arith.addi %n, %s : index
    %b = arith.addi %n, %s : index
    %m = arith.addf %z, %z : f32
    %r, %r_1 = scf.for %i = %c0 to %k step %d iter_args(%x = %t, %y = %z) -> (tensor<40xf32>, f32) {
      %v = tensor.extract %x[%a] : tensor<40xf32>
      %w = tensor.extract %x[%b] : tensor<40xf32>
      %q = arith.addf %v, %w : f32
      %o = tensor.insert %q into %x[%i] : tensor<40xf32>
      scf.yield %o, %m : tensor<40xf32>, f32
    }
    func.return %r, %r_1 : tensor<40xf32>, f32
  }
}
