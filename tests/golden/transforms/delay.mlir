builtin.module {
  func.func @attention(%q: tensor<2x16x8xf32>, %k: tensor<2x16x8xf32>, %v: tensor<2x16x8xf32>) -> tensor<2x16x8xf32> {
    %0 = arith.constant 4 : index
    %1 = arith.constant 16 : index
    %zero = arith.constant 0.000000e+00 : f32
    %cst = arith.constant 0.353553385 : f32
    %minus_infinity = arith.constant 0xFF800000 : f32
    %empty = tensor.empty() : tensor<2x16xf32>
    %empty_1 = tensor.empty() : tensor<2x16xf32>
    %empty_2 = tensor.empty() : tensor<2x16x8xf32>
    %product = scf.forall (%2, %3) in (2, 2) shared_outs(%4 = %empty_2) -> (tensor<2x16x8xf32>) {
      %5 = affine.apply affine_map<(d0) -> ((d0 * 8))>(%3)
      %6 = tensor.extract_slice %q[%2, %5, 0] [1, 8, 8] [1, 1, 1] : tensor<2x16x8xf32> to tensor<1x8x8xf32>
      %7 = tensor.extract_slice %k[%2, 0, 0] [1, 16, 8] [1, 1, 1] : tensor<2x16x8xf32> to tensor<1x16x8xf32>
      %8 = tensor.extract_slice %empty[%2, %5] [1, 8] [1, 1] : tensor<2x16xf32> to tensor<1x8xf32>
      %init = linalg.fill ins(%minus_infinity : f32) outs(%8 : tensor<1x8xf32>) -> tensor<1x8xf32>
      %9 = tensor.extract_slice %empty_1[%2, %5] [1, 8] [1, 1] : tensor<2x16xf32> to tensor<1x8xf32>
      %init_1 = linalg.fill ins(%zero : f32) outs(%9 : tensor<1x8xf32>) -> tensor<1x8xf32>
      %10 = tensor.extract_slice %v[%2, 0, 0] [1, 16, 8] [1, 1, 1] : tensor<2x16x8xf32> to tensor<1x16x8xf32>
      %11 = tensor.extract_slice %4[%2, %5, 0] [1, 8, 8] [1, 1, 1] : tensor<2x16x8xf32> to tensor<1x8x8xf32>
      %init_2 = linalg.fill ins(%zero : f32) outs(%11 : tensor<1x8x8xf32>) -> tensor<1x8x8xf32>
      %12 = tensor.extract_slice %7[0, 0, 0] [1, 4, 8] [1, 1, 1] : tensor<1x16x8xf32> to tensor<1x4x8xf32>
      %13 = tensor.empty() : tensor<1x8x4xf32>
      %14 = linalg.fill ins(%zero : f32) outs(%13 : tensor<1x8x4xf32>) -> tensor<1x8x4xf32>
      %product_1 = linalg.batch_matmul indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>] ins(%6, %12 : tensor<1x8x8xf32>, tensor<1x4x8xf32>) outs(%14 : tensor<1x8x4xf32>) -> tensor<1x8x4xf32>
      %15 = tensor.empty() : tensor<1x8x4xf32>
      %scores = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%product_1 : tensor<1x8x4xf32>) outs(%15 : tensor<1x8x4xf32>) {
      ^bb0(%acc: f32, %out: f32):
        %16 = arith.mulf %acc, %cst : f32
        linalg.yield %16 : f32
      } -> tensor<1x8x4xf32>
      %largest = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%scores : tensor<1x8x4xf32>) outs(%init : tensor<1x8xf32>) {
      ^bb0(%x: f32, %acc_1: f32):
        %17 = arith.maxnumf %x, %acc_1 : f32
        linalg.yield %17 : f32
      } -> tensor<1x8xf32>
      %18 = tensor.empty() : tensor<1x8x4xf32>
      %exponential = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%scores, %largest : tensor<1x8x4xf32>, tensor<1x8xf32>) outs(%18 : tensor<1x8x4xf32>) {
      ^bb0(%19: f32, %20: f32, %21: f32):
        %22 = arith.subf %19, %20 : f32
        %23 = math.exp %22 : f32
        linalg.yield %23 : f32
      } -> tensor<1x8x4xf32>
      %24 = tensor.empty() : tensor<1x8xf32>
      %factor = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%init, %largest : tensor<1x8xf32>, tensor<1x8xf32>) outs(%24 : tensor<1x8xf32>) {
      ^bb0(%25: f32, %26: f32, %27: f32):
        %28 = arith.subf %25, %26 : f32
        %29 = math.exp %28 : f32
        linalg.yield %29 : f32
      } -> tensor<1x8xf32>
      %30 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%factor : tensor<1x8xf32>) outs(%init_1 : tensor<1x8xf32>) {
      ^bb0(%31: f32, %32: f32):
        %33 = arith.mulf %32, %31 : f32
        linalg.yield %33 : f32
      } -> tensor<1x8xf32>
      %total = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%exponential : tensor<1x8x4xf32>) outs(%30 : tensor<1x8xf32>) {
      ^bb0(%x_1: f32, %acc_2: f32):
        %34 = arith.addf %x_1, %acc_2 : f32
        linalg.yield %34 : f32
      } -> tensor<1x8xf32>
      %35 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%factor : tensor<1x8xf32>) outs(%init_2 : tensor<1x8x8xf32>) {
      ^bb0(%36: f32, %37: f32):
        %38 = arith.mulf %37, %36 : f32
        linalg.yield %38 : f32
      } -> tensor<1x8x8xf32>
      %largest_1, %total_1, %softmax, %39 = scf.for %40 = %0 to %1 step %0 iter_args(%largest_2 = %largest, %total_2 = %total, %softmax_1 = %exponential, %41 = %35) -> (tensor<1x8xf32>, tensor<1x8xf32>, tensor<1x8x4xf32>, tensor<1x8x8xf32>) {
        %42 = tensor.extract_slice %7[0, %40, 0] [1, 4, 8] [1, 1, 1] : tensor<1x16x8xf32> to tensor<1x4x8xf32>
        %43 = tensor.empty() : tensor<1x8x4xf32>
        %44 = linalg.fill ins(%zero : f32) outs(%43 : tensor<1x8x4xf32>) -> tensor<1x8x4xf32>
        %product_2 = linalg.batch_matmul indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>] ins(%6, %42 : tensor<1x8x8xf32>, tensor<1x4x8xf32>) outs(%44 : tensor<1x8x4xf32>) -> tensor<1x8x4xf32>
        %45 = affine.apply affine_map<(d0) -> ((d0 + -4))>(%40)
        %46 = tensor.extract_slice %10[0, %45, 0] [1, 4, 8] [1, 1, 1] : tensor<1x16x8xf32> to tensor<1x4x8xf32>
        %product_3 = linalg.batch_matmul ins(%softmax_1, %46 : tensor<1x8x4xf32>, tensor<1x4x8xf32>) outs(%41 : tensor<1x8x8xf32>) -> tensor<1x8x8xf32>
        %47 = tensor.empty() : tensor<1x8x4xf32>
        %scores_1 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%product_2 : tensor<1x8x4xf32>) outs(%47 : tensor<1x8x4xf32>) {
        ^bb0(%acc_3: f32, %out_1: f32):
          %48 = arith.mulf %acc_3, %cst : f32
          linalg.yield %48 : f32
        } -> tensor<1x8x4xf32>
        %largest_3 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%scores_1 : tensor<1x8x4xf32>) outs(%largest_2 : tensor<1x8xf32>) {
        ^bb0(%x_2: f32, %acc_4: f32):
          %49 = arith.maxnumf %x_2, %acc_4 : f32
          linalg.yield %49 : f32
        } -> tensor<1x8xf32>
        %50 = tensor.empty() : tensor<1x8x4xf32>
        %exponential_1 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%scores_1, %largest_3 : tensor<1x8x4xf32>, tensor<1x8xf32>) outs(%50 : tensor<1x8x4xf32>) {
        ^bb0(%51: f32, %52: f32, %53: f32):
          %54 = arith.subf %51, %52 : f32
          %55 = math.exp %54 : f32
          linalg.yield %55 : f32
        } -> tensor<1x8x4xf32>
        %56 = tensor.empty() : tensor<1x8xf32>
        %factor_1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%largest_2, %largest_3 : tensor<1x8xf32>, tensor<1x8xf32>) outs(%56 : tensor<1x8xf32>) {
        ^bb0(%57: f32, %58: f32, %59: f32):
          %60 = arith.subf %57, %58 : f32
          %61 = math.exp %60 : f32
          linalg.yield %61 : f32
        } -> tensor<1x8xf32>
        %62 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%factor_1 : tensor<1x8xf32>) outs(%total_2 : tensor<1x8xf32>) {
        ^bb0(%63: f32, %64: f32):
          %65 = arith.mulf %64, %63 : f32
          linalg.yield %65 : f32
        } -> tensor<1x8xf32>
        %total_3 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%exponential_1 : tensor<1x8x4xf32>) outs(%62 : tensor<1x8xf32>) {
        ^bb0(%x_3: f32, %acc_5: f32):
          %66 = arith.addf %x_3, %acc_5 : f32
          linalg.yield %66 : f32
        } -> tensor<1x8xf32>
        %67 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%factor_1 : tensor<1x8xf32>) outs(%product_3 : tensor<1x8x8xf32>) {
        ^bb0(%68: f32, %69: f32):
          %70 = arith.mulf %69, %68 : f32
          linalg.yield %70 : f32
        } -> tensor<1x8x8xf32>
        scf.yield %largest_3, %total_3, %exponential_1, %67 : tensor<1x8xf32>, tensor<1x8xf32>, tensor<1x8x4xf32>, tensor<1x8x8xf32>
      }
      %71 = tensor.extract_slice %10[0, 12, 0] [1, 4, 8] [1, 1, 1] : tensor<1x16x8xf32> to tensor<1x4x8xf32>
      %product_4 = linalg.batch_matmul ins(%softmax, %71 : tensor<1x8x4xf32>, tensor<1x4x8xf32>) outs(%39 : tensor<1x8x8xf32>) -> tensor<1x8x8xf32>
      %product_5 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%total_1 : tensor<1x8xf32>) outs(%product_4 : tensor<1x8x8xf32>) {
      ^bb0(%72: f32, %73: f32):
        %74 = arith.divf %73, %72 : f32
        linalg.yield %74 : f32
      } -> tensor<1x8x8xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %product_5 into %4[%2, %5, 0] [1, 8, 8] [1, 1, 1] : tensor<1x8x8xf32> into tensor<2x16x8xf32>
      }
    } {mapping = [#gpu.block<y>, #gpu.block<x>]}
    func.return %product : tensor<2x16x8xf32>
  }
}
