builtin.module {
  func.func @f(%a: tensor<8xf32>, %n: index) -> tensor<8xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %pad = arith.constant 0.000000e+00 : f32
    %x = affine.apply affine_map<(d0) -> ((d0 + 1))>(%n)
    %m = vector.create_mask %x : vector<8xi1>
    %v = vector.transfer_read %a[%c0], %pad, %m {in_bounds = [true]} : tensor<8xf32>, vector<8xf32>
    %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %a) -> (tensor<8xf32>) {
      %y = affine.apply affine_map<(d0, d1) -> ((d0 + d1))>(%i, %n)
      %k = vector.create_mask %y : vector<8xi1>
      %u = scf.for %j = %c0 to %c4 step %c1 iter_args(%s = %t) -> (tensor<8xf32>) {
        %w = vector.transfer_write %v, %s[%c0], %k {in_bounds = [true]} : vector<8xf32>, tensor<8xf32>
        scf.yield %w : tensor<8xf32>
      }
      scf.yield %u : tensor<8xf32>
    }
    func.return %r : tensor<8xf32>
  }
}
