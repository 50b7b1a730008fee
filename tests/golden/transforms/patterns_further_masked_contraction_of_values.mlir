builtin.module {
  func.func @f(%a: vector<4x8xf32>, %b: vector<8x4xf32>, %acc: vector<4x4xf32>) -> vector<4x4xf32> {
    %0 = arith.constant dense<0.000000e+00> : vector<4x8xf32>
    %1 = arith.constant dense<0.000000e+00> : vector<8x4xf32>
    %zeros = arith.constant dense<0.000000e+00> : vector<4x4xf32>
    %2 = vector.constant_mask [3, 5] : vector<4x8xi1>
    %3 = arith.select %2, %a, %0 : vector<4x8xi1>, vector<4x8xf32>
    %4 = vector.constant_mask [5, 3] : vector<8x4xi1>
    %5 = arith.select %4, %b, %1 : vector<8x4xi1>, vector<8x4xf32>
    %s = vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %3, %5, %acc : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
    %o = vector.constant_mask [3, 3] : vector<4x4xi1>
    %r = arith.select %o, %s, %zeros : vector<4x4xi1>, vector<4x4xf32>
    func.return %r : vector<4x4xf32>
  }
}
