builtin.module {
  kernel.func @attention_kernel(%q_desc: !kernel.descriptor<vector<1x1x64x64xf16>>, %k_desc: !kernel.descriptor<vector<1x1x64x64xf16>>, %v_desc: !kernel.descriptor<vector<1x1x64x64xf16>>, %out_desc: !kernel.descriptor<vector<1x1x64x64xf16>>) constants {N = 256 : i64, BLOCK_M = 128 : i64, BLOCK_N = 64 : i64} tiles [1, 2, 2] group 1 {
    %q_ring = warps.ring : !warps.ring<2 x vector<1x1x64x64xf16>>
    %q_full = warps.barriers arrivals 1 : !warps.barriers<2>
    %q_empty = warps.barriers arrivals 1 : !warps.barriers<2>
    %k_ring = warps.ring : !warps.ring<2 x vector<1x1x64x64xf16>>
    %k_full = warps.barriers arrivals 1 : !warps.barriers<2>
    %k_empty = warps.barriers arrivals 2 : !warps.barriers<2>
    %v_ring = warps.ring : !warps.ring<2 x vector<1x1x64x64xf16>>
    %v_full = warps.barriers arrivals 1 : !warps.barriers<2>
    %v_empty = warps.barriers arrivals 2 : !warps.barriers<2>
    %out_ring = warps.ring : !warps.ring<2 x vector<1x1x64x64xf16>>
    warps.specialize {
      warps.partition "compute_0" warps 4 registers 240 part 0 {
        %part = warps.part
        %tile_h = kernel.program_id 1
        %tile_m = kernel.program_id 0
        %0 = kernel.constexpr "BLOCK_M" = 128 : i32
        %off_m = arith.muli %tile_m, %0 : i32
        %1 = arith.constant 0 : i32
        %2 = arith.constant 0 : i32
        warps.wait %q_full[%part] parity %2 : !warps.barriers<2>
        %3 = arith.constant 1 : i32
        warps.wait %k_full[%2] parity %2 : !warps.barriers<2>
        %4 = warps.slot %q_ring[%part] : !warps.ring<2 x vector<1x1x64x64xf16>> to !warps.view<vector<1x1x64x64xf16>>
        %5 = warps.reshape %4 : !warps.view<vector<1x1x64x64xf16>> to !warps.view<vector<64x64xf16>>
        %6 = warps.slot %k_ring[%2] : !warps.ring<2 x vector<1x1x64x64xf16>> to !warps.view<vector<1x1x64x64xf16>>
        %7 = warps.reshape %6 : !warps.view<vector<1x1x64x64xf16>> to !warps.view<vector<64x64xf16>>
        %8 = warps.transpose %7 [1, 0] : !warps.view<vector<64x64xf16>> to !warps.view<vector<64x64xf16>>
        %product = warps.dot %5, %8 : !warps.view<vector<64x64xf16>>, !warps.view<vector<64x64xf16>> to vector<64x64xf32>
        %product_1 = warps.dot_wait 0, %product : vector<64x64xf32> to vector<64x64xf32>
        warps.arrive %k_empty[%2] : !warps.barriers<2>
        %largest = kernel.reduce %product_1 <maxnumf> axis 1 : vector<64x64xf32> to vector<64xf32>
        %9 = arith.constant dense<0xFF800000> : vector<64xf32>
        %10 = kernel.full 0xFF800000 : f32 [""] layout #warps.slice<1, #warps.mma<64>> : vector<64xf32>
        %11 = arith.maxnumf %10, %largest : vector<64xf32>
        %12 = arith.constant dense<0.180336878> : vector<64xf32>
        %13 = arith.mulf %11, %12 : vector<64xf32>
        %14 = kernel.expand_dims %13 axis 1 : vector<64xf32> to vector<64x1xf32>
        %15 = vector.broadcast %14 : vector<64x1xf32> to vector<64x64xf32>
        %16 = arith.constant dense<0.180336878> : vector<64x64xf32>
        %17 = arith.mulf %product_1, %16 : vector<64x64xf32>
        %18 = arith.subf %17, %15 : vector<64x64xf32>
        %exponential = math.exp2 %18 : vector<64x64xf32>
        %19 = arith.subf %9, %13 : vector<64xf32>
        %factor = math.exp2 %19 : vector<64xf32>
        %20 = arith.constant dense<0.000000e+00> : vector<64xf32>
        %21 = arith.mulf %factor, %20 : vector<64xf32>
        %total = kernel.reduce %exponential <add> axis 1 : vector<64x64xf32> to vector<64xf32>
        %22 = arith.addf %21, %total : vector<64xf32>
        %softmax = kernel.cast %exponential : vector<64x64xf32> to vector<64x64xf16>
        %23 = kernel.expand_dims %factor axis 1 : vector<64xf32> to vector<64x1xf32>
        %24 = vector.broadcast %23 : vector<64x1xf32> to vector<64x64xf32>
        %25 = arith.constant dense<0.000000e+00> : vector<64x64xf32>
        %26 = kernel.full 0.000000e+00 : f32 ["", ""] layout #warps.mma<64> : vector<64x64xf32>
        %27 = arith.mulf %24, %26 : vector<64x64xf32>
        %28 = arith.constant 64 : i32
        %29 = kernel.constexpr "N" = 256 : i32
        %30 = kernel.constexpr "BLOCK_N" = 64 : i32
        %31, %32, %33, %34, %count, %count_1 = scf.for %n = %28 to %29 step %30 iter_args(%largest_1 = %11, %total_1 = %22, %softmax_1 = %softmax, %acc = %27, %count_2 = %3, %count_3 = %2) -> (vector<64xf32>, vector<64xf32>, vector<64x64xf16>, vector<64x64xf32>, i32, i32) : i32 {
          %35 = arith.constant 2 : i32
          %slot = arith.remsi %count_2, %35 : i32
          %36 = arith.constant 1 : i32
          %37 = arith.divsi %count_2, %35 : i32
          %phase = arith.andi %37, %36 : i32
          warps.wait %k_full[%slot] parity %phase : !warps.barriers<2>
          %count_4 = arith.addi %count_2, %36 : i32
          %38 = warps.slot %q_ring[%part] : !warps.ring<2 x vector<1x1x64x64xf16>> to !warps.view<vector<1x1x64x64xf16>>
          %39 = warps.reshape %38 : !warps.view<vector<1x1x64x64xf16>> to !warps.view<vector<64x64xf16>>
          %40 = warps.slot %k_ring[%slot] : !warps.ring<2 x vector<1x1x64x64xf16>> to !warps.view<vector<1x1x64x64xf16>>
          %41 = warps.reshape %40 : !warps.view<vector<1x1x64x64xf16>> to !warps.view<vector<64x64xf16>>
          %42 = warps.transpose %41 [1, 0] : !warps.view<vector<64x64xf16>> to !warps.view<vector<64x64xf16>>
          %product_2 = warps.dot %39, %42 : !warps.view<vector<64x64xf16>>, !warps.view<vector<64x64xf16>> to vector<64x64xf32>
          %slot_1 = arith.remsi %count_3, %35 : i32
          %43 = arith.divsi %count_3, %35 : i32
          %phase_1 = arith.andi %43, %36 : i32
          warps.wait %v_full[%slot_1] parity %phase_1 : !warps.barriers<2>
          %count_5 = arith.addi %count_3, %36 : i32
          %44 = warps.slot %v_ring[%slot_1] : !warps.ring<2 x vector<1x1x64x64xf16>> to !warps.view<vector<1x1x64x64xf16>>
          %45 = warps.reshape %44 : !warps.view<vector<1x1x64x64xf16>> to !warps.view<vector<64x64xf16>>
          %softmax_2 = warps.convert %softmax_1 to #warps.operand<#warps.mma<64>> : vector<64x64xf16>
          %acc_1 = warps.dot %softmax_2, %45, %acc : vector<64x64xf32> : vector<64x64xf16>, !warps.view<vector<64x64xf16>> to vector<64x64xf32>
          %product_3 = warps.dot_wait 1, %product_2 : vector<64x64xf32> to vector<64x64xf32>
          warps.arrive %k_empty[%slot] : !warps.barriers<2>
          %largest_2 = kernel.reduce %product_3 <maxnumf> axis 1 : vector<64x64xf32> to vector<64xf32>
          %46 = arith.maxnumf %largest_1, %largest_2 : vector<64xf32>
          %47 = arith.mulf %46, %12 : vector<64xf32>
          %48 = kernel.expand_dims %47 axis 1 : vector<64xf32> to vector<64x1xf32>
          %49 = vector.broadcast %48 : vector<64x1xf32> to vector<64x64xf32>
          %50 = arith.mulf %product_3, %16 : vector<64x64xf32>
          %51 = arith.subf %50, %49 : vector<64x64xf32>
          %exponential_1 = math.exp2 %51 : vector<64x64xf32>
          %52 = arith.mulf %largest_1, %12 : vector<64xf32>
          %53 = arith.subf %52, %47 : vector<64xf32>
          %factor_1 = math.exp2 %53 : vector<64xf32>
          %54 = arith.mulf %total_1, %factor_1 : vector<64xf32>
          %total_2 = kernel.reduce %exponential_1 <add> axis 1 : vector<64x64xf32> to vector<64xf32>
          %55 = arith.addf %54, %total_2 : vector<64xf32>
          %softmax_3 = kernel.cast %exponential_1 : vector<64x64xf32> to vector<64x64xf16>
          %56 = kernel.expand_dims %factor_1 axis 1 : vector<64xf32> to vector<64x1xf32>
          %57 = vector.broadcast %56 : vector<64x1xf32> to vector<64x64xf32>
          %acc_2, %softmax_4, %58, %59, %softmax_5 = warps.dot_wait 0, %acc_1, %softmax_2, %46, %55, %softmax_3 : vector<64x64xf32>, vector<64x64xf16>, vector<64xf32>, vector<64xf32>, vector<64x64xf16> to vector<64x64xf32>, vector<64x64xf16>, vector<64xf32>, vector<64xf32>, vector<64x64xf16>
          warps.arrive %v_empty[%slot_1] : !warps.barriers<2>
          %60 = arith.mulf %acc_2, %57 : vector<64x64xf32>
          scf.yield %58, %59, %softmax_5, %60, %count_4, %count_5 : vector<64xf32>, vector<64xf32>, vector<64x64xf16>, vector<64x64xf32>, i32, i32
        }
        warps.arrive %q_empty[%part] : !warps.barriers<2>
        %61 = arith.constant 2 : i32
        %slot_2 = arith.remsi %count_1, %61 : i32
        %62 = arith.divsi %count_1, %61 : i32
        %phase_2 = arith.andi %62, %3 : i32
        warps.wait %v_full[%slot_2] parity %phase_2 : !warps.barriers<2>
        %63 = warps.slot %v_ring[%slot_2] : !warps.ring<2 x vector<1x1x64x64xf16>> to !warps.view<vector<1x1x64x64xf16>>
        %64 = warps.reshape %63 : !warps.view<vector<1x1x64x64xf16>> to !warps.view<vector<64x64xf16>>
        %65 = warps.convert %33 to #warps.operand<#warps.mma<64>> : vector<64x64xf16>
        %acc_3 = warps.dot %65, %64, %34 : vector<64x64xf32> : vector<64x64xf16>, !warps.view<vector<64x64xf16>> to vector<64x64xf32>
        %66 = kernel.expand_dims %32 axis 1 : vector<64xf32> to vector<64x1xf32>
        %67 = vector.broadcast %66 : vector<64x1xf32> to vector<64x64xf32>
        %acc_4, %68 = warps.dot_wait 0, %acc_3, %65 : vector<64x64xf32>, vector<64x64xf16> to vector<64x64xf32>, vector<64x64xf16>
        warps.arrive %v_empty[%slot_2] : !warps.barriers<2>
        %product_4 = arith.divf %acc_4, %67 : vector<64x64xf32>
        %cast = kernel.cast %product_4 : vector<64x64xf32> to vector<64x64xf16>
        %69 = warps.slot %out_ring[%part] : !warps.ring<2 x vector<1x1x64x64xf16>> to !warps.view<vector<1x1x64x64xf16>>
        %70 = warps.reshape %69 : !warps.view<vector<1x1x64x64xf16>> to !warps.view<vector<64x64xf16>>
        warps.store_wait 0
        warps.sync
        warps.write %cast to %70 : vector<64x64xf16>, !warps.view<vector<64x64xf16>>
        warps.fence
        warps.sync
        %71 = arith.constant 64 : i32
        %72 = arith.muli %part, %71 : i32
        %73 = arith.addi %off_m, %72 : i32
        warps.copy_out %69 to %out_desc[%1, %tile_h, %73, %1] : !warps.view<vector<1x1x64x64xf16>>, !kernel.descriptor<vector<1x1x64x64xf16>>
        warps.store_wait 0
      }
      warps.partition "compute_1" warps 4 registers 240 part 1 {
        %part_1 = warps.part
        %tile_h_1 = kernel.program_id 1
        %tile_m_1 = kernel.program_id 0
        %74 = kernel.constexpr "BLOCK_M" = 128 : i32
        %off_m_1 = arith.muli %tile_m_1, %74 : i32
        %75 = arith.constant 0 : i32
        %76 = arith.constant 0 : i32
        warps.wait %q_full[%part_1] parity %76 : !warps.barriers<2>
        %77 = arith.constant 1 : i32
        warps.wait %k_full[%76] parity %76 : !warps.barriers<2>
        %78 = warps.slot %q_ring[%part_1] : !warps.ring<2 x vector<1x1x64x64xf16>> to !warps.view<vector<1x1x64x64xf16>>
        %79 = warps.reshape %78 : !warps.view<vector<1x1x64x64xf16>> to !warps.view<vector<64x64xf16>>
        %80 = warps.slot %k_ring[%76] : !warps.ring<2 x vector<1x1x64x64xf16>> to !warps.view<vector<1x1x64x64xf16>>
        %81 = warps.reshape %80 : !warps.view<vector<1x1x64x64xf16>> to !warps.view<vector<64x64xf16>>
        %82 = warps.transpose %81 [1, 0] : !warps.view<vector<64x64xf16>> to !warps.view<vector<64x64xf16>>
        %product_5 = warps.dot %79, %82 : !warps.view<vector<64x64xf16>>, !warps.view<vector<64x64xf16>> to vector<64x64xf32>
        %product_6 = warps.dot_wait 0, %product_5 : vector<64x64xf32> to vector<64x64xf32>
        warps.arrive %k_empty[%76] : !warps.barriers<2>
        %largest_3 = kernel.reduce %product_6 <maxnumf> axis 1 : vector<64x64xf32> to vector<64xf32>
        %83 = arith.constant dense<0xFF800000> : vector<64xf32>
        %84 = kernel.full 0xFF800000 : f32 [""] layout #warps.slice<1, #warps.mma<64>> : vector<64xf32>
        %85 = arith.maxnumf %84, %largest_3 : vector<64xf32>
        %86 = arith.constant dense<0.180336878> : vector<64xf32>
        %87 = arith.mulf %85, %86 : vector<64xf32>
        %88 = kernel.expand_dims %87 axis 1 : vector<64xf32> to vector<64x1xf32>
        %89 = vector.broadcast %88 : vector<64x1xf32> to vector<64x64xf32>
        %90 = arith.constant dense<0.180336878> : vector<64x64xf32>
        %91 = arith.mulf %product_6, %90 : vector<64x64xf32>
        %92 = arith.subf %91, %89 : vector<64x64xf32>
        %exponential_2 = math.exp2 %92 : vector<64x64xf32>
        %93 = arith.subf %83, %87 : vector<64xf32>
        %factor_2 = math.exp2 %93 : vector<64xf32>
        %94 = arith.constant dense<0.000000e+00> : vector<64xf32>
        %95 = arith.mulf %factor_2, %94 : vector<64xf32>
        %total_3 = kernel.reduce %exponential_2 <add> axis 1 : vector<64x64xf32> to vector<64xf32>
        %96 = arith.addf %95, %total_3 : vector<64xf32>
        %softmax_6 = kernel.cast %exponential_2 : vector<64x64xf32> to vector<64x64xf16>
        %97 = kernel.expand_dims %factor_2 axis 1 : vector<64xf32> to vector<64x1xf32>
        %98 = vector.broadcast %97 : vector<64x1xf32> to vector<64x64xf32>
        %99 = arith.constant dense<0.000000e+00> : vector<64x64xf32>
        %100 = kernel.full 0.000000e+00 : f32 ["", ""] layout #warps.mma<64> : vector<64x64xf32>
        %101 = arith.mulf %98, %100 : vector<64x64xf32>
        %102 = arith.constant 64 : i32
        %103 = kernel.constexpr "N" = 256 : i32
        %104 = kernel.constexpr "BLOCK_N" = 64 : i32
        %105, %106, %107, %108, %count_6, %count_7 = scf.for %n_1 = %102 to %103 step %104 iter_args(%largest_4 = %85, %total_4 = %96, %softmax_7 = %softmax_6, %acc_5 = %101, %count_8 = %77, %count_9 = %76) -> (vector<64xf32>, vector<64xf32>, vector<64x64xf16>, vector<64x64xf32>, i32, i32) : i32 {
          %109 = arith.constant 2 : i32
          %slot_3 = arith.remsi %count_8, %109 : i32
          %110 = arith.constant 1 : i32
          %111 = arith.divsi %count_8, %109 : i32
          %phase_3 = arith.andi %111, %110 : i32
          warps.wait %k_full[%slot_3] parity %phase_3 : !warps.barriers<2>
          %count_10 = arith.addi %count_8, %110 : i32
          %112 = warps.slot %q_ring[%part_1] : !warps.ring<2 x vector<1x1x64x64xf16>> to !warps.view<vector<1x1x64x64xf16>>
          %113 = warps.reshape %112 : !warps.view<vector<1x1x64x64xf16>> to !warps.view<vector<64x64xf16>>
          %114 = warps.slot %k_ring[%slot_3] : !warps.ring<2 x vector<1x1x64x64xf16>> to !warps.view<vector<1x1x64x64xf16>>
          %115 = warps.reshape %114 : !warps.view<vector<1x1x64x64xf16>> to !warps.view<vector<64x64xf16>>
          %116 = warps.transpose %115 [1, 0] : !warps.view<vector<64x64xf16>> to !warps.view<vector<64x64xf16>>
          %product_7 = warps.dot %113, %116 : !warps.view<vector<64x64xf16>>, !warps.view<vector<64x64xf16>> to vector<64x64xf32>
          %slot_4 = arith.remsi %count_9, %109 : i32
          %117 = arith.divsi %count_9, %109 : i32
          %phase_4 = arith.andi %117, %110 : i32
          warps.wait %v_full[%slot_4] parity %phase_4 : !warps.barriers<2>
          %count_11 = arith.addi %count_9, %110 : i32
          %118 = warps.slot %v_ring[%slot_4] : !warps.ring<2 x vector<1x1x64x64xf16>> to !warps.view<vector<1x1x64x64xf16>>
          %119 = warps.reshape %118 : !warps.view<vector<1x1x64x64xf16>> to !warps.view<vector<64x64xf16>>
          %softmax_8 = warps.convert %softmax_7 to #warps.operand<#warps.mma<64>> : vector<64x64xf16>
          %acc_6 = warps.dot %softmax_8, %119, %acc_5 : vector<64x64xf32> : vector<64x64xf16>, !warps.view<vector<64x64xf16>> to vector<64x64xf32>
          %product_8 = warps.dot_wait 1, %product_7 : vector<64x64xf32> to vector<64x64xf32>
          warps.arrive %k_empty[%slot_3] : !warps.barriers<2>
          %largest_5 = kernel.reduce %product_8 <maxnumf> axis 1 : vector<64x64xf32> to vector<64xf32>
          %120 = arith.maxnumf %largest_4, %largest_5 : vector<64xf32>
          %121 = arith.mulf %120, %86 : vector<64xf32>
          %122 = kernel.expand_dims %121 axis 1 : vector<64xf32> to vector<64x1xf32>
          %123 = vector.broadcast %122 : vector<64x1xf32> to vector<64x64xf32>
          %124 = arith.mulf %product_8, %90 : vector<64x64xf32>
          %125 = arith.subf %124, %123 : vector<64x64xf32>
          %exponential_3 = math.exp2 %125 : vector<64x64xf32>
          %126 = arith.mulf %largest_4, %86 : vector<64xf32>
          %127 = arith.subf %126, %121 : vector<64xf32>
          %factor_3 = math.exp2 %127 : vector<64xf32>
          %128 = arith.mulf %total_4, %factor_3 : vector<64xf32>
          %total_5 = kernel.reduce %exponential_3 <add> axis 1 : vector<64x64xf32> to vector<64xf32>
          %129 = arith.addf %128, %total_5 : vector<64xf32>
          %softmax_9 = kernel.cast %exponential_3 : vector<64x64xf32> to vector<64x64xf16>
          %130 = kernel.expand_dims %factor_3 axis 1 : vector<64xf32> to vector<64x1xf32>
          %131 = vector.broadcast %130 : vector<64x1xf32> to vector<64x64xf32>
          %acc_7, %softmax_10, %132, %133, %softmax_11 = warps.dot_wait 0, %acc_6, %softmax_8, %120, %129, %softmax_9 : vector<64x64xf32>, vector<64x64xf16>, vector<64xf32>, vector<64xf32>, vector<64x64xf16> to vector<64x64xf32>, vector<64x64xf16>, vector<64xf32>, vector<64xf32>, vector<64x64xf16>
          warps.arrive %v_empty[%slot_4] : !warps.barriers<2>
          %134 = arith.mulf %acc_7, %131 : vector<64x64xf32>
          scf.yield %132, %133, %softmax_11, %134, %count_10, %count_11 : vector<64xf32>, vector<64xf32>, vector<64x64xf16>, vector<64x64xf32>, i32, i32
        }
        warps.arrive %q_empty[%part_1] : !warps.barriers<2>
        %135 = arith.constant 2 : i32
        %slot_5 = arith.remsi %count_7, %135 : i32
        %136 = arith.divsi %count_7, %135 : i32
        %phase_5 = arith.andi %136, %77 : i32
        warps.wait %v_full[%slot_5] parity %phase_5 : !warps.barriers<2>
        %137 = warps.slot %v_ring[%slot_5] : !warps.ring<2 x vector<1x1x64x64xf16>> to !warps.view<vector<1x1x64x64xf16>>
        %138 = warps.reshape %137 : !warps.view<vector<1x1x64x64xf16>> to !warps.view<vector<64x64xf16>>
        %139 = warps.convert %107 to #warps.operand<#warps.mma<64>> : vector<64x64xf16>
        %acc_8 = warps.dot %139, %138, %108 : vector<64x64xf32> : vector<64x64xf16>, !warps.view<vector<64x64xf16>> to vector<64x64xf32>
        %140 = kernel.expand_dims %106 axis 1 : vector<64xf32> to vector<64x1xf32>
        %141 = vector.broadcast %140 : vector<64x1xf32> to vector<64x64xf32>
        %acc_9, %142 = warps.dot_wait 0, %acc_8, %139 : vector<64x64xf32>, vector<64x64xf16> to vector<64x64xf32>, vector<64x64xf16>
        warps.arrive %v_empty[%slot_5] : !warps.barriers<2>
        %product_9 = arith.divf %acc_9, %141 : vector<64x64xf32>
        %cast_1 = kernel.cast %product_9 : vector<64x64xf32> to vector<64x64xf16>
        %143 = warps.slot %out_ring[%part_1] : !warps.ring<2 x vector<1x1x64x64xf16>> to !warps.view<vector<1x1x64x64xf16>>
        %144 = warps.reshape %143 : !warps.view<vector<1x1x64x64xf16>> to !warps.view<vector<64x64xf16>>
        warps.store_wait 0
        warps.sync
        warps.write %cast_1 to %144 : vector<64x64xf16>, !warps.view<vector<64x64xf16>>
        warps.fence
        warps.sync
        %145 = arith.constant 64 : i32
        %146 = arith.muli %part_1, %145 : i32
        %147 = arith.addi %off_m_1, %146 : i32
        warps.copy_out %143 to %out_desc[%75, %tile_h_1, %147, %75] : !warps.view<vector<1x1x64x64xf16>>, !kernel.descriptor<vector<1x1x64x64xf16>>
        warps.store_wait 0
      }
      warps.partition "load" warps 1 registers 24 {
        %tile_h_2 = kernel.program_id 1
        %tile_m_2 = kernel.program_id 0
        %148 = kernel.constexpr "BLOCK_M" = 128 : i32
        %off_m_2 = arith.muli %tile_m_2, %148 : i32
        %149 = arith.constant 192 : i32
        %150 = arith.constant 0 : i32
        %151 = arith.constant 0 : i32
        %152 = arith.constant 1 : i32
        warps.wait %q_empty[%151] parity %152 : !warps.barriers<2>
        warps.expect %q_full[%151] bytes 8192 : !warps.barriers<2>
        %153 = warps.slot %q_ring[%151] : !warps.ring<2 x vector<1x1x64x64xf16>> to !warps.view<vector<1x1x64x64xf16>>
        warps.copy_in %q_desc[%150, %tile_h_2, %off_m_2, %150] to %153 then %q_full[%151] : !kernel.descriptor<vector<1x1x64x64xf16>>, !warps.view<vector<1x1x64x64xf16>>, !warps.barriers<2>
        warps.wait %q_empty[%152] parity %152 : !warps.barriers<2>
        warps.expect %q_full[%152] bytes 8192 : !warps.barriers<2>
        %154 = warps.slot %q_ring[%152] : !warps.ring<2 x vector<1x1x64x64xf16>> to !warps.view<vector<1x1x64x64xf16>>
        %155 = arith.constant 64 : i32
        %156 = arith.addi %off_m_2, %155 : i32
        warps.copy_in %q_desc[%150, %tile_h_2, %156, %150] to %154 then %q_full[%152] : !kernel.descriptor<vector<1x1x64x64xf16>>, !warps.view<vector<1x1x64x64xf16>>, !warps.barriers<2>
        warps.wait %k_empty[%151] parity %152 : !warps.barriers<2>
        warps.expect %k_full[%151] bytes 8192 : !warps.barriers<2>
        %157 = warps.slot %k_ring[%151] : !warps.ring<2 x vector<1x1x64x64xf16>> to !warps.view<vector<1x1x64x64xf16>>
        warps.copy_in %k_desc[%150, %tile_h_2, %150, %150] to %157 then %k_full[%151] : !kernel.descriptor<vector<1x1x64x64xf16>>, !warps.view<vector<1x1x64x64xf16>>, !warps.barriers<2>
        %158 = arith.constant 64 : i32
        %159 = kernel.constexpr "N" = 256 : i32
        %160 = kernel.constexpr "BLOCK_N" = 64 : i32
        %count_12, %count_13 = scf.for %n_2 = %158 to %159 step %160 iter_args(%count_14 = %152, %count_15 = %151) -> (i32, i32) : i32 {
          %161 = arith.constant 2 : i32
          %slot_6 = arith.remsi %count_14, %161 : i32
          %162 = arith.constant 1 : i32
          %163 = arith.divsi %count_14, %161 : i32
          %phase_6 = arith.andi %163, %162 : i32
          %164 = arith.xori %phase_6, %162 : i32
          warps.wait %k_empty[%slot_6] parity %164 : !warps.barriers<2>
          warps.expect %k_full[%slot_6] bytes 8192 : !warps.barriers<2>
          %165 = warps.slot %k_ring[%slot_6] : !warps.ring<2 x vector<1x1x64x64xf16>> to !warps.view<vector<1x1x64x64xf16>>
          warps.copy_in %k_desc[%150, %tile_h_2, %n_2, %150] to %165 then %k_full[%slot_6] : !kernel.descriptor<vector<1x1x64x64xf16>>, !warps.view<vector<1x1x64x64xf16>>, !warps.barriers<2>
          %count_16 = arith.addi %count_14, %162 : i32
          %off_n = arith.subi %n_2, %158 : i32
          %slot_7 = arith.remsi %count_15, %161 : i32
          %166 = arith.divsi %count_15, %161 : i32
          %phase_7 = arith.andi %166, %162 : i32
          %167 = arith.xori %phase_7, %162 : i32
          warps.wait %v_empty[%slot_7] parity %167 : !warps.barriers<2>
          warps.expect %v_full[%slot_7] bytes 8192 : !warps.barriers<2>
          %168 = warps.slot %v_ring[%slot_7] : !warps.ring<2 x vector<1x1x64x64xf16>> to !warps.view<vector<1x1x64x64xf16>>
          warps.copy_in %v_desc[%150, %tile_h_2, %off_n, %150] to %168 then %v_full[%slot_7] : !kernel.descriptor<vector<1x1x64x64xf16>>, !warps.view<vector<1x1x64x64xf16>>, !warps.barriers<2>
          %count_17 = arith.addi %count_15, %162 : i32
          scf.yield %count_16, %count_17 : i32, i32
        }
        %169 = arith.constant 2 : i32
        %slot_8 = arith.remsi %count_13, %169 : i32
        %170 = arith.divsi %count_13, %169 : i32
        %phase_8 = arith.andi %170, %152 : i32
        %171 = arith.xori %phase_8, %152 : i32
        warps.wait %v_empty[%slot_8] parity %171 : !warps.barriers<2>
        warps.expect %v_full[%slot_8] bytes 8192 : !warps.barriers<2>
        %172 = warps.slot %v_ring[%slot_8] : !warps.ring<2 x vector<1x1x64x64xf16>> to !warps.view<vector<1x1x64x64xf16>>
        warps.copy_in %v_desc[%150, %tile_h_2, %149, %150] to %172 then %v_full[%slot_8] : !kernel.descriptor<vector<1x1x64x64xf16>>, !warps.view<vector<1x1x64x64xf16>>, !warps.barriers<2>
      }
    }
    kernel.return
  }
  func.func @attention(%q: memref<1x2x256x64xf16>, %k: memref<1x2x256x64xf16>, %v: memref<1x2x256x64xf16>) -> memref<1x2x256x64xf16> {
    %out = memref.alloc() {alignment = 64 : i64} : memref<1x2x256x64xf16>
    kernel.launch @attention_kernel(%q, %k, %v, %out) grid [2, 2, 1] warps 4 stages 2 : memref<1x2x256x64xf16>, memref<1x2x256x64xf16>, memref<1x2x256x64xf16>, memref<1x2x256x64xf16>
    func.return %out : memref<1x2x256x64xf16>
  }
}
