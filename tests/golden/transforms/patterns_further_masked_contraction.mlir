builtin.module {
  func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %acc: vector<4x4xf32>) -> vector<4x4xf32> {
    %0 = arith.constant 0.000000e+00 : f32
    %zeros = arith.constant dense<0.000000e+00> : vector<4x4xf32>
    %c0 = arith.constant 0 : index
    %ma = vector.constant_mask [3, 5] : vector<4x8xi1>
    %mb = vector.constant_mask [5, 3] : vector<8x4xi1>
    %1 = vector.transfer_read %a[%c0, %c0], %0, %ma {in_bounds = [true, true]} : tensor<4x8xf32>, vector<4x8xf32>
    %2 = vector.transfer_read %b[%c0, %c0], %0, %mb {in_bounds = [true, true]} : tensor<8x4xf32>, vector<8x4xf32>
    %s = vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %1, %2, %acc : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
    %o = vector.constant_mask [3, 3] : vector<4x4xi1>
    %r = arith.select %o, %s, %zeros : vector<4x4xi1>, vector<4x4xf32>
    func.return %r : vector<4x4xf32>
  }
}
