builtin.module {
  func.func @f(%a: vector<4x8xf32>, %c: vector<4xf32>) -> vector<4xf32> {
    %p = arith.mulf %a, %a : vector<4x8xf32>
    %r = vector.multi_reduction <maximumf>, %p, %c [1] : vector<4x8xf32> to vector<4xf32>
    func.return %r : vector<4xf32>
  }
}
