builtin.module {
  func.func @generic(%a0: tensor<9x40xf32>, %a1: tensor<40xf32>, %a2: tensor<40x9xf32>) -> tensor<40x9xf32> {
    %0 = tensor.extract_slice %a0[0, 0] [9, 7] [1, 1] : tensor<9x40xf32> to tensor<9x7xf32>
    %1 = tensor.extract_slice %a1[0] [7] [1] : tensor<40xf32> to tensor<7xf32>
    %2 = tensor.extract_slice %a2[0, 0] [7, 9] [1, 1] : tensor<40x9xf32> to tensor<7x9xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%0, %1 : tensor<9x7xf32>, tensor<7xf32>) outs(%2 : tensor<7x9xf32>) {
    ^bb0(%x0: f32, %x1: f32, %x2: f32):
      %i = linalg.index 0 : index
      %c = arith.index_cast %i : index to i32
      %f = arith.sitofp %c : i32 to f32
      %p = arith.mulf %x0, %x1 : f32
      %s = arith.addf %p, %f : f32
      linalg.yield %s : f32
    } -> tensor<7x9xf32>
    %3 = tensor.insert_slice %r into %a2[0, 0] [7, 9] [1, 1] : tensor<7x9xf32> into tensor<40x9xf32>
    %4 = tensor.extract_slice %a0[0, 7] [9, 33] [1, 1] : tensor<9x40xf32> to tensor<9x33xf32>
    %5 = tensor.extract_slice %a1[7] [33] [1] : tensor<40xf32> to tensor<33xf32>
    %6 = tensor.extract_slice %3[7, 0] [33, 9] [1, 1] : tensor<40x9xf32> to tensor<33x9xf32>
    %r_1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%4, %5 : tensor<9x33xf32>, tensor<33xf32>) outs(%6 : tensor<33x9xf32>) {
    ^bb0(%x0_1: f32, %x1_1: f32, %x2_1: f32):
      %i_1 = linalg.index 0 : index
      %i_2 = affine.apply affine_map<()[s0] -> ((s0 + 7))>()[%i_1]
      %c_1 = arith.index_cast %i_2 : index to i32
      %f_1 = arith.sitofp %c_1 : i32 to f32
      %p_1 = arith.mulf %x0_1, %x1_1 : f32
      %s_1 = arith.addf %p_1, %f_1 : f32
      linalg.yield %s_1 : f32
    } -> tensor<33x9xf32>
    %r_2 = tensor.insert_slice %r_1 into %3[7, 0] [33, 9] [1, 1] : tensor<33x9xf32> into tensor<40x9xf32>
    func.return %r_2 : tensor<40x9xf32>
  }
}
