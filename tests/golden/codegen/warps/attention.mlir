builtin.module {
  kernel.func @attention_kernel(%q_desc: !kernel.descriptor<vector<1x1x64x64xf16>>, %k_desc: !kernel.descriptor<vector<1x1x64x64xf16>>, %v_desc: !kernel.descriptor<vector<1x1x64x64xf16>>, %out_desc: !kernel.descriptor<vector<1x1x64x64xf16>>) constants {N = 256 : i64, BLOCK_M = 128 : i64, BLOCK_N = 64 : i64, BLOCK_L = 64 : i64} tiles [1, 2, 2] group 1 {
    %q_ring = warps.ring : !warps.ring<2 x vector<1x1x64x64xf16>>
    %q_full = warps.barriers arrivals 1 : !warps.barriers<1>
    %q_empty = warps.barriers arrivals 2 : !warps.barriers<1>
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
        %2 = arith.constant dense<0.180336878> : vector<64xf32>
        %3 = arith.constant dense<0.180336878> : vector<64x64xf32>
        %4 = kernel.constexpr "N" = 256 : i32
        %5 = kernel.constexpr "BLOCK_N" = 64 : i32
        %6 = kernel.full 0xFF800000 : f32 [""] layout #warps.slice<1, #warps.mma<64>> : vector<64xf32>
        %7 = kernel.full 0.000000e+00 : f32 [""] layout #warps.slice<1, #warps.mma<64>> : vector<64xf32>
        %8 = kernel.full 0.000000e+00 : f32 ["", "BLOCK_L"] layout #warps.mma<64> : vector<64x64xf32>
        %9 = arith.constant 0 : i32
        warps.wait %q_full[%9] parity %9 : !warps.barriers<1>
        %10, %11, %12, %count, %count_1 = scf.for %n = %1 to %4 step %5 iter_args(%largest = %6, %total = %7, %acc = %8, %count_2 = %9, %count_3 = %9) -> (vector<64xf32>, vector<64xf32>, vector<64x64xf32>, i32, i32) : i32 {
          %13 = arith.constant 2 : i32
          %slot = arith.remsi %count_2, %13 : i32
          %14 = arith.constant 1 : i32
          %15 = arith.divsi %count_2, %13 : i32
          %phase = arith.andi %15, %14 : i32
          warps.wait %k_full[%slot] parity %phase : !warps.barriers<2>
          %16 = warps.slot %q_ring[%part] : !warps.ring<2 x vector<1x1x64x64xf16>> to !warps.view<vector<1x1x64x64xf16>>
          %17 = warps.reshape %16 : !warps.view<vector<1x1x64x64xf16>> to !warps.view<vector<64x64xf16>>
          %18 = warps.slot %k_ring[%slot] : !warps.ring<2 x vector<1x1x64x64xf16>> to !warps.view<vector<1x1x64x64xf16>>
          %19 = warps.reshape %18 : !warps.view<vector<1x1x64x64xf16>> to !warps.view<vector<64x64xf16>>
          %20 = warps.transpose %19 [1, 0] : !warps.view<vector<64x64xf16>> to !warps.view<vector<64x64xf16>>
          %product = warps.dot %17, %20 : !warps.view<vector<64x64xf16>>, !warps.view<vector<64x64xf16>> to vector<64x64xf32>
          %product_1 = warps.dot_wait 0, %product : vector<64x64xf32> to vector<64x64xf32>
          warps.arrive %k_empty[%slot] : !warps.barriers<2>
          %count_4 = arith.addi %count_2, %14 : i32
          %largest_1 = kernel.reduce %product_1 <maxnumf> axis 1 : vector<64x64xf32> to vector<64xf32>
          %21 = arith.maxnumf %largest, %largest_1 : vector<64xf32>
          %22 = arith.mulf %21, %2 : vector<64xf32>
          %23 = kernel.expand_dims %22 axis 1 : vector<64xf32> to vector<64x1xf32>
          %24 = vector.broadcast %23 : vector<64x1xf32> to vector<64x64xf32>
          %25 = arith.mulf %product_1, %3 : vector<64x64xf32>
          %26 = arith.subf %25, %24 : vector<64x64xf32>
          %exponential = math.exp2 %26 : vector<64x64xf32>
          %27 = arith.mulf %largest, %2 : vector<64xf32>
          %28 = arith.subf %27, %22 : vector<64xf32>
          %factor = math.exp2 %28 : vector<64xf32>
          %29 = arith.mulf %total, %factor : vector<64xf32>
          %total_1 = kernel.reduce %exponential <add> axis 1 : vector<64x64xf32> to vector<64xf32>
          %30 = arith.addf %29, %total_1 : vector<64xf32>
          %softmax = kernel.cast %exponential : vector<64x64xf32> to vector<64x64xf16>
          %31 = kernel.expand_dims %factor axis 1 : vector<64xf32> to vector<64x1xf32>
          %32 = vector.broadcast %31 : vector<64x1xf32> to vector<64x64xf32>
          %33 = arith.mulf %acc, %32 : vector<64x64xf32>
          %slot_1 = arith.remsi %count_3, %13 : i32
          %34 = arith.divsi %count_3, %13 : i32
          %phase_1 = arith.andi %34, %14 : i32
          warps.wait %v_full[%slot_1] parity %phase_1 : !warps.barriers<2>
          %35 = warps.slot %v_ring[%slot_1] : !warps.ring<2 x vector<1x1x64x64xf16>> to !warps.view<vector<1x1x64x64xf16>>
          %36 = warps.reshape %35 : !warps.view<vector<1x1x64x64xf16>> to !warps.view<vector<64x64xf16>>
          %softmax_1 = warps.convert %softmax to #warps.operand<#warps.mma<64>> : vector<64x64xf16>
          %acc_1 = warps.dot %softmax_1, %36, %33 : vector<64x64xf32> : vector<64x64xf16>, !warps.view<vector<64x64xf16>> to vector<64x64xf32>
          %acc_2, %softmax_2 = warps.dot_wait 0, %acc_1, %softmax_1 : vector<64x64xf32>, vector<64x64xf16> to vector<64x64xf32>, vector<64x64xf16>
          warps.arrive %v_empty[%slot_1] : !warps.barriers<2>
          %count_5 = arith.addi %count_3, %14 : i32
          scf.yield %21, %30, %acc_2, %count_4, %count_5 : vector<64xf32>, vector<64xf32>, vector<64x64xf32>, i32, i32
        }
        warps.arrive %q_empty[%9] : !warps.barriers<1>
        %37 = kernel.expand_dims %11 axis 1 : vector<64xf32> to vector<64x1xf32>
        %38 = vector.broadcast %37 : vector<64x1xf32> to vector<64x64xf32>
        %product_2 = arith.divf %12, %38 : vector<64x64xf32>
        %cast = kernel.cast %product_2 : vector<64x64xf32> to vector<64x64xf16>
        %39 = warps.slot %out_ring[%part] : !warps.ring<2 x vector<1x1x64x64xf16>> to !warps.view<vector<1x1x64x64xf16>>
        %40 = warps.reshape %39 : !warps.view<vector<1x1x64x64xf16>> to !warps.view<vector<64x64xf16>>
        warps.store_wait 0
        warps.sync
        warps.write %cast to %40 : vector<64x64xf16>, !warps.view<vector<64x64xf16>>
        warps.fence
        warps.sync
        %41 = arith.constant 64 : i32
        %42 = arith.muli %part, %41 : i32
        %43 = arith.addi %off_m, %42 : i32
        warps.copy_out %39 to %out_desc[%1, %tile_h, %43, %1] : !warps.view<vector<1x1x64x64xf16>>, !kernel.descriptor<vector<1x1x64x64xf16>>
        warps.store_wait 0
      }
      warps.partition "compute_1" warps 4 registers 240 part 1 {
        %part_1 = warps.part
        %tile_h_1 = kernel.program_id 1
        %tile_m_1 = kernel.program_id 0
        %44 = kernel.constexpr "BLOCK_M" = 128 : i32
        %off_m_1 = arith.muli %tile_m_1, %44 : i32
        %45 = arith.constant 0 : i32
        %46 = arith.constant dense<0.180336878> : vector<64xf32>
        %47 = arith.constant dense<0.180336878> : vector<64x64xf32>
        %48 = kernel.constexpr "N" = 256 : i32
        %49 = kernel.constexpr "BLOCK_N" = 64 : i32
        %50 = kernel.full 0xFF800000 : f32 [""] layout #warps.slice<1, #warps.mma<64>> : vector<64xf32>
        %51 = kernel.full 0.000000e+00 : f32 [""] layout #warps.slice<1, #warps.mma<64>> : vector<64xf32>
        %52 = kernel.full 0.000000e+00 : f32 ["", "BLOCK_L"] layout #warps.mma<64> : vector<64x64xf32>
        %53 = arith.constant 0 : i32
        warps.wait %q_full[%53] parity %53 : !warps.barriers<1>
        %54, %55, %56, %count_6, %count_7 = scf.for %n_1 = %45 to %48 step %49 iter_args(%largest_2 = %50, %total_2 = %51, %acc_3 = %52, %count_8 = %53, %count_9 = %53) -> (vector<64xf32>, vector<64xf32>, vector<64x64xf32>, i32, i32) : i32 {
          %57 = arith.constant 2 : i32
          %slot_2 = arith.remsi %count_8, %57 : i32
          %58 = arith.constant 1 : i32
          %59 = arith.divsi %count_8, %57 : i32
          %phase_2 = arith.andi %59, %58 : i32
          warps.wait %k_full[%slot_2] parity %phase_2 : !warps.barriers<2>
          %60 = warps.slot %q_ring[%part_1] : !warps.ring<2 x vector<1x1x64x64xf16>> to !warps.view<vector<1x1x64x64xf16>>
          %61 = warps.reshape %60 : !warps.view<vector<1x1x64x64xf16>> to !warps.view<vector<64x64xf16>>
          %62 = warps.slot %k_ring[%slot_2] : !warps.ring<2 x vector<1x1x64x64xf16>> to !warps.view<vector<1x1x64x64xf16>>
          %63 = warps.reshape %62 : !warps.view<vector<1x1x64x64xf16>> to !warps.view<vector<64x64xf16>>
          %64 = warps.transpose %63 [1, 0] : !warps.view<vector<64x64xf16>> to !warps.view<vector<64x64xf16>>
          %product_3 = warps.dot %61, %64 : !warps.view<vector<64x64xf16>>, !warps.view<vector<64x64xf16>> to vector<64x64xf32>
          %product_4 = warps.dot_wait 0, %product_3 : vector<64x64xf32> to vector<64x64xf32>
          warps.arrive %k_empty[%slot_2] : !warps.barriers<2>
          %count_10 = arith.addi %count_8, %58 : i32
          %largest_3 = kernel.reduce %product_4 <maxnumf> axis 1 : vector<64x64xf32> to vector<64xf32>
          %65 = arith.maxnumf %largest_2, %largest_3 : vector<64xf32>
          %66 = arith.mulf %65, %46 : vector<64xf32>
          %67 = kernel.expand_dims %66 axis 1 : vector<64xf32> to vector<64x1xf32>
          %68 = vector.broadcast %67 : vector<64x1xf32> to vector<64x64xf32>
          %69 = arith.mulf %product_4, %47 : vector<64x64xf32>
          %70 = arith.subf %69, %68 : vector<64x64xf32>
          %exponential_1 = math.exp2 %70 : vector<64x64xf32>
          %71 = arith.mulf %largest_2, %46 : vector<64xf32>
          %72 = arith.subf %71, %66 : vector<64xf32>
          %factor_1 = math.exp2 %72 : vector<64xf32>
          %73 = arith.mulf %total_2, %factor_1 : vector<64xf32>
          %total_3 = kernel.reduce %exponential_1 <add> axis 1 : vector<64x64xf32> to vector<64xf32>
          %74 = arith.addf %73, %total_3 : vector<64xf32>
          %softmax_3 = kernel.cast %exponential_1 : vector<64x64xf32> to vector<64x64xf16>
          %75 = kernel.expand_dims %factor_1 axis 1 : vector<64xf32> to vector<64x1xf32>
          %76 = vector.broadcast %75 : vector<64x1xf32> to vector<64x64xf32>
          %77 = arith.mulf %acc_3, %76 : vector<64x64xf32>
          %slot_3 = arith.remsi %count_9, %57 : i32
          %78 = arith.divsi %count_9, %57 : i32
          %phase_3 = arith.andi %78, %58 : i32
          warps.wait %v_full[%slot_3] parity %phase_3 : !warps.barriers<2>
          %79 = warps.slot %v_ring[%slot_3] : !warps.ring<2 x vector<1x1x64x64xf16>> to !warps.view<vector<1x1x64x64xf16>>
          %80 = warps.reshape %79 : !warps.view<vector<1x1x64x64xf16>> to !warps.view<vector<64x64xf16>>
          %softmax_4 = warps.convert %softmax_3 to #warps.operand<#warps.mma<64>> : vector<64x64xf16>
          %acc_4 = warps.dot %softmax_4, %80, %77 : vector<64x64xf32> : vector<64x64xf16>, !warps.view<vector<64x64xf16>> to vector<64x64xf32>
          %acc_5, %softmax_5 = warps.dot_wait 0, %acc_4, %softmax_4 : vector<64x64xf32>, vector<64x64xf16> to vector<64x64xf32>, vector<64x64xf16>
          warps.arrive %v_empty[%slot_3] : !warps.barriers<2>
          %count_11 = arith.addi %count_9, %58 : i32
          scf.yield %65, %74, %acc_5, %count_10, %count_11 : vector<64xf32>, vector<64xf32>, vector<64x64xf32>, i32, i32
        }
        warps.arrive %q_empty[%53] : !warps.barriers<1>
        %81 = kernel.expand_dims %55 axis 1 : vector<64xf32> to vector<64x1xf32>
        %82 = vector.broadcast %81 : vector<64x1xf32> to vector<64x64xf32>
        %product_5 = arith.divf %56, %82 : vector<64x64xf32>
        %cast_1 = kernel.cast %product_5 : vector<64x64xf32> to vector<64x64xf16>
        %83 = warps.slot %out_ring[%part_1] : !warps.ring<2 x vector<1x1x64x64xf16>> to !warps.view<vector<1x1x64x64xf16>>
        %84 = warps.reshape %83 : !warps.view<vector<1x1x64x64xf16>> to !warps.view<vector<64x64xf16>>
        warps.store_wait 0
        warps.sync
        warps.write %cast_1 to %84 : vector<64x64xf16>, !warps.view<vector<64x64xf16>>
        warps.fence
        warps.sync
        %85 = arith.constant 64 : i32
        %86 = arith.muli %part_1, %85 : i32
        %87 = arith.addi %off_m_1, %86 : i32
        warps.copy_out %83 to %out_desc[%45, %tile_h_1, %87, %45] : !warps.view<vector<1x1x64x64xf16>>, !kernel.descriptor<vector<1x1x64x64xf16>>
        warps.store_wait 0
      }
      warps.partition "load" warps 1 registers 24 {
        %tile_h_2 = kernel.program_id 1
        %tile_m_2 = kernel.program_id 0
        %88 = kernel.constexpr "BLOCK_M" = 128 : i32
        %off_m_2 = arith.muli %tile_m_2, %88 : i32
        %89 = arith.constant 0 : i32
        %90 = arith.constant 0 : i32
        %91 = arith.constant 1 : i32
        warps.wait %q_empty[%90] parity %91 : !warps.barriers<1>
        warps.expect %q_full[%90] bytes 16384 : !warps.barriers<1>
        %92 = warps.slot %q_ring[%90] : !warps.ring<2 x vector<1x1x64x64xf16>> to !warps.view<vector<1x1x64x64xf16>>
        warps.copy_in %q_desc[%89, %tile_h_2, %off_m_2, %89] to %92 then %q_full[%90] : !kernel.descriptor<vector<1x1x64x64xf16>>, !warps.view<vector<1x1x64x64xf16>>, !warps.barriers<1>
        %93 = warps.slot %q_ring[%91] : !warps.ring<2 x vector<1x1x64x64xf16>> to !warps.view<vector<1x1x64x64xf16>>
        %94 = arith.constant 64 : i32
        %95 = arith.addi %off_m_2, %94 : i32
        warps.copy_in %q_desc[%89, %tile_h_2, %95, %89] to %93 then %q_full[%90] : !kernel.descriptor<vector<1x1x64x64xf16>>, !warps.view<vector<1x1x64x64xf16>>, !warps.barriers<1>
        %96 = kernel.constexpr "N" = 256 : i32
        %97 = kernel.constexpr "BLOCK_N" = 64 : i32
        %count_12, %count_13 = scf.for %n_2 = %89 to %96 step %97 iter_args(%count_14 = %90, %count_15 = %90) -> (i32, i32) : i32 {
          %98 = arith.constant 2 : i32
          %slot_4 = arith.remsi %count_14, %98 : i32
          %99 = arith.constant 1 : i32
          %100 = arith.divsi %count_14, %98 : i32
          %phase_4 = arith.andi %100, %99 : i32
          %101 = arith.xori %phase_4, %99 : i32
          warps.wait %k_empty[%slot_4] parity %101 : !warps.barriers<2>
          warps.expect %k_full[%slot_4] bytes 8192 : !warps.barriers<2>
          %102 = warps.slot %k_ring[%slot_4] : !warps.ring<2 x vector<1x1x64x64xf16>> to !warps.view<vector<1x1x64x64xf16>>
          warps.copy_in %k_desc[%89, %tile_h_2, %n_2, %89] to %102 then %k_full[%slot_4] : !kernel.descriptor<vector<1x1x64x64xf16>>, !warps.view<vector<1x1x64x64xf16>>, !warps.barriers<2>
          %count_16 = arith.addi %count_14, %99 : i32
          %slot_5 = arith.remsi %count_15, %98 : i32
          %103 = arith.divsi %count_15, %98 : i32
          %phase_5 = arith.andi %103, %99 : i32
          %104 = arith.xori %phase_5, %99 : i32
          warps.wait %v_empty[%slot_5] parity %104 : !warps.barriers<2>
          warps.expect %v_full[%slot_5] bytes 8192 : !warps.barriers<2>
          %105 = warps.slot %v_ring[%slot_5] : !warps.ring<2 x vector<1x1x64x64xf16>> to !warps.view<vector<1x1x64x64xf16>>
          warps.copy_in %v_desc[%89, %tile_h_2, %n_2, %89] to %105 then %v_full[%slot_5] : !kernel.descriptor<vector<1x1x64x64xf16>>, !warps.view<vector<1x1x64x64xf16>>, !warps.barriers<2>
          %count_17 = arith.addi %count_15, %99 : i32
          scf.yield %count_16, %count_17 : i32, i32
        }
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
