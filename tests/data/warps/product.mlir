builtin.module {
  kernel.func @f(%a: !kernel.descriptor<vector<64x16xf16>>, %b: !kernel.descriptor<vector<16x8xf16>>, %c: !kernel.descriptor<vector<64x8xf32>>) constants {} tiles [1, 1] group 1 {
    %a_ring = warps.ring : !warps.ring<2 x vector<64x16xf16>>
    %b_ring = warps.ring : !warps.ring<2 x vector<16x8xf16>>
    %c_ring = warps.ring : !warps.ring<1 x vector<64x8xf32>>
    %full = warps.barriers arrivals 1 : !warps.barriers<2>
    %empty = warps.barriers arrivals 1 : !warps.barriers<2>
    warps.specialize {
      warps.partition "compute" warps 4 registers 240 {
        %zero = arith.constant 0 : i32
        %one = arith.constant 1 : i32
        %two = arith.constant 2 : i32
        %end = arith.constant 5 : i32
        %start = kernel.full 0.0 : f32 : vector<64x8xf32>
        %sum = scf.for %i = %zero to %end step %one iter_args(%acc = %start) -> (vector<64x8xf32>) : i32 {
          %slot = arith.remsi %i, %two : i32
          %round = arith.divsi %i, %two : i32
          %phase = arith.andi %round, %one : i32
          warps.wait %full[%slot] parity %phase : !warps.barriers<2>
          %left = warps.slot %a_ring[%slot] : !warps.ring<2 x vector<64x16xf16>> to !warps.view<vector<64x16xf16>>
          %right = warps.slot %b_ring[%slot] : !warps.ring<2 x vector<16x8xf16>> to !warps.view<vector<16x8xf16>>
          %started = warps.dot %left, %right, %acc : vector<64x8xf32> : !warps.view<vector<64x16xf16>>, !warps.view<vector<16x8xf16>> to vector<64x8xf32>
          %next = warps.dot_wait 0, %started : vector<64x8xf32> to vector<64x8xf32>
          warps.arrive %empty[%slot] : !warps.barriers<2>
          scf.yield %next : vector<64x8xf32>
        }
        %out = warps.slot %c_ring[%zero] : !warps.ring<1 x vector<64x8xf32>> to !warps.view<vector<64x8xf32>>
        warps.write %sum to %out : vector<64x8xf32>, !warps.view<vector<64x8xf32>>
        warps.fence
        warps.sync
        warps.copy_out %out to %c[%zero, %zero] : !warps.view<vector<64x8xf32>>, !kernel.descriptor<vector<64x8xf32>>
        warps.store_wait 0
      }
      warps.partition "load" warps 1 registers 24 {
        %zero = arith.constant 0 : i32
        %one = arith.constant 1 : i32
        %two = arith.constant 2 : i32
        %end = arith.constant 5 : i32
        %width = arith.constant 16 : i32
        scf.for %i = %zero to %end step %one : i32 {
          %slot = arith.remsi %i, %two : i32
          %round = arith.divsi %i, %two : i32
          %odd = arith.andi %round, %one : i32
          %phase = arith.xori %odd, %one : i32
          %k = arith.muli %i, %width : i32
          warps.wait %empty[%slot] parity %phase : !warps.barriers<2>
          warps.expect %full[%slot] bytes 2304 : !warps.barriers<2>
          %left = warps.slot %a_ring[%slot] : !warps.ring<2 x vector<64x16xf16>> to !warps.view<vector<64x16xf16>>
          %right = warps.slot %b_ring[%slot] : !warps.ring<2 x vector<16x8xf16>> to !warps.view<vector<16x8xf16>>
          warps.copy_in %a[%zero, %k] to %left then %full[%slot] : !kernel.descriptor<vector<64x16xf16>>, !warps.view<vector<64x16xf16>>, !warps.barriers<2>
          warps.copy_in %b[%k, %zero] to %right then %full[%slot] : !kernel.descriptor<vector<16x8xf16>>, !warps.view<vector<16x8xf16>>, !warps.barriers<2>
        }
      }
    }
    kernel.return
  }
  func.func @g(%a: memref<64x80xf16>, %b: memref<80x8xf16>) -> memref<64x8xf32> {
    %c = memref.alloc() : memref<64x8xf32>
    kernel.launch @f(%a, %b, %c) grid [1] warps 4 stages 1 : memref<64x80xf16>, memref<80x8xf16>, memref<64x8xf32>
    func.return %c : memref<64x8xf32>
  }
}
