builtin.module {
  func.func @generic(%a0: tensor<9x40xf32>, %a1: tensor<40xf32>, %a2: tensor<40x9xf32>) -> tensor<40x9xf32> {
    %0 = tensor.extract_slice %a0[0, 0] [4, 40] [1, 1] : tensor<9x40xf32> to tensor<4x40xf32>
    %1 = tensor.extract_slice %a2[0, 0] [40, 4] [1, 1] : tensor<40x9xf32> to tensor<40x4xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%0, %a1 : tensor<4x40xf32>, tensor<40xf32>) outs(%1 : tensor<40x4xf32>) attrs = {made} {
    ^bb0(%x0: f32, %x1: f32, %x2: f32):
      %i = linalg.index 0 : index
      %c = arith.index_cast %i : index to i32
      %f = arith.sitofp %c : i32 to f32
      %p = arith.mulf %x0, %x1 : f32
      %s = arith.addf %p, %f : f32
      linalg.yield %s : f32
    } -> tensor<40x4xf32>
    %2 = tensor.insert_slice %r into %a2[0, 0] [40, 4] [1, 1] : tensor<40x4xf32> into tensor<40x9xf32>
    %3 = tensor.extract_slice %a0[4, 0] [5, 40] [1, 1] : tensor<9x40xf32> to tensor<5x40xf32>
    %4 = tensor.extract_slice %2[0, 4] [40, 5] [1, 1] : tensor<40x9xf32> to tensor<40x5xf32>
    %r_1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%3, %a1 : tensor<5x40xf32>, tensor<40xf32>) outs(%4 : tensor<40x5xf32>) attrs = {made} {
    ^bb0(%x0_1: f32, %x1_1: f32, %x2_1: f32):
      %i_1 = linalg.index 0 : index
      %c_1 = arith.index_cast %i_1 : index to i32
      %f_1 = arith.sitofp %c_1 : i32 to f32
      %p_1 = arith.mulf %x0_1, %x1_1 : f32
      %s_1 = arith.addf %p_1, %f_1 : f32
      linalg.yield %s_1 : f32
    } -> tensor<40x5xf32>
    %r_2 = tensor.insert_slice %r_1 into %2[0, 4] [40, 5] [1, 1] : tensor<40x5xf32> into tensor<40x9xf32>
    func.return %r_2 : tensor<40x9xf32>
  }
}
