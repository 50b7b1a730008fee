builtin.module {
  func.func @generic(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %0 = arith.constant 0 : index
    %1 = ub.poison : f32
    %2 = arith.constant 4 : index
    %3 = arith.constant 8 : index
    %4 = vector.create_mask %2, %3 : vector<8x16xi1>
    %5 = vector.mask %4 {
      %6 = vector.transfer_read %a0[%0, %0], %1 {in_bounds = [true, true]} : tensor<4x8xf32>, vector<8x16xf32>
    } : vector<8x16xi1> -> vector<8x16xf32>
    %7 = vector.step : vector<8xindex>
    %8 = vector.broadcast %7 : vector<8xindex> to vector<16x8xindex>
    %9 = vector.transpose %8, [1, 0] : vector<16x8xindex> to vector<8x16xindex>
    %10 = vector.step : vector<16xindex>
    %11 = vector.broadcast %10 : vector<16xindex> to vector<8x16xindex>
    %c = arith.cmpi sle, %11, %9 : vector<8x16xindex>
    %12 = arith.constant dense<-1.000000e+00> : vector<8x16xf32>
    %r = arith.select %c, %5, %12 : vector<8x16xi1>, vector<8x16xf32>
    %r_1 = vector.mask %4 {
      %13 = vector.transfer_write %r, %a1[%0, %0] {in_bounds = [true, true]} : vector<8x16xf32>, tensor<4x8xf32>
    } : vector<8x16xi1> -> tensor<4x8xf32>
    func.return %r_1 : tensor<4x8xf32>
  }
}
