builtin.module {
  func.func @totals(%x: tensor<3x17xf16>) -> tensor<3x17xf16> {
    %minus_infinity = arith.constant 0xFC00 : f16
    %empty = tensor.empty() : tensor<3x17xf16>
    %empty_1 = tensor.empty() : tensor<3xf16>
    %init = linalg.fill ins(%minus_infinity : f16) outs(%empty_1 : tensor<3xf16>) -> tensor<3xf16>
    %0 = arith.constant 0 : index
    %1 = ub.poison : f16
    %2 = arith.constant 3 : index
    %3 = arith.constant 17 : index
    %4 = vector.create_mask %2, %3 : vector<4x32xi1>
    %5 = vector.mask %4 {
      %6 = vector.transfer_read %x[%0, %0], %1 {in_bounds = [true, true]} : tensor<3x17xf16>, vector<4x32xf16>
    } : vector<4x32xi1> -> vector<4x32xf16>
    %7 = ub.poison : f16
    %8 = arith.constant 3 : index
    %9 = vector.create_mask %8 : vector<4xi1>
    %10 = vector.mask %9 {
      %11 = vector.transfer_read %init[%0], %7 {in_bounds = [true]} : tensor<3xf16>, vector<4xf16>
    } : vector<4xi1> -> vector<4xf16>
    %12 = arith.constant dense<0xFC00> : vector<4x32xf16>
    %13 = arith.select %4, %5, %12 : vector<4x32xi1>, vector<4x32xf16>
    %14, %15 = vector.scan <maximumf>, %13, %10 {inclusive = true, reduction_dim = 1 : i64} : vector<4x32xf16>, vector<4xf16>
    %16 = arith.maximumf %10, %15 : vector<4xf16>
    %17 = vector.broadcast %10 : vector<4xf16> to vector<32x4xf16>
    %18 = vector.transpose %17, [1, 0] : vector<32x4xf16> to vector<4x32xf16>
    %scan_max = arith.maximumf %18, %14 : vector<4x32xf16>
    %scan_max_1 = vector.mask %4 {
      %19 = vector.transfer_write %scan_max, %empty[%0, %0] {in_bounds = [true, true]} : vector<4x32xf16>, tensor<3x17xf16>
    } : vector<4x32xi1> -> tensor<3x17xf16>
    %20 = vector.mask %9 {
      %21 = vector.transfer_write %16, %init[%0] {in_bounds = [true]} : vector<4xf16>, tensor<3xf16>
    } : vector<4xi1> -> tensor<3xf16>
    func.return %scan_max_1 : tensor<3x17xf16>
  }
}
