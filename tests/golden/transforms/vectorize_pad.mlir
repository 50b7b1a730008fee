builtin.module {
  func.func @f(%x: tensor<3x7xf32>, %n: index, %v: f32) -> tensor<4x8xf32> {
    %c = arith.constant 3.000000e+00 : f32
    %0 = arith.constant 0 : index
    %1 = arith.constant 3 : index
    %2 = arith.constant 7 : index
    %3 = vector.create_mask %1, %2 : vector<8x16xi1>
    %4 = vector.mask %3 {
      %5 = vector.transfer_read %x[%0, %0], %c {in_bounds = [true, true]} : tensor<3x7xf32>, vector<8x16xf32>
    } : vector<8x16xi1> -> vector<8x16xf32>
    %6 = tensor.empty() : tensor<4x8xf32>
    %7 = arith.constant 4 : index
    %8 = arith.constant 8 : index
    %9 = vector.create_mask %7, %8 : vector<8x16xi1>
    %r = vector.mask %9 {
      %10 = vector.transfer_write %4, %6[%0, %0] {in_bounds = [true, true]} : vector<8x16xf32>, tensor<4x8xf32>
    } : vector<8x16xi1> -> tensor<4x8xf32>
    func.return %r : tensor<4x8xf32>
  }
}
