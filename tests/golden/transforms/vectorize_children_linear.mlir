builtin.module {
  func.func @linear_relu(%a: tensor<16x4xf32>, %b: tensor<4x16xf32>, %bias: tensor<16xf32>) -> tensor<16x16xf32> {
    %0 = ub.poison : f32
    %1 = arith.constant dense<0.000000e+00> : vector<16x16xf32>
    %2 = arith.constant 0 : index
    %3 = vector.transfer_read %a[%2, %2], %0 {in_bounds = [true, true]} : tensor<16x4xf32>, vector<16x4xf32>
    %4 = vector.transfer_read %b[%2, %2], %0 {in_bounds = [true, true]} : tensor<4x16xf32>, vector<4x16xf32>
    %product = vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %3, %4, %1 : vector<16x4xf32>, vector<4x16xf32> into vector<16x16xf32>
    %out = tensor.empty() : tensor<16x16xf32>
    %5 = vector.transfer_read %bias[%2], %0 {in_bounds = [true]} : tensor<16xf32>, vector<16xf32>
    %6 = vector.broadcast %5 : vector<16xf32> to vector<16x16xf32>
    %sum = arith.addf %product, %6 : vector<16x16xf32>
    %result = arith.maximumf %sum, %1 : vector<16x16xf32>
    %result_1 = vector.transfer_write %result, %out[%2, %2] {in_bounds = [true, true]} : vector<16x16xf32>, tensor<16x16xf32>
    func.return %result_1 : tensor<16x16xf32>
  }
}
