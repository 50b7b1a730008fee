builtin.module {
  func.func @f(%a: tensor<6x32xf32>, %b: tensor<32x10xf32>, %c: tensor<6x10xf32>) -> tensor<6x10xf32> {
    %0 = arith.constant 0.000000e+00 : f32
    %1 = tensor.empty() : tensor<6xf32>
    %2 = linalg.fill ins(%0 : f32) outs(%1 : tensor<6xf32>) -> tensor<6xf32>
    %lhs_absmax = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<6x32xf32>) outs(%2 : tensor<6xf32>) {
    ^bb0(%3: f32, %4: f32):
      %5 = math.absf %3 : f32
      %6 = arith.maximumf %5, %4 : f32
      linalg.yield %6 : f32
    } -> tensor<6xf32>
    %7 = tensor.empty() : tensor<6xf32>
    %lhs_scale = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%lhs_absmax : tensor<6xf32>) outs(%7 : tensor<6xf32>) {
    ^bb0(%8: f32, %9: f32):
      %10 = arith.constant 1.270000e+02 : f32
      %11 = arith.divf %8, %10 : f32
      %12 = arith.constant 1.17549435e-38 : f32
      %13 = arith.maximumf %11, %12 : f32
      linalg.yield %13 : f32
    } -> tensor<6xf32>
    %14 = arith.constant 0.000000e+00 : f32
    %15 = tensor.empty() : tensor<10xf32>
    %16 = linalg.fill ins(%14 : f32) outs(%15 : tensor<10xf32>) -> tensor<10xf32>
    %rhs_absmax = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%b : tensor<32x10xf32>) outs(%16 : tensor<10xf32>) {
    ^bb0(%17: f32, %18: f32):
      %19 = math.absf %17 : f32
      %20 = arith.maximumf %19, %18 : f32
      linalg.yield %20 : f32
    } -> tensor<10xf32>
    %21 = tensor.empty() : tensor<10xf32>
    %rhs_scale = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%rhs_absmax : tensor<10xf32>) outs(%21 : tensor<10xf32>) {
    ^bb0(%22: f32, %23: f32):
      %24 = arith.constant 1.270000e+02 : f32
      %25 = arith.divf %22, %24 : f32
      %26 = arith.constant 1.17549435e-38 : f32
      %27 = arith.maximumf %25, %26 : f32
      linalg.yield %27 : f32
    } -> tensor<10xf32>
    %28 = tensor.empty() : tensor<6x32xi8>
    %lhs_quantized = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a, %lhs_scale : tensor<6x32xf32>, tensor<6xf32>) outs(%28 : tensor<6x32xi8>) {
    ^bb0(%29: f32, %30: f32, %31: i8):
      %32 = arith.divf %29, %30 : f32
      %33 = arith.constant -1.270000e+02 : f32
      %34 = arith.constant 1.270000e+02 : f32
      %35 = math.roundeven %32 : f32
      %36 = arith.maxnumf %35, %33 : f32
      %37 = arith.minnumf %36, %34 : f32
      %38 = arith.fptosi %37 : f32 to i8
      linalg.yield %38 : i8
    } -> tensor<6x32xi8>
    %39 = tensor.empty() : tensor<32x10xi8>
    %rhs_quantized = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%b, %rhs_scale : tensor<32x10xf32>, tensor<10xf32>) outs(%39 : tensor<32x10xi8>) {
    ^bb0(%40: f32, %41: f32, %42: i8):
      %43 = arith.divf %40, %41 : f32
      %44 = arith.constant -1.270000e+02 : f32
      %45 = arith.constant 1.270000e+02 : f32
      %46 = math.roundeven %43 : f32
      %47 = arith.maxnumf %46, %44 : f32
      %48 = arith.minnumf %47, %45 : f32
      %49 = arith.fptosi %48 : f32 to i8
      linalg.yield %49 : i8
    } -> tensor<32x10xi8>
    %50 = arith.constant 0 : i32
    %51 = tensor.empty() : tensor<6x10xi32>
    %52 = linalg.fill ins(%50 : i32) outs(%51 : tensor<6x10xi32>) -> tensor<6x10xi32>
    %quantized_product = linalg.matmul ins(%lhs_quantized, %rhs_quantized : tensor<6x32xi8>, tensor<32x10xi8>) outs(%52 : tensor<6x10xi32>) -> tensor<6x10xi32>
    %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%quantized_product, %lhs_scale, %rhs_scale : tensor<6x10xi32>, tensor<6xf32>, tensor<10xf32>) outs(%c : tensor<6x10xf32>) {
    ^bb0(%53: i32, %54: f32, %55: f32, %56: f32):
      %57 = arith.mulf %54, %55 : f32
      %58 = arith.sitofp %53 : i32 to f32
      %59 = arith.mulf %58, %57 : f32
      %60 = arith.addf %56, %59 : f32
      linalg.yield %60 : f32
    } -> tensor<6x10xf32>
    func.return %r : tensor<6x10xf32>
  }
}
