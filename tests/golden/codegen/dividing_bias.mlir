builtin.module {
  kernel.func @linear_relu_kernel(%a_ptr: !kernel.ptr<f16>, %b_ptr: !kernel.ptr<f16>, %bias_ptr: !kernel.ptr<f16>, %out_ptr: !kernel.ptr<f16>) constants {N = 512 : i64, K = 512 : i64, BLOCK_M = 128 : i64, BLOCK_N = 128 : i64, BLOCK_K = 64 : i64} tiles [4, 4] group 1 {
    %tile_m = kernel.program_id 1
    %tile_n = kernel.program_id 0
    %0 = kernel.arange "BLOCK_M" : vector<128xi32>
    %1 = kernel.constexpr "BLOCK_M" = 128 : i32
    %off_m = arith.muli %tile_m, %1 : i32
    %2 = vector.broadcast %off_m : i32 to vector<128xi32>
    %offs_m = arith.addi %2, %0 : vector<128xi32>
    %3 = kernel.arange "BLOCK_N" : vector<128xi32>
    %4 = kernel.constexpr "BLOCK_N" = 128 : i32
    %off_n = arith.muli %tile_n, %4 : i32
    %5 = vector.broadcast %off_n : i32 to vector<128xi32>
    %offs_n = arith.addi %5, %3 : vector<128xi32>
    %offs_k = kernel.arange "BLOCK_K" : vector<64xi32>
    %6 = kernel.constexpr "K" = 512 : i32
    %7 = kernel.expand_dims %offs_m axis 1 : vector<128xi32> to vector<128x1xi32>
    %8 = vector.broadcast %6 : i32 to vector<128x1xi32>
    %rows = arith.muli %7, %8 : vector<128x1xi32>
    %9 = kernel.expand_dims %offs_k axis 0 : vector<64xi32> to vector<1x64xi32>
    %10 = vector.broadcast %rows : vector<128x1xi32> to vector<128x64xi32>
    %11 = vector.broadcast %9 : vector<1x64xi32> to vector<128x64xi32>
    %offs = arith.addi %10, %11 : vector<128x64xi32>
    %a_tile = kernel.offset %a_ptr, %offs : !kernel.ptr<f16>, vector<128x64xi32> to vector<128x64x!kernel.ptr<f16>>
    %12 = kernel.constexpr "N" = 512 : i32
    %13 = kernel.expand_dims %offs_k axis 1 : vector<64xi32> to vector<64x1xi32>
    %14 = vector.broadcast %12 : i32 to vector<64x1xi32>
    %rows_1 = arith.muli %13, %14 : vector<64x1xi32>
    %15 = kernel.expand_dims %offs_n axis 0 : vector<128xi32> to vector<1x128xi32>
    %16 = vector.broadcast %rows_1 : vector<64x1xi32> to vector<64x128xi32>
    %17 = vector.broadcast %15 : vector<1x128xi32> to vector<64x128xi32>
    %offs_1 = arith.addi %16, %17 : vector<64x128xi32>
    %b_tile = kernel.offset %b_ptr, %offs_1 : !kernel.ptr<f16>, vector<64x128xi32> to vector<64x128x!kernel.ptr<f16>>
    %18 = arith.constant 0 : i32
    %19 = kernel.constexpr "BLOCK_K" = 64 : i32
    %20 = kernel.full 0.000000e+00 : f32 ["BLOCK_M", "BLOCK_N"] : vector<128x128xf32>
    %21 = scf.for %k = %18 to %6 step %19 iter_args(%acc = %20) -> (vector<128x128xf32>) : i32 {
      %a_tile_1 = kernel.offset %a_tile, %k : vector<128x64x!kernel.ptr<f16>>, i32 to vector<128x64x!kernel.ptr<f16>>
      %a = kernel.load %a_tile_1 : vector<128x64x!kernel.ptr<f16>> to vector<128x64xf16>
      %22 = arith.muli %k, %12 : i32
      %b_tile_1 = kernel.offset %b_tile, %22 : vector<64x128x!kernel.ptr<f16>>, i32 to vector<64x128x!kernel.ptr<f16>>
      %b = kernel.load %b_tile_1 : vector<64x128x!kernel.ptr<f16>> to vector<64x128xf16>
      %acc_1 = kernel.dot %a, %b, %acc : vector<128x64xf16>, vector<64x128xf16> to vector<128x128xf32>
      scf.yield %acc_1 : vector<128x128xf32>
    } {triton.num_stages = 3 : i64}
    %bias_tile = kernel.offset %bias_ptr, %offs_n : !kernel.ptr<f16>, vector<128xi32> to vector<128x!kernel.ptr<f16>>
    %bias = kernel.load %bias_tile : vector<128x!kernel.ptr<f16>> to vector<128xf16>
    %bias_1 = kernel.cast %bias : vector<128xf16> to vector<128xf32>
    %23 = kernel.expand_dims %bias_1 axis 0 : vector<128xf32> to vector<1x128xf32>
    %be = vector.broadcast %23 : vector<1x128xf32> to vector<128x128xf32>
    %s = arith.addf %21, %be : vector<128x128xf32>
    %24 = arith.constant dense<0.000000e+00> : vector<128x128xf32>
    %out = arith.maximumf %s, %24 : vector<128x128xf32>
    %h = kernel.cast %out : vector<128x128xf32> to vector<128x128xf16>
    %25 = vector.broadcast %12 : i32 to vector<128x1xi32>
    %rows_2 = arith.muli %7, %25 : vector<128x1xi32>
    %26 = vector.broadcast %rows_2 : vector<128x1xi32> to vector<128x128xi32>
    %27 = vector.broadcast %15 : vector<1x128xi32> to vector<128x128xi32>
    %offs_2 = arith.addi %26, %27 : vector<128x128xi32>
    %out_tile = kernel.offset %out_ptr, %offs_2 : !kernel.ptr<f16>, vector<128x128xi32> to vector<128x128x!kernel.ptr<f16>>
    kernel.store %out_tile, %h : vector<128x128x!kernel.ptr<f16>>, vector<128x128xf16>
    kernel.return
  }
  func.func @linear_relu(%a: memref<512x512xf16>, %b: memref<512x512xf16>, %bias: memref<512xf16>) -> memref<512x512xf16> {
    %out = memref.alloc() {alignment = 64 : i64} : memref<512x512xf16>
    kernel.launch @linear_relu_kernel(%a, %b, %bias, %out) grid [4, 4] warps 8 stages 3 : memref<512x512xf16>, memref<512x512xf16>, memref<512xf16>, memref<512x512xf16>
    func.return %out : memref<512x512xf16>
  }
}
