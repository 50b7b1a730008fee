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
    %0 = tensor.empty() : tensor<3x9xf32>
    %1 = arith.constant 0xFF800000 : f32
    %2 = linalg.fill ins(%1 : f32) outs(%0 : tensor<3x9xf32>) -> tensor<3x9xf32>
    %3 = tensor.expand_shape %k [[0, 1], [2]] output_shape [3, 8, 8] : tensor<24x8xf32> into tensor<3x8x8xf32>
    %4 = tensor.empty() : tensor<9x3x8xf32>
    %5 = linalg.fill ins(%zero : f32) outs(%4 : tensor<9x3x8xf32>) -> tensor<9x3x8xf32>
    %product = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d1, d0, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %3 : tensor<9x8xf32>, tensor<3x8x8xf32>) outs(%5 : tensor<9x3x8xf32>) {
    ^bb0(%6: f32, %7: f32, %8: f32):
      %9 = arith.mulf %6, %7 : f32
      %10 = arith.addf %8, %9 : f32
      linalg.yield %10 : f32
    } -> tensor<9x3x8xf32>
    %11 = tensor.empty() : tensor<9x3x8xf32>
    %scores = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d0, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%product : tensor<9x3x8xf32>) outs(%11 : tensor<9x3x8xf32>) {
    ^bb0(%12: f32, %13: f32):
      %14 = arith.mulf %12, %cst : f32
      linalg.yield %14 : f32
    } -> tensor<9x3x8xf32>
    %largest = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%scores : tensor<9x3x8xf32>) outs(%2 : tensor<3x9xf32>) {
    ^bb0(%15: f32, %16: f32):
      %17 = arith.maximumf %15, %16 : f32
      linalg.yield %17 : f32
    } -> tensor<3x9xf32>
    %18 = tensor.empty() : tensor<3x9xf32>
    %19 = arith.constant 0.000000e+00 : f32
    %20 = linalg.fill ins(%19 : f32) outs(%18 : tensor<3x9xf32>) -> tensor<3x9xf32>
    %21 = tensor.empty() : tensor<9x3x8xf32>
    %exponential = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d1, d0, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%scores, %largest : tensor<9x3x8xf32>, tensor<3x9xf32>) outs(%21 : tensor<9x3x8xf32>) {
    ^bb0(%22: f32, %23: f32, %24: f32):
      %25 = arith.subf %22, %23 : f32
      %26 = math.exp %25 : f32
      linalg.yield %26 : f32
    } -> tensor<9x3x8xf32>
    %total = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%exponential : tensor<9x3x8xf32>) outs(%20 : tensor<3x9xf32>) {
    ^bb0(%27: f32, %28: f32):
      %29 = arith.addf %27, %28 : f32
      linalg.yield %29 : f32
    } -> tensor<3x9xf32>
    %30 = tensor.empty() : tensor<3x9x8xf32>
    %31 = arith.constant 0.000000e+00 : f32
    %32 = linalg.fill ins(%31 : f32) outs(%30 : tensor<3x9x8xf32>) -> tensor<3x9x8xf32>
    %33 = tensor.empty() : tensor<9x3x8xf32>
    %softmax = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d0, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%exponential : tensor<9x3x8xf32>) outs(%33 : tensor<9x3x8xf32>) {
    ^bb0(%34: f32, %35: f32):
      linalg.yield %34 : f32
    } -> tensor<9x3x8xf32>
    %36 = tensor.expand_shape %v [[0, 1], [2]] output_shape [3, 8, 8] : tensor<24x8xf32> into tensor<3x8x8xf32>
    %product_1 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1, d0, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%softmax, %36 : tensor<9x3x8xf32>, tensor<3x8x8xf32>) outs(%32 : tensor<3x9x8xf32>) {
    ^bb0(%37: f32, %38: f32, %39: f32):
      %40 = arith.mulf %37, %38 : f32
      %41 = arith.addf %39, %40 : f32
      linalg.yield %41 : f32
    } -> tensor<3x9x8xf32>
    %largest_1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%largest : tensor<3x9xf32>) outs(%init : tensor<9xf32>) {
    ^bb0(%42: f32, %43: f32):
      %44 = arith.maximumf %42, %43 : f32
      linalg.yield %44 : f32
    } -> tensor<9xf32>
    %45 = tensor.empty() : tensor<3x9xf32>
    %factor = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%largest, %largest_1 : tensor<3x9xf32>, tensor<9xf32>) outs(%45 : tensor<3x9xf32>) {
    ^bb0(%46: f32, %47: f32, %48: f32):
      %49 = arith.subf %46, %47 : f32
      %50 = math.exp %49 : f32
      linalg.yield %50 : f32
    } -> tensor<3x9xf32>
    %51 = tensor.empty() : tensor<3x9xf32>
    %52 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%total, %factor : tensor<3x9xf32>, tensor<3x9xf32>) outs(%51 : tensor<3x9xf32>) {
    ^bb0(%53: f32, %54: f32, %55: f32):
      %56 = arith.mulf %53, %54 : f32
      linalg.yield %56 : f32
    } -> tensor<3x9xf32>
    %total_1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%52 : tensor<3x9xf32>) outs(%init_1 : tensor<9xf32>) {
    ^bb0(%57: f32, %58: f32):
      %59 = arith.addf %57, %58 : f32
      linalg.yield %59 : f32
    } -> tensor<9xf32>
    %60 = tensor.empty() : tensor<3x9x8xf32>
    %61 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%product_1, %factor : tensor<3x9x8xf32>, tensor<3x9xf32>) outs(%60 : tensor<3x9x8xf32>) {
    ^bb0(%62: f32, %63: f32, %64: f32):
      %65 = arith.mulf %62, %63 : f32
      linalg.yield %65 : f32
    } -> tensor<3x9x8xf32>
    %product_2 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>], iterator_types = ["reduction", "parallel", "parallel"]} ins(%61 : tensor<3x9x8xf32>) outs(%init_2 : tensor<9x8xf32>) {
    ^bb0(%66: f32, %67: f32):
      %68 = arith.addf %66, %67 : f32
      linalg.yield %68 : f32
    } -> tensor<9x8xf32>
    %product_3 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%total_1 : tensor<9xf32>) outs(%product_2 : tensor<9x8xf32>) {
    ^bb0(%69: f32, %70: f32):
      %71 = arith.divf %70, %69 : f32
      linalg.yield %71 : f32
    } -> tensor<9x8xf32>
    func.return %product_3 : tensor<9x8xf32>
  }
}
