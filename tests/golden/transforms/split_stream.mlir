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
    %21 = tensor.empty() : tensor<3x9xf32>
    %largest_guarded = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%largest : tensor<3x9xf32>) outs(%21 : tensor<3x9xf32>) {
    ^bb0(%22: f32, %23: f32):
      %24 = arith.constant 0xFF800000 : f32
      %25 = arith.constant 0.000000e+00 : f32
      %26 = arith.cmpf oeq, %22, %24 : f32
      %27 = arith.select %26, %25, %22 : f32
      linalg.yield %27 : f32
    } -> tensor<3x9xf32>
    %28 = tensor.empty() : tensor<9x3x8xf32>
    %exponential = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d1, d0, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%scores, %largest_guarded : tensor<9x3x8xf32>, tensor<3x9xf32>) outs(%28 : tensor<9x3x8xf32>) {
    ^bb0(%29: f32, %30: f32, %31: f32):
      %32 = arith.subf %29, %30 : f32
      %33 = math.exp %32 : f32
      linalg.yield %33 : f32
    } -> tensor<9x3x8xf32>
    %total = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%exponential : tensor<9x3x8xf32>) outs(%20 : tensor<3x9xf32>) {
    ^bb0(%34: f32, %35: f32):
      %36 = arith.addf %34, %35 : f32
      linalg.yield %36 : f32
    } -> tensor<3x9xf32>
    %37 = tensor.empty() : tensor<3x9x8xf32>
    %38 = arith.constant 0.000000e+00 : f32
    %39 = linalg.fill ins(%38 : f32) outs(%37 : tensor<3x9x8xf32>) -> tensor<3x9x8xf32>
    %40 = tensor.empty() : tensor<9x3x8xf32>
    %softmax = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d0, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%exponential : tensor<9x3x8xf32>) outs(%40 : tensor<9x3x8xf32>) {
    ^bb0(%41: f32, %42: f32):
      linalg.yield %41 : f32
    } -> tensor<9x3x8xf32>
    %43 = tensor.expand_shape %v [[0, 1], [2]] output_shape [3, 8, 8] : tensor<24x8xf32> into tensor<3x8x8xf32>
    %product_1 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1, d0, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%softmax, %43 : tensor<9x3x8xf32>, tensor<3x8x8xf32>) outs(%39 : tensor<3x9x8xf32>) {
    ^bb0(%44: f32, %45: f32, %46: f32):
      %47 = arith.mulf %44, %45 : f32
      %48 = arith.addf %46, %47 : f32
      linalg.yield %48 : f32
    } -> tensor<3x9x8xf32>
    %largest_1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%largest : tensor<3x9xf32>) outs(%init : tensor<9xf32>) {
    ^bb0(%49: f32, %50: f32):
      %51 = arith.maximumf %49, %50 : f32
      linalg.yield %51 : f32
    } -> tensor<9xf32>
    %52 = tensor.empty() : tensor<9xf32>
    %largest_guarded_1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%largest_1 : tensor<9xf32>) outs(%52 : tensor<9xf32>) {
    ^bb0(%53: f32, %54: f32):
      %55 = arith.constant 0xFF800000 : f32
      %56 = arith.constant 0.000000e+00 : f32
      %57 = arith.cmpf oeq, %53, %55 : f32
      %58 = arith.select %57, %56, %53 : f32
      linalg.yield %58 : f32
    } -> tensor<9xf32>
    %59 = tensor.empty() : tensor<3x9xf32>
    %factor = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%largest, %largest_guarded_1 : tensor<3x9xf32>, tensor<9xf32>) outs(%59 : tensor<3x9xf32>) {
    ^bb0(%60: f32, %61: f32, %62: f32):
      %63 = arith.subf %60, %61 : f32
      %64 = math.exp %63 : f32
      linalg.yield %64 : f32
    } -> tensor<3x9xf32>
    %65 = tensor.empty() : tensor<3x9xf32>
    %66 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%total, %factor : tensor<3x9xf32>, tensor<3x9xf32>) outs(%65 : tensor<3x9xf32>) {
    ^bb0(%67: f32, %68: f32, %69: f32):
      %70 = arith.mulf %67, %68 : f32
      linalg.yield %70 : f32
    } -> tensor<3x9xf32>
    %total_1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%66 : tensor<3x9xf32>) outs(%init_1 : tensor<9xf32>) {
    ^bb0(%71: f32, %72: f32):
      %73 = arith.addf %71, %72 : f32
      linalg.yield %73 : f32
    } -> tensor<9xf32>
    %74 = tensor.empty() : tensor<3x9x8xf32>
    %75 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%product_1, %factor : tensor<3x9x8xf32>, tensor<3x9xf32>) outs(%74 : tensor<3x9x8xf32>) {
    ^bb0(%76: f32, %77: f32, %78: f32):
      %79 = arith.mulf %76, %77 : f32
      linalg.yield %79 : f32
    } -> tensor<3x9x8xf32>
    %product_2 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>], iterator_types = ["reduction", "parallel", "parallel"]} ins(%75 : tensor<3x9x8xf32>) outs(%init_2 : tensor<9x8xf32>) {
    ^bb0(%80: f32, %81: f32):
      %82 = arith.addf %80, %81 : f32
      linalg.yield %82 : f32
    } -> tensor<9x8xf32>
    %product_3 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%total_1 : tensor<9xf32>) outs(%product_2 : tensor<9x8xf32>) {
    ^bb0(%83: f32, %84: f32):
      %85 = arith.divf %84, %83 : f32
      linalg.yield %85 : f32
    } -> tensor<9x8xf32>
    func.return %product_3 : tensor<9x8xf32>
  }
}
