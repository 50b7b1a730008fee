builtin.module {
  func.func @f(%i: index) -> index {
    %r = affine.apply affine_map<()[s0] -> ((s0 + 32))>()[%i]
    func.return %r : index
  }
}
