builtin.module {
  func.func @f(%i: index) -> index {
    %r = affine.apply affine_map<(d0) -> ((d0 + 32))> (%i)
    func.return %r : index
  }
}
