builtin.module {
  func.func @f(%a: vector<8x4xf32>, %b: vector<4xf32>, %c: vector<4xf32>) -> vector<4xf32> {
    %b1 = vector.broadcast %b : vector<4xf32> to vector<8x4xf32>
    %r = vector.contract {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"], kind = #vector.kind<add>} %a, %b1, %c : vector<8x4xf32>, vector<8x4xf32> into vector<4xf32>
    func.return %r : vector<4xf32>
  }
}
