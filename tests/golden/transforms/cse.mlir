builtin.module {
  func.func @f(%a: tensor<8xf32>, %n: index) -> (tensor<8xf32>, index) {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %x = affine.apply affine_map<(d0) -> ((d0 * 4))>(%n)
    %r = scf.for %i = %c0 to %c2 step %c2 iter_args(%t = %a) -> (tensor<8xf32>) {
      %z = affine.apply affine_map<(d0) -> ((d0 * 5))>(%n)
      %w = arith.addi %x, %z : index
      %f = arith.index_cast %w : index to i32
      %g = arith.sitofp %f : i32 to f32
      %u = tensor.insert %g into %t[%i] : tensor<8xf32>
      scf.yield %u : tensor<8xf32>
    }
    %s = arith.addi %x, %x : index
    func.return %r, %s : tensor<8xf32>, index
  }
}
