builtin.module {
  func.func @f(%a: vector<4xf32>) -> vector<4xf32> {
    %b = arith.constant dense<7.000000e+00> : vector<4xf32>
    %r = arith.addf %a, %b : vector<4xf32>
    func.return %r : vector<4xf32>
  }
}
