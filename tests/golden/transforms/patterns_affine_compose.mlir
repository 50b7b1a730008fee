builtin.module {
  func.func @f(%i: index, %j: index) -> index {
    %r = affine.min affine_map<(d0, d1) -> ((((d0 * -4) + (d1 * -2)) + 99), 32)> (%i, %j)
    func.return %r : index
  }
}
