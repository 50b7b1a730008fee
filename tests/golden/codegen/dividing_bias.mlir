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
    %6 = kernel.expand_dims %offs_m axis 1 : vector<128xi32> to vector<128x1xi32>
    %7 = kernel.constexpr "K" = 512 : i32
    %8 = vector.broadcast %7 : i32 to vector<128x1xi32>
    %9 = arith.muli %6, %8 : vector<128x1xi32>
    %10 = kernel.expand_dims %offs_k axis 0 : vector<64xi32> to vector<1x64xi32>
    %11 = vector.broadcast %9 : vector<128x1xi32> to vector<128x64xi32>
    %12 = vector.broadcast %10 : vector<1x64xi32> to vector<128x64xi32>
    %13 = arith.addi %11, %12 : vector<128x64xi32>
    %a_tile = kernel.offset %a_ptr, %13 : !kernel.ptr<f16>, vector<128x64xi32> to vector<128x64x!kernel.ptr<f16>>
    %14 = kernel.expand_dims %offs_k axis 1 : vector<64xi32> to vector<64x1xi32>
    %15 = kernel.constexpr "N" = 512 : i32
    %16 = vector.broadcast %15 : i32 to vector<64x1xi32>
    %17 = arith.muli %14, %16 : vector<64x1xi32>
    %18 = kernel.expand_dims %offs_n axis 0 : vector<128xi32> to vector<1x128xi32>
    %19 = vector.broadcast %17 : vector<64x1xi32> to vector<64x128xi32>
    %20 = vector.broadcast %18 : vector<1x128xi32> to vector<64x128xi32>
    %21 = arith.addi %19, %20 : vector<64x128xi32>
    %b_tile = kernel.offset %b_ptr, %21 : !kernel.ptr<f16>, vector<64x128xi32> to vector<64x128x!kernel.ptr<f16>>
    %22 = arith.constant 0 : i32
    %23 = kernel.constexpr "BLOCK_K" = 64 : i32
    %24 = kernel.full 0.000000e+00 : f32 ["BLOCK_M", "BLOCK_N"] : vector<128x128xf32>
    %25 = scf.for %k = %22 to %7 step %23 iter_args(%acc = %24) -> (vector<128x128xf32>) : i32 {
      %a_tile_1 = kernel.offset %a_tile, %k : vector<128x64x!kernel.ptr<f16>>, i32 to vector<128x64x!kernel.ptr<f16>>
      %a = kernel.load %a_tile_1 : vector<128x64x!kernel.ptr<f16>> to vector<128x64xf16>
      %26 = arith.muli %k, %15 : i32
      %b_tile_1 = kernel.offset %b_tile, %26 : vector<64x128x!kernel.ptr<f16>>, i32 to vector<64x128x!kernel.ptr<f16>>
      %b = kernel.load %b_tile_1 : vector<64x128x!kernel.ptr<f16>> to vector<64x128xf16>
      %acc_1 = kernel.dot %a, %b, %acc : vector<128x64xf16>, vector<64x128xf16> to vector<128x128xf32>
      scf.yield %acc_1 : vector<128x128xf32>
    } {triton.num_stages = 3 : i64}
    %bias_tile = kernel.offset %bias_ptr, %offs_n : !kernel.ptr<f16>, vector<128xi32> to vector<128x!kernel.ptr<f16>>
    %bias = kernel.load %bias_tile : vector<128x!kernel.ptr<f16>> to vector<128xf16>
    %27 = kernel.expand_dims %bias axis 0 : vector<128xf16> to vector<1x128xf16>
    %28 = vector.broadcast %27 : vector<1x128xf16> to vector<128x128xf16>
    %be = kernel.cast %28 : vector<128x128xf16> to vector<128x128xf32>
    %s = arith.addf %25, %be : vector<128x128xf32>
    %29 = arith.constant dense<0.000000e+00> : vector<128x128xf32>
    %out = arith.maximumf %s, %29 : vector<128x128xf32>
    %h = kernel.cast %out : vector<128x128xf32> to vector<128x128xf16>
    %30 = kernel.expand_dims %offs_m axis 1 : vector<128xi32> to vector<128x1xi32>
    %31 = vector.broadcast %15 : i32 to vector<128x1xi32>
    %32 = arith.muli %30, %31 : vector<128x1xi32>
    %33 = kernel.expand_dims %offs_n axis 0 : vector<128xi32> to vector<1x128xi32>
    %34 = vector.broadcast %32 : vector<128x1xi32> to vector<128x128xi32>
    %35 = vector.broadcast %33 : vector<1x128xi32> to vector<128x128xi32>
    %36 = arith.addi %34, %35 : vector<128x128xi32>
    %out_tile = kernel.offset %out_ptr, %36 : !kernel.ptr<f16>, vector<128x128xi32> to vector<128x128x!kernel.ptr<f16>>
    kernel.store %out_tile, %h : vector<128x128x!kernel.ptr<f16>>, vector<128x128xf16>
    kernel.return
  }
  func.func @linear_relu(%a: memref<512x512xf16>, %b: memref<512x512xf16>, %bias: memref<512xf16>) -> memref<512x512xf16> {
    %out = memref.alloc() {alignment = 64 : i64} : memref<512x512xf16>
    kernel.launch @linear_relu_kernel(%a, %b, %bias, %out) grid [4, 4] warps 8 stages 3 : memref<512x512xf16>, memref<512x512xf16>, memref<512xf16>, memref<512x512xf16>
    func.return %out : memref<512x512xf16>
  }
}
