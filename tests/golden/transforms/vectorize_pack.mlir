builtin.module {
  func.func @f(%x: tensor<5x11xf32>, %o: tensor<3x2x4x3xf32>, %c: f32) -> tensor<3x2x4x3xf32> {
    %0 = arith.constant 0 : index
    %1 = arith.constant 5 : index
    %2 = arith.constant 11 : index
    %3 = vector.create_mask %1, %2 : vector<9x16xi1>
    %4 = vector.mask %3 {
      %5 = vector.transfer_read %x[%0, %0], %c {in_bounds = [true, true]} : tensor<5x11xf32>, vector<9x16xf32>
    } : vector<9x16xi1> -> vector<9x16xf32>
    %6 = vector.shape_cast %4 : vector<9x16xf32> to vector<3x3x4x4xf32>
    %7 = vector.transpose %6, [2, 0, 3, 1] : vector<3x3x4x4xf32> to vector<4x3x4x3xf32>
    %8 = arith.constant 0 : index
    %9 = arith.constant 3 : index
    %10 = arith.constant 2 : index
    %11 = arith.constant 4 : index
    %12 = arith.constant 3 : index
    %13 = vector.create_mask %9, %10, %11, %12 : vector<4x3x4x3xi1>
    %r = vector.mask %13 {
      %14 = vector.transfer_write %7, %o[%8, %8, %8, %8] {in_bounds = [true, true, true, true]} : vector<4x3x4x3xf32>, tensor<3x2x4x3xf32>
    } : vector<4x3x4x3xi1> -> tensor<3x2x4x3xf32>
    func.return %r : tensor<3x2x4x3xf32>
  }
}
