builtin.module {
  func.func @f(%n: index, %s: index, %t: tensor<40xf32>, %z: f32) -> (f32, vector<8xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %v0 = vector.transfer_read %t[%c0], %z {in_bounds = [true]} : tensor<40xf32>, vector<8xf32>
    %same = vector.broadcast %z : f32 to vector<8xf32>
    %x = vector.extract %v0[0] : f32 from vector<8xf32>
    %r, %0 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %z, %x_1 = %x) -> (f32, f32) {
      %b = arith.addf %a, %x_1 : f32
      %y = arith.mulf %x_1, %b : f32
      scf.yield %b, %y : f32, f32
    }
    %r_1 = vector.broadcast %0 : f32 to vector<8xf32>
    func.return %r, %r_1 : f32, vector<8xf32>
  }
}
