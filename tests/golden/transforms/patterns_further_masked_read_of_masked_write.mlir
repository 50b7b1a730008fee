builtin.module {
  func.func @f(%a: tensor<8x8xf32>, %v: vector<8x8xf32>) -> vector<8x8xf32> {
    %0 = arith.constant dense<7.000000e+00> : vector<8x8xf32>
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    %m = vector.create_mask %c3, %c5 : vector<8x8xi1>
    %r = arith.select %m, %v, %0 : vector<8x8xi1>, vector<8x8xf32>
    func.return %r : vector<8x8xf32>
  }
}
