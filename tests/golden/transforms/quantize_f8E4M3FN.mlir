builtin.module {
  func.func @f(%a: tensor<6x32xf32>, %b: tensor<32x10xf32>, %c: tensor<6x10xf32>) -> tensor<6x10xf32> {
    %0 = arith.constant 0.000000e+00 : f32
    %1 = tensor.empty() : tensor<f32>
    %2 = linalg.fill ins(%0 : f32) outs(%1 : tensor<f32>) -> tensor<f32>
    %lhs_absmax = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%a : tensor<6x32xf32>) outs(%2 : tensor<f32>) {
    ^bb0(%3: f32, %4: f32):
      %5 = math.absf %3 : f32
      %6 = arith.maximumf %5, %4 : f32
      linalg.yield %6 : f32
    } -> tensor<f32>
    %7 = tensor.empty() : tensor<f32>
    %lhs_scale = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%lhs_absmax : tensor<f32>) outs(%7 : tensor<f32>) {
    ^bb0(%8: f32, %9: f32):
      %10 = arith.constant 4.480000e+02 : f32
      %11 = arith.divf %8, %10 : f32
      %12 = arith.constant 1.17549435e-38 : f32
      %13 = arith.maximumf %11, %12 : f32
      linalg.yield %13 : f32
    } -> tensor<f32>
    %14 = arith.constant 0.000000e+00 : f32
    %15 = tensor.empty() : tensor<f32>
    %16 = linalg.fill ins(%14 : f32) outs(%15 : tensor<f32>) -> tensor<f32>
    %rhs_absmax = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%b : tensor<32x10xf32>) outs(%16 : tensor<f32>) {
    ^bb0(%17: f32, %18: f32):
      %19 = math.absf %17 : f32
      %20 = arith.maximumf %19, %18 : f32
      linalg.yield %20 : f32
    } -> tensor<f32>
    %21 = tensor.empty() : tensor<f32>
    %rhs_scale = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%rhs_absmax : tensor<f32>) outs(%21 : tensor<f32>) {
    ^bb0(%22: f32, %23: f32):
      %24 = arith.constant 4.480000e+02 : f32
      %25 = arith.divf %22, %24 : f32
      %26 = arith.constant 1.17549435e-38 : f32
      %27 = arith.maximumf %25, %26 : f32
      linalg.yield %27 : f32
    } -> tensor<f32>
    %28 = tensor.empty() : tensor<6x32xf8E4M3FN>
    %lhs_quantized = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a, %lhs_scale : tensor<6x32xf32>, tensor<f32>) outs(%28 : tensor<6x32xf8E4M3FN>) {
    ^bb0(%29: f32, %30: f32, %31: f8E4M3FN):
      %32 = arith.divf %29, %30 : f32
      %33 = arith.constant -4.480000e+02 : f32
      %34 = arith.constant 4.480000e+02 : f32
      %35 = arith.maximumf %32, %33 : f32
      %36 = arith.minimumf %35, %34 : f32
      %37 = arith.truncf %36 : f32 to f8E4M3FN
      linalg.yield %37 : f8E4M3FN
    } -> tensor<6x32xf8E4M3FN>
    %38 = tensor.empty() : tensor<32x10xf8E4M3FN>
    %rhs_quantized = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%b, %rhs_scale : tensor<32x10xf32>, tensor<f32>) outs(%38 : tensor<32x10xf8E4M3FN>) {
    ^bb0(%39: f32, %40: f32, %41: f8E4M3FN):
      %42 = arith.divf %39, %40 : f32
      %43 = arith.constant -4.480000e+02 : f32
      %44 = arith.constant 4.480000e+02 : f32
      %45 = arith.maximumf %42, %43 : f32
      %46 = arith.minimumf %45, %44 : f32
      %47 = arith.truncf %46 : f32 to f8E4M3FN
      linalg.yield %47 : f8E4M3FN
    } -> tensor<32x10xf8E4M3FN>
    %48 = arith.constant 0.000000e+00 : f32
    %49 = tensor.empty() : tensor<6x10xf32>
    %50 = linalg.fill ins(%48 : f32) outs(%49 : tensor<6x10xf32>) -> tensor<6x10xf32>
    %quantized_product = linalg.matmul ins(%lhs_quantized, %rhs_quantized : tensor<6x32xf8E4M3FN>, tensor<32x10xf8E4M3FN>) outs(%50 : tensor<6x10xf32>) -> tensor<6x10xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%quantized_product, %lhs_scale, %rhs_scale : tensor<6x10xf32>, tensor<f32>, tensor<f32>) outs(%c : tensor<6x10xf32>) {
    ^bb0(%51: f32, %52: f32, %53: f32, %54: f32):
      %55 = arith.mulf %52, %53 : f32
      %56 = arith.mulf %51, %55 : f32
      %57 = arith.addf %54, %56 : f32
      linalg.yield %57 : f32
    } -> tensor<6x10xf32>
    func.return %r : tensor<6x10xf32>
  }
}
