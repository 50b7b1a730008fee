builtin.module {
  func.func @f(%a: vector<4x8xf16>, %b: vector<4x8xf16>, %c: vector<4xf32>) -> vector<4xf32> {
    %r = vector.contract {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<4x8xf16>, vector<4x8xf16> into vector<4xf32>
    func.return %r : vector<4xf32>
  }
}
