builtin.module {
  func.func @matmul(%a: tensor<10x7xf32>, %b: tensor<7x6xf32>, %c: tensor<10x6xf32>) -> tensor<10x6xf32> {
    %0 = arith.constant 0 : index
    %1 = arith.constant 0 : index
    %2 = arith.constant 0 : index
    %3 = arith.constant 10 : index
    %4 = arith.constant 6 : index
    %5 = arith.constant 7 : index
    %6 = arith.constant 4 : index
    %7 = arith.constant 4 : index
    %8 = arith.constant 4 : index
    %9 = arith.constant 2 : index
    %10 = arith.constant 2 : index
    %11 = tensor.empty(%9, %10) : tensor<?x?x4x4xf32>
    %12 = arith.constant 0.000000e+00 : f32
    %13 = scf.for %14 = %1 to %4 step %7 iter_args(%15 = %11) -> (tensor<?x?x4x4xf32>) {
      %16 = affine.apply affine_map<(d0) -> ((d0 ceildiv 4))>(%14)
      %17 = scf.for %18 = %2 to %5 step %8 iter_args(%19 = %15) -> (tensor<?x?x4x4xf32>) {
        %20 = affine.apply affine_map<(d0) -> ((d0 ceildiv 4))>(%18)
        %21 = affine.min affine_map<(d0) -> (((d0 * -1) + 7), 4)>(%18)
        %22 = affine.min affine_map<(d0) -> (((d0 * -1) + 6), 4)>(%14)
        %23 = tensor.extract_slice %b[%18, %14] [%21, %22] [1, 1] : tensor<7x6xf32> to tensor<?x?xf32>
        %24 = affine.apply affine_map<(d0) -> (((d0 * -1) + 4))>(%21)
        %25 = affine.apply affine_map<(d0) -> (((d0 * -1) + 4))>(%22)
        %26 = tensor.pad %23 nofold low[0, 0] high[%24, %25] {
        ^bb0(%27: index, %28: index):
          tensor.yield %12 : f32
        } : tensor<?x?xf32> to tensor<4x4xf32>
        %29 = tensor.extract_slice %19[%16, %20, 0, 0] [1, 1, 4, 4] [1, 1, 1, 1] : tensor<?x?x4x4xf32> to tensor<4x4xf32>
        %30 = linalg.transpose ins(%26 : tensor<4x4xf32>) outs(%29 : tensor<4x4xf32>) permutation = [1, 0]
        %31 = tensor.insert_slice %30 into %19[%16, %20, 0, 0] [1, 1, 4, 4] [1, 1, 1, 1] : tensor<4x4xf32> into tensor<?x?x4x4xf32>
        scf.yield %31 : tensor<?x?x4x4xf32>
      }
      scf.yield %17 : tensor<?x?x4x4xf32>
    }
    %r = scf.for %32 = %0 to %3 step %6 iter_args(%33 = %c) -> (tensor<10x6xf32>) {
      %34 = scf.for %35 = %1 to %4 step %7 iter_args(%36 = %33) -> (tensor<10x6xf32>) {
        %37 = scf.for %38 = %2 to %5 step %8 iter_args(%39 = %36) -> (tensor<10x6xf32>) {
          %40 = affine.min affine_map<(d0) -> (((d0 * -1) + 10), 4)>(%32)
          %41 = affine.min affine_map<(d0) -> (((d0 * -1) + 6), 4)>(%35)
          %42 = affine.min affine_map<(d0) -> (((d0 * -1) + 7), 4)>(%38)
          %43 = tensor.extract_slice %a[%32, %38] [%40, %42] [1, 1] : tensor<10x7xf32> to tensor<?x?xf32>
          %44 = tensor.extract_slice %b[%38, %35] [%42, %41] [1, 1] : tensor<7x6xf32> to tensor<?x?xf32>
          %45 = tensor.extract_slice %39[%32, %35] [%40, %41] [1, 1] : tensor<10x6xf32> to tensor<?x?xf32>
          %46 = arith.constant 0.000000e+00 : f32
          %47 = affine.apply affine_map<(d0) -> (((d0 * -1) + 4))>(%40)
          %48 = affine.apply affine_map<(d0) -> (((d0 * -1) + 4))>(%42)
          %49 = tensor.pad %43 nofold low[0, 0] high[%47, %48] {
          ^bb0(%50: index, %51: index):
            tensor.yield %46 : f32
          } : tensor<?x?xf32> to tensor<4x4xf32>
          %52 = arith.constant 0.000000e+00 : f32
          %53 = affine.apply affine_map<(d0) -> (((d0 * -1) + 4))>(%42)
          %54 = affine.apply affine_map<(d0) -> (((d0 * -1) + 4))>(%41)
          %55 = affine.apply affine_map<(d0) -> ((d0 ceildiv 4))>(%35)
          %56 = affine.apply affine_map<(d0) -> ((d0 ceildiv 4))>(%38)
          %57 = tensor.extract_slice %13[%55, %56, 0, 0] [1, 1, 4, 4] [1, 1, 1, 1] : tensor<?x?x4x4xf32> to tensor<4x4xf32>
          %58 = tensor.empty() : tensor<4x4xf32>
          %59 = linalg.transpose ins(%57 : tensor<4x4xf32>) outs(%58 : tensor<4x4xf32>) permutation = [1, 0]
          %60 = arith.constant 0.000000e+00 : f32
          %61 = affine.apply affine_map<(d0) -> (((d0 * -1) + 4))>(%40)
          %62 = affine.apply affine_map<(d0) -> (((d0 * -1) + 4))>(%41)
          %63 = tensor.pad %45 nofold low[0, 0] high[%61, %62] {
          ^bb0(%64: index, %65: index):
            tensor.yield %60 : f32
          } : tensor<?x?xf32> to tensor<4x4xf32>
          %66 = linalg.matmul ins(%49, %59 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%63 : tensor<4x4xf32>) -> tensor<4x4xf32>
          %r_1 = tensor.extract_slice %66[0, 0] [%40, %41] [1, 1] : tensor<4x4xf32> to tensor<?x?xf32>
          %67 = tensor.insert_slice %r_1 into %39[%32, %35] [%40, %41] [1, 1] : tensor<?x?xf32> into tensor<10x6xf32>
          scf.yield %67 : tensor<10x6xf32>
        }
        scf.yield %37 : tensor<10x6xf32>
      }
      scf.yield %34 : tensor<10x6xf32>
    }
    func.return %r : tensor<10x6xf32>
  }
}
