builtin.module {
  func.func @f(%a: tensor<8x8xf32>, %v: vector<8x8xf32>) -> vector<8x8xf32> {
    %0 = arith.constant dense<7.000000e+00> : vector<8x8xf32>
    %m = vector.constant_mask [3, 5] : vector<8x8xi1>
    %r = arith.select %m, %v, %0 : vector<8x8xi1>, vector<8x8xf32>
    func.return %r : vector<8x8xf32>
  }
}
