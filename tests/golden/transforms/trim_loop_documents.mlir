builtin.module {
  func.func @attention(%q: tensor<24x8xf32>, %k: tensor<48x8xf32>, %v: tensor<48x8xf32>, %of_rows: tensor<24xi32>, %of_keys: tensor<48xi32>) -> tensor<24x8xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %minus_infinity = arith.constant 0xFF800000 : f32
    %empty = tensor.empty() : tensor<24x48xf32>
    %empty_1 = tensor.empty() : tensor<24xf32>
    %empty_2 = tensor.empty() : tensor<24x8xf32>
    %product = scf.forall (%0) in (3) shared_outs(%1 = %empty_2) -> (tensor<24x8xf32>) {
      %2 = affine.apply affine_map<(d0) -> ((d0 * 8))>(%0)
      %3 = tensor.extract_slice %q[%2, 0] [8, 8] [1, 1] : tensor<24x8xf32> to tensor<8x8xf32>
      %4 = tensor.extract_slice %empty[%2, 0] [8, 48] [1, 1] : tensor<24x48xf32> to tensor<8x48xf32>
      %5 = tensor.extract_slice %of_rows[%2] [8] [1] : tensor<24xi32> to tensor<8xi32>
      %6 = tensor.extract_slice %empty_1[%2] [8] [1] : tensor<24xf32> to tensor<8xf32>
      %init = linalg.fill ins(%minus_infinity : f32) outs(%6 : tensor<8xf32>) -> tensor<8xf32>
      %init_1 = linalg.fill ins(%zero : f32) outs(%6 : tensor<8xf32>) -> tensor<8xf32>
      %7 = tensor.extract_slice %1[%2, 0] [8, 8] [1, 1] : tensor<24x8xf32> to tensor<8x8xf32>
      %init_2 = linalg.fill ins(%zero : f32) outs(%7 : tensor<8x8xf32>) -> tensor<8x8xf32>
      %8 = arith.constant 0 : index
      %9 = arith.constant 48 : index
      %10 = arith.constant 4 : index
      %11 = arith.constant 2147483647 : i32
      %12 = arith.constant 0 : index
      %13 = vector.transfer_read %5[%12], %11 {in_bounds = [true]} : tensor<8xi32>, vector<8xi32>
      %least = vector.multi_reduction <minsi>, %13, %11 [0] : vector<8xi32> to i32
      %14 = arith.constant -2147483648 : i32
      %most = vector.multi_reduction <maxsi>, %13, %14 [0] : vector<8xi32> to i32
      %15 = arith.constant 0 : index
      %16 = arith.constant dense<48> : vector<64xi32>
      %17 = arith.constant dense<0> : vector<64xi32>
      %18 = arith.constant 64 : index
      %19, %20 = scf.for %21 = %15 to %9 step %18 iter_args(%first = %16, %end = %17) -> (vector<64xi32>, vector<64xi32>) {
        %22 = vector.broadcast %21 : index to vector<64xindex>
        %23 = vector.step : vector<64xindex>
        %24 = arith.addi %23, %22 : vector<64xindex>
        %25 = arith.constant 0 : i32
        %26 = vector.transfer_read %of_keys[%21], %25 : tensor<48xi32>, vector<64xi32>
        %27 = vector.broadcast %least : i32 to vector<64xi32>
        %28 = vector.broadcast %most : i32 to vector<64xi32>
        %29 = arith.cmpi sle, %27, %26 : vector<64xi32>
        %30 = arith.cmpi sge, %28, %26 : vector<64xi32>
        %31 = arith.andi %29, %30 : vector<64xi1>
        %32 = arith.constant 48 : index
        %33 = vector.broadcast %32 : index to vector<64xindex>
        %34 = arith.cmpi slt, %24, %33 : vector<64xindex>
        %match = arith.andi %31, %34 : vector<64xi1>
        %position = arith.index_cast %24 : vector<64xindex> to vector<64xi32>
        %35 = arith.constant dense<1> : vector<64xi32>
        %36 = arith.addi %position, %35 : vector<64xi32>
        %37 = arith.select %match, %position, %16 : vector<64xi1>, vector<64xi32>
        %38 = arith.select %match, %36, %17 : vector<64xi1>, vector<64xi32>
        %39 = arith.minsi %first, %37 : vector<64xi32>
        %40 = arith.maxsi %end, %38 : vector<64xi32>
        scf.yield %39, %40 : vector<64xi32>, vector<64xi32>
      }
      %41 = arith.constant 2147483647 : i32
      %first_1 = vector.multi_reduction <minsi>, %19, %41 [0] : vector<64xi32> to i32
      %42 = arith.constant -2147483648 : i32
      %end_1 = vector.multi_reduction <maxsi>, %20, %42 [0] : vector<64xi32> to i32
      %first_2 = arith.index_cast %first_1 : i32 to index
      %43 = affine.min affine_map<(d0) -> (d0, 48)>(%first_2)
      %44 = affine.max affine_map<(d0) -> (d0, 0)>(%43)
      %end_2 = arith.index_cast %end_1 : i32 to index
      %45 = affine.min affine_map<(d0) -> (d0, 48)>(%end_2)
      %46 = affine.max affine_map<(d0) -> (d0, 0)>(%45)
      %47 = affine.apply affine_map<(d0) -> (((d0 floordiv 4) * 4))>(%44)
      %48 = arith.constant 2147483647 : i32
      %49 = arith.constant 0 : index
      %50 = vector.transfer_read %5[%49], %48 {in_bounds = [true]} : tensor<8xi32>, vector<8xi32>
      %least_1 = vector.multi_reduction <minsi>, %50, %48 [0] : vector<8xi32> to i32
      %51 = arith.constant -2147483648 : i32
      %most_1 = vector.multi_reduction <maxsi>, %50, %51 [0] : vector<8xi32> to i32
      %52 = affine.apply affine_map<(d0) -> (((d0 floordiv 64) * 64))>(%47)
      %53 = arith.constant dense<48> : vector<64xi32>
      %54 = arith.constant dense<0> : vector<64xi32>
      %55 = arith.constant 64 : index
      %56, %57, %58 = scf.for %59 = %52 to %46 step %55 iter_args(%first_3 = %53, %end_3 = %54, %count = %54) -> (vector<64xi32>, vector<64xi32>, vector<64xi32>) {
        %60 = vector.broadcast %59 : index to vector<64xindex>
        %61 = vector.step : vector<64xindex>
        %62 = arith.addi %61, %60 : vector<64xindex>
        %63 = arith.constant 0 : i32
        %64 = vector.transfer_read %of_keys[%59], %63 : tensor<48xi32>, vector<64xi32>
        %65 = vector.broadcast %least_1 : i32 to vector<64xi32>
        %66 = vector.broadcast %most_1 : i32 to vector<64xi32>
        %67 = arith.cmpi eq, %65, %64 : vector<64xi32>
        %68 = arith.cmpi eq, %66, %64 : vector<64xi32>
        %69 = arith.andi %67, %68 : vector<64xi1>
        %70 = arith.constant 48 : index
        %71 = vector.broadcast %70 : index to vector<64xindex>
        %72 = arith.cmpi slt, %62, %71 : vector<64xindex>
        %match_1 = arith.andi %69, %72 : vector<64xi1>
        %position_1 = arith.index_cast %62 : vector<64xindex> to vector<64xi32>
        %73 = arith.constant dense<1> : vector<64xi32>
        %74 = arith.addi %position_1, %73 : vector<64xi32>
        %75 = arith.select %match_1, %position_1, %53 : vector<64xi1>, vector<64xi32>
        %76 = arith.select %match_1, %74, %54 : vector<64xi1>, vector<64xi32>
        %77 = arith.minsi %first_3, %75 : vector<64xi32>
        %78 = arith.maxsi %end_3, %76 : vector<64xi32>
        %79 = arith.select %match_1, %73, %54 : vector<64xi1>, vector<64xi32>
        %80 = arith.addi %count, %79 : vector<64xi32>
        scf.yield %77, %78, %80 : vector<64xi32>, vector<64xi32>, vector<64xi32>
      }
      %81 = arith.constant 2147483647 : i32
      %first_4 = vector.multi_reduction <minsi>, %56, %81 [0] : vector<64xi32> to i32
      %82 = arith.constant -2147483648 : i32
      %end_4 = vector.multi_reduction <maxsi>, %57, %82 [0] : vector<64xi32> to i32
      %83 = arith.constant 0 : i32
      %count_1 = vector.multi_reduction <add>, %58, %83 [0] : vector<64xi32> to i32
      %84 = arith.subi %end_4, %first_4 : i32
      %85 = arith.cmpi eq, %84, %count_1 : i32
      %86 = arith.constant 0 : i32
      %87 = arith.select %85, %end_4, %86 : i32
      %first_5 = arith.index_cast %first_4 : i32 to index
      %88 = affine.min affine_map<(d0) -> (d0, 48)>(%first_5)
      %89 = affine.max affine_map<(d0) -> (d0, 0)>(%88)
      %90 = arith.index_cast %87 : i32 to index
      %91 = affine.min affine_map<(d0) -> (d0, 48)>(%90)
      %92 = affine.max affine_map<(d0) -> (d0, 0)>(%91)
      %93 = affine.apply affine_map<(d0) -> ((d0 + 3))>(%89)
      %94 = affine.apply affine_map<(d0) -> (((d0 floordiv 4) * 4))>(%93)
      %95 = affine.apply affine_map<(d0) -> (((d0 floordiv 4) * 4))>(%92)
      %96 = affine.max affine_map<(d0, d1) -> (d0, d1)>(%47, %94)
      %97 = affine.min affine_map<(d0, d1) -> (d0, d1)>(%96, %46)
      %98 = affine.min affine_map<(d0, d1) -> (d0, d1)>(%95, %46)
      %99 = affine.max affine_map<(d0, d1) -> (d0, d1)>(%96, %98)
      %largest, %total, %100 = scf.for %101 = %47 to %97 step %10 iter_args(%largest_1 = %init, %total_1 = %init_1, %product_1 = %init_2) -> (tensor<8xf32>, tensor<8xf32>, tensor<8x8xf32>) {
        %102 = tensor.extract_slice %k[%101, 0] [4, 8] [1, 1] : tensor<48x8xf32> to tensor<4x8xf32>
        %103 = tensor.empty() : tensor<8x4xf32>
        %104 = linalg.fill ins(%zero : f32) outs(%103 : tensor<8x4xf32>) -> tensor<8x4xf32>
        %product_2 = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%3, %102 : tensor<8x8xf32>, tensor<4x8xf32>) outs(%104 : tensor<8x4xf32>) -> tensor<8x4xf32>
        %105 = tensor.extract_slice %of_keys[%101] [4] [1] : tensor<48xi32> to tensor<4xi32>
        %106 = tensor.empty() : tensor<8x4xf32>
        %score = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%product_2, %5, %105 : tensor<8x4xf32>, tensor<8xi32>, tensor<4xi32>) outs(%106 : tensor<8x4xf32>) {
        ^bb0(%s: f32, %row: i32, %key: i32, %out: f32):
          %107 = arith.cmpi eq, %row, %key : i32
          %108 = arith.select %107, %s, %minus_infinity : f32
          linalg.yield %108 : f32
        } -> tensor<8x4xf32>
        %largest_2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%score : tensor<8x4xf32>) outs(%largest_1 : tensor<8xf32>) {
        ^bb0(%x: f32, %acc: f32):
          %109 = arith.maxnumf %x, %acc : f32
          linalg.yield %109 : f32
        } -> tensor<8xf32>
        %110 = tensor.empty() : tensor<8xf32>
        %largest_guarded = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%largest_2 : tensor<8xf32>) outs(%110 : tensor<8xf32>) {
        ^bb0(%111: f32, %112: f32):
          %113 = arith.constant 0xFF800000 : f32
          %114 = arith.constant 0.000000e+00 : f32
          %115 = arith.cmpf oeq, %111, %113 : f32
          %116 = arith.select %115, %114, %111 : f32
          linalg.yield %116 : f32
        } -> tensor<8xf32>
        %117 = tensor.empty() : tensor<8x4xf32>
        %exponential = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%score, %largest_guarded : tensor<8x4xf32>, tensor<8xf32>) outs(%117 : tensor<8x4xf32>) {
        ^bb0(%118: f32, %119: f32, %120: f32):
          %121 = arith.subf %118, %119 : f32
          %122 = math.exp %121 : f32
          linalg.yield %122 : f32
        } -> tensor<8x4xf32>
        %123 = tensor.empty() : tensor<8xf32>
        %factor = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%largest_1, %largest_guarded : tensor<8xf32>, tensor<8xf32>) outs(%123 : tensor<8xf32>) {
        ^bb0(%124: f32, %125: f32, %126: f32):
          %127 = arith.subf %124, %125 : f32
          %128 = math.exp %127 : f32
          linalg.yield %128 : f32
        } -> tensor<8xf32>
        %129 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%factor : tensor<8xf32>) outs(%total_1 : tensor<8xf32>) {
        ^bb0(%130: f32, %131: f32):
          %132 = arith.mulf %131, %130 : f32
          linalg.yield %132 : f32
        } -> tensor<8xf32>
        %total_2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%exponential : tensor<8x4xf32>) outs(%129 : tensor<8xf32>) {
        ^bb0(%x_1: f32, %acc_1: f32):
          %133 = arith.addf %x_1, %acc_1 : f32
          linalg.yield %133 : f32
        } -> tensor<8xf32>
        %134 = tensor.empty() : tensor<8x4xf32>
        %softmax = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%exponential : tensor<8x4xf32>) outs(%134 : tensor<8x4xf32>) {
        ^bb0(%135: f32, %136: f32):
          linalg.yield %135 : f32
        } -> tensor<8x4xf32>
        %137 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%factor : tensor<8xf32>) outs(%product_1 : tensor<8x8xf32>) {
        ^bb0(%138: f32, %139: f32):
          %140 = arith.mulf %139, %138 : f32
          linalg.yield %140 : f32
        } -> tensor<8x8xf32>
        %141 = tensor.extract_slice %v[%101, 0] [4, 8] [1, 1] : tensor<48x8xf32> to tensor<4x8xf32>
        %product_3 = linalg.matmul ins(%softmax, %141 : tensor<8x4xf32>, tensor<4x8xf32>) outs(%137 : tensor<8x8xf32>) -> tensor<8x8xf32>
        scf.yield %largest_2, %total_2, %product_3 : tensor<8xf32>, tensor<8xf32>, tensor<8x8xf32>
      }
      %largest_3, %total_3, %142 = scf.for %143 = %96 to %99 step %10 iter_args(%largest_4 = %largest, %total_4 = %total, %product_4 = %100) -> (tensor<8xf32>, tensor<8xf32>, tensor<8x8xf32>) {
        %144 = tensor.extract_slice %k[%143, 0] [4, 8] [1, 1] : tensor<48x8xf32> to tensor<4x8xf32>
        %145 = tensor.empty() : tensor<8x4xf32>
        %146 = linalg.fill ins(%zero : f32) outs(%145 : tensor<8x4xf32>) -> tensor<8x4xf32>
        %product_5 = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%3, %144 : tensor<8x8xf32>, tensor<4x8xf32>) outs(%146 : tensor<8x4xf32>) -> tensor<8x4xf32>
        %147 = tensor.extract_slice %of_keys[%143] [4] [1] : tensor<48xi32> to tensor<4xi32>
        %148 = tensor.empty() : tensor<8x4xf32>
        %score_1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%product_5, %5, %147 : tensor<8x4xf32>, tensor<8xi32>, tensor<4xi32>) outs(%148 : tensor<8x4xf32>) {
        ^bb0(%s_1: f32, %row_1: i32, %key_1: i32, %out_1: f32):
          linalg.yield %s_1 : f32
        } -> tensor<8x4xf32>
        %largest_5 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%score_1 : tensor<8x4xf32>) outs(%largest_4 : tensor<8xf32>) {
        ^bb0(%x_2: f32, %acc_2: f32):
          %149 = arith.maxnumf %x_2, %acc_2 : f32
          linalg.yield %149 : f32
        } -> tensor<8xf32>
        %150 = tensor.empty() : tensor<8xf32>
        %largest_guarded_1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%largest_5 : tensor<8xf32>) outs(%150 : tensor<8xf32>) {
        ^bb0(%151: f32, %152: f32):
          linalg.yield %151 : f32
        } -> tensor<8xf32>
        %153 = tensor.empty() : tensor<8x4xf32>
        %exponential_1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%score_1, %largest_guarded_1 : tensor<8x4xf32>, tensor<8xf32>) outs(%153 : tensor<8x4xf32>) {
        ^bb0(%154: f32, %155: f32, %156: f32):
          %157 = arith.subf %154, %155 : f32
          %158 = math.exp %157 : f32
          linalg.yield %158 : f32
        } -> tensor<8x4xf32>
        %159 = tensor.empty() : tensor<8xf32>
        %factor_1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%largest_4, %largest_guarded_1 : tensor<8xf32>, tensor<8xf32>) outs(%159 : tensor<8xf32>) {
        ^bb0(%160: f32, %161: f32, %162: f32):
          %163 = arith.subf %160, %161 : f32
          %164 = math.exp %163 : f32
          linalg.yield %164 : f32
        } -> tensor<8xf32>
        %165 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%factor_1 : tensor<8xf32>) outs(%total_4 : tensor<8xf32>) {
        ^bb0(%166: f32, %167: f32):
          %168 = arith.mulf %167, %166 : f32
          linalg.yield %168 : f32
        } -> tensor<8xf32>
        %total_5 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%exponential_1 : tensor<8x4xf32>) outs(%165 : tensor<8xf32>) {
        ^bb0(%x_3: f32, %acc_3: f32):
          %169 = arith.addf %x_3, %acc_3 : f32
          linalg.yield %169 : f32
        } -> tensor<8xf32>
        %170 = tensor.empty() : tensor<8x4xf32>
        %softmax_1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%exponential_1 : tensor<8x4xf32>) outs(%170 : tensor<8x4xf32>) {
        ^bb0(%171: f32, %172: f32):
          linalg.yield %171 : f32
        } -> tensor<8x4xf32>
        %173 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%factor_1 : tensor<8xf32>) outs(%product_4 : tensor<8x8xf32>) {
        ^bb0(%174: f32, %175: f32):
          %176 = arith.mulf %175, %174 : f32
          linalg.yield %176 : f32
        } -> tensor<8x8xf32>
        %177 = tensor.extract_slice %v[%143, 0] [4, 8] [1, 1] : tensor<48x8xf32> to tensor<4x8xf32>
        %product_6 = linalg.matmul ins(%softmax_1, %177 : tensor<8x4xf32>, tensor<4x8xf32>) outs(%173 : tensor<8x8xf32>) -> tensor<8x8xf32>
        scf.yield %largest_5, %total_5, %product_6 : tensor<8xf32>, tensor<8xf32>, tensor<8x8xf32>
      }
      %largest_6, %total_6, %178 = scf.for %179 = %99 to %46 step %10 iter_args(%largest_7 = %largest_3, %total_7 = %total_3, %product_7 = %142) -> (tensor<8xf32>, tensor<8xf32>, tensor<8x8xf32>) {
        %180 = tensor.extract_slice %k[%179, 0] [4, 8] [1, 1] : tensor<48x8xf32> to tensor<4x8xf32>
        %181 = tensor.empty() : tensor<8x4xf32>
        %182 = linalg.fill ins(%zero : f32) outs(%181 : tensor<8x4xf32>) -> tensor<8x4xf32>
        %product_8 = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%3, %180 : tensor<8x8xf32>, tensor<4x8xf32>) outs(%182 : tensor<8x4xf32>) -> tensor<8x4xf32>
        %183 = tensor.extract_slice %of_keys[%179] [4] [1] : tensor<48xi32> to tensor<4xi32>
        %184 = tensor.empty() : tensor<8x4xf32>
        %score_2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%product_8, %5, %183 : tensor<8x4xf32>, tensor<8xi32>, tensor<4xi32>) outs(%184 : tensor<8x4xf32>) {
        ^bb0(%s_2: f32, %row_2: i32, %key_2: i32, %out_2: f32):
          %185 = arith.cmpi eq, %row_2, %key_2 : i32
          %186 = arith.select %185, %s_2, %minus_infinity : f32
          linalg.yield %186 : f32
        } -> tensor<8x4xf32>
        %largest_8 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%score_2 : tensor<8x4xf32>) outs(%largest_7 : tensor<8xf32>) {
        ^bb0(%x_4: f32, %acc_4: f32):
          %187 = arith.maxnumf %x_4, %acc_4 : f32
          linalg.yield %187 : f32
        } -> tensor<8xf32>
        %188 = tensor.empty() : tensor<8xf32>
        %largest_guarded_2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%largest_8 : tensor<8xf32>) outs(%188 : tensor<8xf32>) {
        ^bb0(%189: f32, %190: f32):
          %191 = arith.constant 0xFF800000 : f32
          %192 = arith.constant 0.000000e+00 : f32
          %193 = arith.cmpf oeq, %189, %191 : f32
          %194 = arith.select %193, %192, %189 : f32
          linalg.yield %194 : f32
        } -> tensor<8xf32>
        %195 = tensor.empty() : tensor<8x4xf32>
        %exponential_2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%score_2, %largest_guarded_2 : tensor<8x4xf32>, tensor<8xf32>) outs(%195 : tensor<8x4xf32>) {
        ^bb0(%196: f32, %197: f32, %198: f32):
          %199 = arith.subf %196, %197 : f32
          %200 = math.exp %199 : f32
          linalg.yield %200 : f32
        } -> tensor<8x4xf32>
        %201 = tensor.empty() : tensor<8xf32>
        %factor_2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%largest_7, %largest_guarded_2 : tensor<8xf32>, tensor<8xf32>) outs(%201 : tensor<8xf32>) {
        ^bb0(%202: f32, %203: f32, %204: f32):
          %205 = arith.subf %202, %203 : f32
          %206 = math.exp %205 : f32
          linalg.yield %206 : f32
        } -> tensor<8xf32>
        %207 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%factor_2 : tensor<8xf32>) outs(%total_7 : tensor<8xf32>) {
        ^bb0(%208: f32, %209: f32):
          %210 = arith.mulf %209, %208 : f32
          linalg.yield %210 : f32
        } -> tensor<8xf32>
        %total_8 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%exponential_2 : tensor<8x4xf32>) outs(%207 : tensor<8xf32>) {
        ^bb0(%x_5: f32, %acc_5: f32):
          %211 = arith.addf %x_5, %acc_5 : f32
          linalg.yield %211 : f32
        } -> tensor<8xf32>
        %212 = tensor.empty() : tensor<8x4xf32>
        %softmax_2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%exponential_2 : tensor<8x4xf32>) outs(%212 : tensor<8x4xf32>) {
        ^bb0(%213: f32, %214: f32):
          linalg.yield %213 : f32
        } -> tensor<8x4xf32>
        %215 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%factor_2 : tensor<8xf32>) outs(%product_7 : tensor<8x8xf32>) {
        ^bb0(%216: f32, %217: f32):
          %218 = arith.mulf %217, %216 : f32
          linalg.yield %218 : f32
        } -> tensor<8x8xf32>
        %219 = tensor.extract_slice %v[%179, 0] [4, 8] [1, 1] : tensor<48x8xf32> to tensor<4x8xf32>
        %product_9 = linalg.matmul ins(%softmax_2, %219 : tensor<8x4xf32>, tensor<4x8xf32>) outs(%215 : tensor<8x8xf32>) -> tensor<8x8xf32>
        scf.yield %largest_8, %total_8, %product_9 : tensor<8xf32>, tensor<8xf32>, tensor<8x8xf32>
      }
      %product_10 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%total_6 : tensor<8xf32>) outs(%178 : tensor<8x8xf32>) {
      ^bb0(%220: f32, %221: f32):
        %222 = arith.divf %221, %220 : f32
        linalg.yield %222 : f32
      } -> tensor<8x8xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %product_10 into %1[%2, 0] [8, 8] [1, 1] : tensor<8x8xf32> into tensor<24x8xf32>
      }
    } {mapping = [#gpu.block<x>]}
    func.return %product : tensor<24x8xf32>
  }
}
