builtin.module {
  func.func @f(%a: tensor<5x6xf32>, %c: f32) -> tensor<8x8xf32> {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %2 = tensor.empty() : tensor<8x8xf32>
    %3 = vector.broadcast %c : f32 to vector<8x8xf32>
    %4 = vector.transfer_write %3, %2[%1, %1] {in_bounds = [true, true]} : vector<8x8xf32>, tensor<8x8xf32>
    %5 = vector.transfer_read %a[%1, %1], %c {in_bounds = [true, true]} : tensor<5x6xf32>, vector<5x6xf32>
    %r = vector.transfer_write %5, %4[%0, %1] {in_bounds = [true, true]} : vector<5x6xf32>, tensor<8x8xf32>
    func.return %r : tensor<8x8xf32>
  }
}
