builtin.module {
  kernel.func @matmul_relu_kernel(%a_desc: !kernel.descriptor<vector<128x64xf16>>, %b_desc: !kernel.descriptor<vector<64x128xf16>>, %out_desc: !kernel.descriptor<vector<128x128xf16>>) constants {K = 1000 : i64, BLOCK_M = 128 : i64, BLOCK_N = 128 : i64, BLOCK_K = 64 : i64, TILES_M = 8 : i64, TILES_N = 8 : i64, GROUP_M = 8 : i64} tiles [8, 8] group 8 {
    %pid = kernel.program_id 0
    %0 = kernel.constexpr "TILES_M" = 8 : i32
    %1 = kernel.constexpr "TILES_N" = 8 : i32
    %2 = kernel.constexpr "GROUP_M" = 8 : i32
    %tile_m, %tile_n = kernel.grouped_tile %pid of %0 by %1 group %2 : i32
    %3 = kernel.constexpr "BLOCK_M" = 128 : i32
    %off_m = arith.muli %tile_m, %3 : i32
    %4 = kernel.constexpr "BLOCK_N" = 128 : i32
    %off_n = arith.muli %tile_n, %4 : i32
    %5 = arith.constant 0 : i32
    %6 = kernel.constexpr "K" = 1000 : i32
    %7 = kernel.constexpr "BLOCK_K" = 64 : i32
    %8 = kernel.full 0.000000e+00 : f32 ["BLOCK_M", "BLOCK_N"] : vector<128x128xf32>
    %9 = scf.for %k = %5 to %6 step %7 iter_args(%acc = %8) -> (vector<128x128xf32>) : i32 {
      %a = kernel.descriptor_load %a_desc[%off_m, %k] partial : !kernel.descriptor<vector<128x64xf16>> to vector<128x64xf16>
      %b = kernel.descriptor_load %b_desc[%k, %off_n] partial : !kernel.descriptor<vector<64x128xf16>> to vector<64x128xf16>
      %acc_1 = kernel.dot %a, %b, %acc : vector<128x64xf16>, vector<64x128xf16> to vector<128x128xf32>
      scf.yield %acc_1 : vector<128x128xf32>
    } {triton.num_stages = 3 : i64}
    %10 = arith.constant dense<0.000000e+00> : vector<128x128xf32>
    %out = arith.maximumf %9, %10 : vector<128x128xf32>
    %h = kernel.cast %out : vector<128x128xf32> to vector<128x128xf16>
    kernel.descriptor_store %out_desc[%off_m, %off_n], %h partial : !kernel.descriptor<vector<128x128xf16>>, vector<128x128xf16>
    kernel.return
  }
  func.func @matmul_relu(%a: memref<1000x1000xf16>, %b: memref<1000x1000xf16>) -> memref<1000x1000xf16> {
    %out = memref.alloc() {alignment = 64 : i64} : memref<1000x1000xf16>
    kernel.launch @matmul_relu_kernel(%a, %b, %out) grid [64] warps 8 stages 3 : memref<1000x1000xf16>, memref<1000x1000xf16>, memref<1000x1000xf16>
    func.return %out : memref<1000x1000xf16>
  }
}
