builtin.module {
  func.func @matmul(%a: tensor<8x16xf16>, %b: tensor<16x8xf16>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %0 = ub.poison : f32
    %1 = arith.constant 0 : index
    %2 = ub.poison : f16
    %3 = vector.transfer_read %a[%1, %1], %2 {in_bounds = [true, true]} : tensor<8x16xf16>, vector<8x16xf16>
    %4 = vector.transfer_read %b[%1, %1], %2 {in_bounds = [true, true]} : tensor<16x8xf16>, vector<16x8xf16>
    %5 = vector.transfer_read %c[%1, %1], %0 {in_bounds = [true, true]} : tensor<8x8xf32>, vector<8x8xf32>
    %r = vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %3, %4, %5 : vector<8x16xf16>, vector<16x8xf16> into vector<8x8xf32>
    %r_1 = vector.transfer_write %r, %c[%1, %1] {in_bounds = [true, true]} : vector<8x8xf32>, tensor<8x8xf32>
    func.return %r_1 : tensor<8x8xf32>
  }
}
