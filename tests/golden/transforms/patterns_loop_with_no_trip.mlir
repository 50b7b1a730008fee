builtin.module {
  func.func @f(%a: f32) -> f32 {
    %r = arith.addf %a, %a : f32
    func.return %r : f32
  }
}
