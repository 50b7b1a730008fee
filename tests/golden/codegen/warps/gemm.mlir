builtin.module {
  kernel.func @product_kernel(%a_desc: !kernel.descriptor<vector<64x32xf16>>, %b_desc: !kernel.descriptor<vector<32x64xf16>>, %out_desc: !kernel.descriptor<vector<64x64xf16>>) constants {K = 96 : i64, BLOCK_M = 128 : i64, BLOCK_N = 64 : i64, BLOCK_K = 32 : i64, TILES_M = 2 : i64, TILES_N = 2 : i64, GROUP_M = 2 : i64} tiles [2, 2] group 2 {
    %a_ring = warps.ring : !warps.ring<4 x vector<64x32xf16>>
    %b_ring = warps.ring : !warps.ring<2 x vector<32x64xf16>>
    %a_b_full = warps.barriers arrivals 1 : !warps.barriers<2>
    %a_b_empty = warps.barriers arrivals 2 : !warps.barriers<2>
    %out_ring = warps.ring : !warps.ring<2 x vector<64x64xf16>>
    warps.specialize {
      warps.partition "compute_0" warps 4 registers 240 part 0 {
        %part = warps.part
        %pid = kernel.program_id 0
        %0 = kernel.constexpr "TILES_M" = 2 : i32
        %1 = kernel.constexpr "TILES_N" = 2 : i32
        %2 = kernel.constexpr "GROUP_M" = 2 : i32
        %tile_m, %tile_n = kernel.grouped_tile %pid of %0 by %1 group %2 : i32
        %3 = kernel.constexpr "BLOCK_M" = 128 : i32
        %off_m = arith.muli %tile_m, %3 : i32
        %4 = kernel.constexpr "BLOCK_N" = 64 : i32
        %off_n = arith.muli %tile_n, %4 : i32
        %5 = arith.constant 0 : i32
        %6 = kernel.constexpr "K" = 96 : i32
        %7 = kernel.constexpr "BLOCK_K" = 32 : i32
        %8 = kernel.full 0.000000e+00 : f32 ["", "BLOCK_N"] layout #warps.mma<64> : vector<64x64xf32>
        %9 = arith.constant 0 : i32
        %10, %count = scf.for %k = %5 to %6 step %7 iter_args(%acc = %8, %count_1 = %9) -> (vector<64x64xf32>, i32) : i32 {
          %11 = arith.constant 2 : i32
          %slot = arith.remsi %count_1, %11 : i32
          %12 = arith.constant 1 : i32
          %13 = arith.divsi %count_1, %11 : i32
          %phase = arith.andi %13, %12 : i32
          warps.wait %a_b_full[%slot] parity %phase : !warps.barriers<2>
          %count_2 = arith.addi %count_1, %12 : i32
          %14 = arith.muli %slot, %11 : i32
          %15 = arith.addi %14, %part : i32
          %16 = warps.slot %a_ring[%15] : !warps.ring<4 x vector<64x32xf16>> to !warps.view<vector<64x32xf16>>
          %17 = warps.slot %b_ring[%slot] : !warps.ring<2 x vector<32x64xf16>> to !warps.view<vector<32x64xf16>>
          %acc_1 = warps.dot %16, %17, %acc : vector<64x64xf32> : !warps.view<vector<64x32xf16>>, !warps.view<vector<32x64xf16>> to vector<64x64xf32>
          %acc_2 = warps.dot_wait 1, %acc_1 : vector<64x64xf32> to vector<64x64xf32>
          %18 = kernel.compare "gt" %k, %5 : i32 to i1
          %slot_1 = arith.remsi %count_2, %11 : i32
          warps.arrive %a_b_empty[%slot_1] if %18 : !warps.barriers<2>
          scf.yield %acc_2, %count_2 : vector<64x64xf32>, i32
        }
        %19 = warps.dot_wait 0, %10 : vector<64x64xf32> to vector<64x64xf32>
        %20 = arith.constant 1 : i32
        %21 = arith.addi %count, %20 : i32
        %22 = arith.constant 2 : i32
        %slot_2 = arith.remsi %21, %22 : i32
        warps.arrive %a_b_empty[%slot_2] : !warps.barriers<2>
        %x = arith.addf %19, %19 : vector<64x64xf32>
        %out = kernel.cast %x : vector<64x64xf32> to vector<64x64xf16>
        %23 = warps.slot %out_ring[%part] : !warps.ring<2 x vector<64x64xf16>> to !warps.view<vector<64x64xf16>>
        warps.store_wait 0
        warps.sync
        warps.write %out to %23 : vector<64x64xf16>, !warps.view<vector<64x64xf16>>
        warps.fence
        warps.sync
        %24 = arith.constant 64 : i32
        %25 = arith.muli %part, %24 : i32
        %26 = arith.addi %off_m, %25 : i32
        warps.copy_out %23 to %out_desc[%26, %off_n] : !warps.view<vector<64x64xf16>>, !kernel.descriptor<vector<64x64xf16>>
        warps.store_wait 0
      }
      warps.partition "compute_1" warps 4 registers 240 part 1 {
        %part_1 = warps.part
        %pid_1 = kernel.program_id 0
        %27 = kernel.constexpr "TILES_M" = 2 : i32
        %28 = kernel.constexpr "TILES_N" = 2 : i32
        %29 = kernel.constexpr "GROUP_M" = 2 : i32
        %tile_m_1, %tile_n_1 = kernel.grouped_tile %pid_1 of %27 by %28 group %29 : i32
        %30 = kernel.constexpr "BLOCK_M" = 128 : i32
        %off_m_1 = arith.muli %tile_m_1, %30 : i32
        %31 = kernel.constexpr "BLOCK_N" = 64 : i32
        %off_n_1 = arith.muli %tile_n_1, %31 : i32
        %32 = arith.constant 0 : i32
        %33 = kernel.constexpr "K" = 96 : i32
        %34 = kernel.constexpr "BLOCK_K" = 32 : i32
        %35 = kernel.full 0.000000e+00 : f32 ["", "BLOCK_N"] layout #warps.mma<64> : vector<64x64xf32>
        %36 = arith.constant 0 : i32
        %37, %count_3 = scf.for %k_1 = %32 to %33 step %34 iter_args(%acc_3 = %35, %count_4 = %36) -> (vector<64x64xf32>, i32) : i32 {
          %38 = arith.constant 2 : i32
          %slot_3 = arith.remsi %count_4, %38 : i32
          %39 = arith.constant 1 : i32
          %40 = arith.divsi %count_4, %38 : i32
          %phase_1 = arith.andi %40, %39 : i32
          warps.wait %a_b_full[%slot_3] parity %phase_1 : !warps.barriers<2>
          %count_5 = arith.addi %count_4, %39 : i32
          %41 = arith.muli %slot_3, %38 : i32
          %42 = arith.addi %41, %part_1 : i32
          %43 = warps.slot %a_ring[%42] : !warps.ring<4 x vector<64x32xf16>> to !warps.view<vector<64x32xf16>>
          %44 = warps.slot %b_ring[%slot_3] : !warps.ring<2 x vector<32x64xf16>> to !warps.view<vector<32x64xf16>>
          %acc_4 = warps.dot %43, %44, %acc_3 : vector<64x64xf32> : !warps.view<vector<64x32xf16>>, !warps.view<vector<32x64xf16>> to vector<64x64xf32>
          %acc_5 = warps.dot_wait 1, %acc_4 : vector<64x64xf32> to vector<64x64xf32>
          %45 = kernel.compare "gt" %k_1, %32 : i32 to i1
          %slot_4 = arith.remsi %count_5, %38 : i32
          warps.arrive %a_b_empty[%slot_4] if %45 : !warps.barriers<2>
          scf.yield %acc_5, %count_5 : vector<64x64xf32>, i32
        }
        %46 = warps.dot_wait 0, %37 : vector<64x64xf32> to vector<64x64xf32>
        %47 = arith.constant 1 : i32
        %48 = arith.addi %count_3, %47 : i32
        %49 = arith.constant 2 : i32
        %slot_5 = arith.remsi %48, %49 : i32
        warps.arrive %a_b_empty[%slot_5] : !warps.barriers<2>
        %x_1 = arith.addf %46, %46 : vector<64x64xf32>
        %out_1 = kernel.cast %x_1 : vector<64x64xf32> to vector<64x64xf16>
        %50 = warps.slot %out_ring[%part_1] : !warps.ring<2 x vector<64x64xf16>> to !warps.view<vector<64x64xf16>>
        warps.store_wait 0
        warps.sync
        warps.write %out_1 to %50 : vector<64x64xf16>, !warps.view<vector<64x64xf16>>
        warps.fence
        warps.sync
        %51 = arith.constant 64 : i32
        %52 = arith.muli %part_1, %51 : i32
        %53 = arith.addi %off_m_1, %52 : i32
        warps.copy_out %50 to %out_desc[%53, %off_n_1] : !warps.view<vector<64x64xf16>>, !kernel.descriptor<vector<64x64xf16>>
        warps.store_wait 0
      }
      warps.partition "load" warps 1 registers 24 {
        %pid_2 = kernel.program_id 0
        %54 = kernel.constexpr "TILES_M" = 2 : i32
        %55 = kernel.constexpr "TILES_N" = 2 : i32
        %56 = kernel.constexpr "GROUP_M" = 2 : i32
        %tile_m_2, %tile_n_2 = kernel.grouped_tile %pid_2 of %54 by %55 group %56 : i32
        %57 = kernel.constexpr "BLOCK_M" = 128 : i32
        %off_m_2 = arith.muli %tile_m_2, %57 : i32
        %58 = kernel.constexpr "BLOCK_N" = 64 : i32
        %off_n_2 = arith.muli %tile_n_2, %58 : i32
        %59 = arith.constant 0 : i32
        %60 = kernel.constexpr "K" = 96 : i32
        %61 = kernel.constexpr "BLOCK_K" = 32 : i32
        %62 = arith.constant 0 : i32
        %count_6 = scf.for %k_2 = %59 to %60 step %61 iter_args(%count_7 = %62) -> (i32) : i32 {
          %63 = arith.constant 2 : i32
          %slot_6 = arith.remsi %count_7, %63 : i32
          %64 = arith.constant 1 : i32
          %65 = arith.divsi %count_7, %63 : i32
          %phase_2 = arith.andi %65, %64 : i32
          %66 = arith.xori %phase_2, %64 : i32
          warps.wait %a_b_empty[%slot_6] parity %66 : !warps.barriers<2>
          warps.expect %a_b_full[%slot_6] bytes 12288 : !warps.barriers<2>
          %67 = arith.muli %slot_6, %63 : i32
          %68 = warps.slot %a_ring[%67] : !warps.ring<4 x vector<64x32xf16>> to !warps.view<vector<64x32xf16>>
          warps.copy_in %a_desc[%off_m_2, %k_2] to %68 then %a_b_full[%slot_6] : !kernel.descriptor<vector<64x32xf16>>, !warps.view<vector<64x32xf16>>, !warps.barriers<2>
          %69 = arith.muli %slot_6, %63 : i32
          %70 = arith.addi %69, %64 : i32
          %71 = warps.slot %a_ring[%70] : !warps.ring<4 x vector<64x32xf16>> to !warps.view<vector<64x32xf16>>
          %72 = arith.constant 64 : i32
          %73 = arith.addi %off_m_2, %72 : i32
          warps.copy_in %a_desc[%73, %k_2] to %71 then %a_b_full[%slot_6] : !kernel.descriptor<vector<64x32xf16>>, !warps.view<vector<64x32xf16>>, !warps.barriers<2>
          %74 = warps.slot %b_ring[%slot_6] : !warps.ring<2 x vector<32x64xf16>> to !warps.view<vector<32x64xf16>>
          warps.copy_in %b_desc[%k_2, %off_n_2] to %74 then %a_b_full[%slot_6] : !kernel.descriptor<vector<32x64xf16>>, !warps.view<vector<32x64xf16>>, !warps.barriers<2>
          %count_8 = arith.addi %count_7, %64 : i32
          scf.yield %count_8 : i32
        }
      }
    }
    kernel.return
  }
  func.func @product(%a: memref<256x96xf16>, %b: memref<96x128xf16>) -> memref<256x128xf16> {
    %out = memref.alloc() {alignment = 64 : i64} : memref<256x128xf16>
    kernel.launch @product_kernel(%a, %b, %out) grid [4] warps 4 stages 2 : memref<256x96xf16>, memref<96x128xf16>, memref<256x128xf16>
    func.return %out : memref<256x128xf16>
  }
}
