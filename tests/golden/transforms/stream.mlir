builtin.module {
  func.func @chain(%q: tensor<9x8xf32>, %k: tensor<24x8xf32>, %v: tensor<24x8xf32>) -> tensor<9x8xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %cst = arith.constant 0.353553385 : f32
    %minus_infinity = arith.constant 0xFF800000 : f32
    %empty = tensor.empty() : tensor<9x24xf32>
    %empty_1 = tensor.empty() : tensor<9x24xf32>
    %empty_2 = tensor.empty() : tensor<9xf32>
    %init = linalg.fill ins(%minus_infinity : f32) outs(%empty_2 : tensor<9xf32>) -> tensor<9xf32>
    %empty_3 = tensor.empty() : tensor<9x24xf32>
    %empty_4 = tensor.empty() : tensor<9xf32>
    %init_1 = linalg.fill ins(%zero : f32) outs(%empty_4 : tensor<9xf32>) -> tensor<9xf32>
    %empty_5 = tensor.empty() : tensor<9x24xf32>
    %empty_6 = tensor.empty() : tensor<9x8xf32>
    %init_2 = linalg.fill ins(%zero : f32) outs(%empty_6 : tensor<9x8xf32>) -> tensor<9x8xf32>
    %0 = arith.constant 0 : index
    %1 = arith.constant 24 : index
    %2 = arith.constant 8 : index
    %largest, %total, %3 = scf.for %4 = %0 to %1 step %2 iter_args(%largest_1 = %init, %total_1 = %init_1, %product = %init_2) -> (tensor<9xf32>, tensor<9xf32>, tensor<9x8xf32>) {
      %5 = tensor.extract_slice %k[%4, 0] [8, 8] [1, 1] : tensor<24x8xf32> to tensor<8x8xf32>
      %6 = tensor.empty() : tensor<9x8xf32>
      %7 = linalg.fill ins(%zero : f32) outs(%6 : tensor<9x8xf32>) -> tensor<9x8xf32>
      %product_1 = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%q, %5 : tensor<9x8xf32>, tensor<8x8xf32>) outs(%7 : tensor<9x8xf32>) -> tensor<9x8xf32>
      %8 = tensor.empty() : tensor<9x8xf32>
      %scores = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%product_1 : tensor<9x8xf32>) outs(%8 : tensor<9x8xf32>) {
      ^bb0(%acc: f32, %out: f32):
        %9 = arith.mulf %acc, %cst : f32
        linalg.yield %9 : f32
      } -> tensor<9x8xf32>
      %largest_2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%scores : tensor<9x8xf32>) outs(%largest_1 : tensor<9xf32>) {
      ^bb0(%x: f32, %acc_1: f32):
        %10 = arith.maxnumf %x, %acc_1 : f32
        linalg.yield %10 : f32
      } -> tensor<9xf32>
      %11 = tensor.empty() : tensor<9x8xf32>
      %exponential = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%scores, %largest_2 : tensor<9x8xf32>, tensor<9xf32>) outs(%11 : tensor<9x8xf32>) {
      ^bb0(%12: f32, %13: f32, %14: f32):
        %15 = arith.subf %12, %13 : f32
        %16 = math.exp %15 : f32
        linalg.yield %16 : f32
      } -> tensor<9x8xf32>
      %17 = tensor.empty() : tensor<9xf32>
      %factor = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%largest_1, %largest_2 : tensor<9xf32>, tensor<9xf32>) outs(%17 : tensor<9xf32>) {
      ^bb0(%18: f32, %19: f32, %20: f32):
        %21 = arith.subf %18, %19 : f32
        %22 = math.exp %21 : f32
        linalg.yield %22 : f32
      } -> tensor<9xf32>
      %23 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%factor : tensor<9xf32>) outs(%total_1 : tensor<9xf32>) {
      ^bb0(%24: f32, %25: f32):
        %26 = arith.mulf %25, %24 : f32
        linalg.yield %26 : f32
      } -> tensor<9xf32>
      %total_2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%exponential : tensor<9x8xf32>) outs(%23 : tensor<9xf32>) {
      ^bb0(%x_1: f32, %acc_2: f32):
        %27 = arith.addf %x_1, %acc_2 : f32
        linalg.yield %27 : f32
      } -> tensor<9xf32>
      %28 = tensor.empty() : tensor<9x8xf32>
      %softmax = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%exponential : tensor<9x8xf32>) outs(%28 : tensor<9x8xf32>) {
      ^bb0(%29: f32, %30: f32):
        linalg.yield %29 : f32
      } -> tensor<9x8xf32>
      %31 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%factor : tensor<9xf32>) outs(%product : tensor<9x8xf32>) {
      ^bb0(%32: f32, %33: f32):
        %34 = arith.mulf %33, %32 : f32
        linalg.yield %34 : f32
      } -> tensor<9x8xf32>
      %35 = tensor.extract_slice %v[%4, 0] [8, 8] [1, 1] : tensor<24x8xf32> to tensor<8x8xf32>
      %product_2 = linalg.matmul ins(%softmax, %35 : tensor<9x8xf32>, tensor<8x8xf32>) outs(%31 : tensor<9x8xf32>) -> tensor<9x8xf32>
      scf.yield %largest_2, %total_2, %product_2 : tensor<9xf32>, tensor<9xf32>, tensor<9x8xf32>
    }
    %product_3 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%total : tensor<9xf32>) outs(%3 : tensor<9x8xf32>) {
    ^bb0(%36: f32, %37: f32):
      %38 = arith.divf %37, %36 : f32
      linalg.yield %38 : f32
    } -> tensor<9x8xf32>
    func.return %product_3 : tensor<9x8xf32>
  }
}
