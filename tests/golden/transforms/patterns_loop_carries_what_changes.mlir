builtin.module {
  func.func @f(%a: f32, %b: f32) -> f32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %l = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a) -> (f32) {
      %s = arith.addf %x, %b : f32
      scf.yield %s : f32
    }
    %r = arith.addf %l, %b : f32
    func.return %r : f32
  }
}
