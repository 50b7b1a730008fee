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
          %14 = arith.muli %slot, %11 : i32
          %15 = arith.addi %14, %part : i32
          %16 = warps.slot %a_ring[%15] : !warps.ring<4 x vector<64x32xf16>> to !warps.view<vector<64x32xf16>>
          %17 = warps.slot %b_ring[%slot] : !warps.ring<2 x vector<32x64xf16>> to !warps.view<vector<32x64xf16>>
          %acc_1 = warps.dot %16, %17, %acc : vector<64x64xf32> : !warps.view<vector<64x32xf16>>, !warps.view<vector<32x64xf16>> to vector<64x64xf32>
          %acc_2 = warps.dot_wait 1, %acc_1 : vector<64x64xf32> to vector<64x64xf32>
          %18 = kernel.compare "gt" %k, %5 : i32 to i1
          %19 = arith.addi %count_1, %12 : i32
          %slot_1 = arith.remsi %19, %11 : i32
          warps.arrive %a_b_empty[%slot_1] if %18 : !warps.barriers<2>
          %count_2 = arith.addi %count_1, %12 : i32
          scf.yield %acc_2, %count_2 : vector<64x64xf32>, i32
        }
        %20 = warps.dot_wait 0, %10 : vector<64x64xf32> to vector<64x64xf32>
        %21 = arith.constant 1 : i32
        %22 = arith.addi %count, %21 : i32
        %23 = arith.constant 2 : i32
        %slot_2 = arith.remsi %22, %23 : i32
        warps.arrive %a_b_empty[%slot_2] : !warps.barriers<2>
        %x = arith.addf %20, %20 : vector<64x64xf32>
        %out = kernel.cast %x : vector<64x64xf32> to vector<64x64xf16>
        %24 = warps.slot %out_ring[%part] : !warps.ring<2 x vector<64x64xf16>> to !warps.view<vector<64x64xf16>>
        warps.store_wait 0
        warps.sync
        warps.write %out to %24 : vector<64x64xf16>, !warps.view<vector<64x64xf16>>
        warps.fence
        warps.sync
        %25 = arith.constant 64 : i32
        %26 = arith.muli %part, %25 : i32
        %27 = arith.addi %off_m, %26 : i32
        warps.copy_out %24 to %out_desc[%27, %off_n] : !warps.view<vector<64x64xf16>>, !kernel.descriptor<vector<64x64xf16>>
        warps.store_wait 0
      }
      warps.partition "compute_1" warps 4 registers 240 part 1 {
        %part_1 = warps.part
        %pid_1 = kernel.program_id 0
        %28 = kernel.constexpr "TILES_M" = 2 : i32
        %29 = kernel.constexpr "TILES_N" = 2 : i32
        %30 = kernel.constexpr "GROUP_M" = 2 : i32
        %tile_m_1, %tile_n_1 = kernel.grouped_tile %pid_1 of %28 by %29 group %30 : i32
        %31 = kernel.constexpr "BLOCK_M" = 128 : i32
        %off_m_1 = arith.muli %tile_m_1, %31 : i32
        %32 = kernel.constexpr "BLOCK_N" = 64 : i32
        %off_n_1 = arith.muli %tile_n_1, %32 : i32
        %33 = arith.constant 0 : i32
        %34 = kernel.constexpr "K" = 96 : i32
        %35 = kernel.constexpr "BLOCK_K" = 32 : i32
        %36 = kernel.full 0.000000e+00 : f32 ["", "BLOCK_N"] layout #warps.mma<64> : vector<64x64xf32>
        %37 = arith.constant 0 : i32
        %38, %count_3 = scf.for %k_1 = %33 to %34 step %35 iter_args(%acc_3 = %36, %count_4 = %37) -> (vector<64x64xf32>, i32) : i32 {
          %39 = arith.constant 2 : i32
          %slot_3 = arith.remsi %count_4, %39 : i32
          %40 = arith.constant 1 : i32
          %41 = arith.divsi %count_4, %39 : i32
          %phase_1 = arith.andi %41, %40 : i32
          warps.wait %a_b_full[%slot_3] parity %phase_1 : !warps.barriers<2>
          %42 = arith.muli %slot_3, %39 : i32
          %43 = arith.addi %42, %part_1 : i32
          %44 = warps.slot %a_ring[%43] : !warps.ring<4 x vector<64x32xf16>> to !warps.view<vector<64x32xf16>>
          %45 = warps.slot %b_ring[%slot_3] : !warps.ring<2 x vector<32x64xf16>> to !warps.view<vector<32x64xf16>>
          %acc_4 = warps.dot %44, %45, %acc_3 : vector<64x64xf32> : !warps.view<vector<64x32xf16>>, !warps.view<vector<32x64xf16>> to vector<64x64xf32>
          %acc_5 = warps.dot_wait 1, %acc_4 : vector<64x64xf32> to vector<64x64xf32>
          %46 = kernel.compare "gt" %k_1, %33 : i32 to i1
          %47 = arith.addi %count_4, %40 : i32
          %slot_4 = arith.remsi %47, %39 : i32
          warps.arrive %a_b_empty[%slot_4] if %46 : !warps.barriers<2>
          %count_5 = arith.addi %count_4, %40 : i32
          scf.yield %acc_5, %count_5 : vector<64x64xf32>, i32
        }
        %48 = warps.dot_wait 0, %38 : vector<64x64xf32> to vector<64x64xf32>
        %49 = arith.constant 1 : i32
        %50 = arith.addi %count_3, %49 : i32
        %51 = arith.constant 2 : i32
        %slot_5 = arith.remsi %50, %51 : i32
        warps.arrive %a_b_empty[%slot_5] : !warps.barriers<2>
        %x_1 = arith.addf %48, %48 : vector<64x64xf32>
        %out_1 = kernel.cast %x_1 : vector<64x64xf32> to vector<64x64xf16>
        %52 = warps.slot %out_ring[%part_1] : !warps.ring<2 x vector<64x64xf16>> to !warps.view<vector<64x64xf16>>
        warps.store_wait 0
        warps.sync
        warps.write %out_1 to %52 : vector<64x64xf16>, !warps.view<vector<64x64xf16>>
        warps.fence
        warps.sync
        %53 = arith.constant 64 : i32
        %54 = arith.muli %part_1, %53 : i32
        %55 = arith.addi %off_m_1, %54 : i32
        warps.copy_out %52 to %out_desc[%55, %off_n_1] : !warps.view<vector<64x64xf16>>, !kernel.descriptor<vector<64x64xf16>>
        warps.store_wait 0
      }
      warps.partition "load" warps 1 registers 24 {
        %pid_2 = kernel.program_id 0
        %56 = kernel.constexpr "TILES_M" = 2 : i32
        %57 = kernel.constexpr "TILES_N" = 2 : i32
        %58 = kernel.constexpr "GROUP_M" = 2 : i32
        %tile_m_2, %tile_n_2 = kernel.grouped_tile %pid_2 of %56 by %57 group %58 : i32
        %59 = kernel.constexpr "BLOCK_M" = 128 : i32
        %off_m_2 = arith.muli %tile_m_2, %59 : i32
        %60 = kernel.constexpr "BLOCK_N" = 64 : i32
        %off_n_2 = arith.muli %tile_n_2, %60 : i32
        %61 = arith.constant 0 : i32
        %62 = kernel.constexpr "K" = 96 : i32
        %63 = kernel.constexpr "BLOCK_K" = 32 : i32
        %64 = arith.constant 0 : i32
        %count_6 = scf.for %k_2 = %61 to %62 step %63 iter_args(%count_7 = %64) -> (i32) : i32 {
          %65 = arith.constant 2 : i32
          %slot_6 = arith.remsi %count_7, %65 : i32
          %66 = arith.constant 1 : i32
          %67 = arith.divsi %count_7, %65 : i32
          %phase_2 = arith.andi %67, %66 : i32
          %68 = arith.xori %phase_2, %66 : i32
          warps.wait %a_b_empty[%slot_6] parity %68 : !warps.barriers<2>
          warps.expect %a_b_full[%slot_6] bytes 12288 : !warps.barriers<2>
          %69 = arith.muli %slot_6, %65 : i32
          %70 = warps.slot %a_ring[%69] : !warps.ring<4 x vector<64x32xf16>> to !warps.view<vector<64x32xf16>>
          warps.copy_in %a_desc[%off_m_2, %k_2] to %70 then %a_b_full[%slot_6] : !kernel.descriptor<vector<64x32xf16>>, !warps.view<vector<64x32xf16>>, !warps.barriers<2>
          %71 = arith.muli %slot_6, %65 : i32
          %72 = arith.addi %71, %66 : i32
          %73 = warps.slot %a_ring[%72] : !warps.ring<4 x vector<64x32xf16>> to !warps.view<vector<64x32xf16>>
          %74 = arith.constant 64 : i32
          %75 = arith.addi %off_m_2, %74 : i32
          warps.copy_in %a_desc[%75, %k_2] to %73 then %a_b_full[%slot_6] : !kernel.descriptor<vector<64x32xf16>>, !warps.view<vector<64x32xf16>>, !warps.barriers<2>
          %76 = warps.slot %b_ring[%slot_6] : !warps.ring<2 x vector<32x64xf16>> to !warps.view<vector<32x64xf16>>
          warps.copy_in %b_desc[%k_2, %off_n_2] to %76 then %a_b_full[%slot_6] : !kernel.descriptor<vector<32x64xf16>>, !warps.view<vector<32x64xf16>>, !warps.barriers<2>
          %count_8 = arith.addi %count_7, %66 : i32
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
