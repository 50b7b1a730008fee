builtin.module {
  func.func @f(%a: vector<4x8xf32>, %b: vector<8x2xf32>, %c: vector<4x2xf32>) -> vector<4x2xf32> {
    %r = vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<4x8xf32>, vector<8x2xf32> into vector<4x2xf32>
    func.return %r : vector<4x2xf32>
  }
}
