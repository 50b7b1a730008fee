builtin.module {
  func.func @reduce(%a: tensor<6x30xf32>) -> tensor<6xf32> {
    %start = arith.constant 0xFF800000 : f32
    %e = tensor.empty() : tensor<6xf32>
    %i = linalg.fill ins(%start : f32) outs(%e : tensor<6xf32>) -> tensor<6xf32>
    %0 = arith.constant 0 : index
    %1 = ub.poison : f32
    %2 = arith.constant 6 : index
    %3 = arith.constant 30 : index
    %4 = vector.create_mask %2, %3 : vector<8x32xi1>
    %5 = vector.mask %4 {
      %6 = vector.transfer_read %a[%0, %0], %1 {in_bounds = [true, true]} : tensor<6x30xf32>, vector<8x32xf32>
    } : vector<8x32xi1> -> vector<8x32xf32>
    %7 = ub.poison : f32
    %8 = arith.constant 6 : index
    %9 = vector.create_mask %8 : vector<8xi1>
    %10 = vector.mask %9 {
      %11 = vector.transfer_read %i[%0], %7 {in_bounds = [true]} : tensor<6xf32>, vector<8xf32>
    } : vector<8xi1> -> vector<8xf32>
    %r = vector.mask %4 {
      %12 = vector.multi_reduction <maximumf>, %5, %10 [1] : vector<8x32xf32> to vector<8xf32>
    } : vector<8x32xi1> -> vector<8xf32>
    %r_1 = vector.mask %9 {
      %13 = vector.transfer_write %r, %i[%0] {in_bounds = [true]} : vector<8xf32>, tensor<6xf32>
    } : vector<8xi1> -> tensor<6xf32>
    func.return %r_1 : tensor<6xf32>
  }
}
