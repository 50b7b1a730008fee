func.func @softmax(%x: memref<16x1000xf32>) -> memref<16x1000xf32> {
  %neg = arith.constant 0xFF800000 : f32
  %init_max = vector.broadcast %neg : f32 to vector<4xf32>
  %init_sum = arith.constant dense<0.000000e+00> : vector<4xf32>
  %zero = arith.constant dense<0.000000e+00> : vector<4x1024xf32>
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c1000 = arith.constant 1000 : index
  %out = memref.alloc() : memref<16x1000xf32>
  scf.forall (%i) in (4) {
    %row = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %mask = vector.create_mask %c4, %c1000 : vector<4x1024xi1>
    %rows = memref.subview %x[%row, 0] [4, 1000] [1, 1] : memref<16x1000xf32> to memref<4x1000xf32, strided<[1000, 1], offset: ?>>
    %v = vector.transfer_read %rows[%c0, %c0], %neg, %mask {in_bounds = [true, true]} : memref<4x1000xf32, strided<[1000, 1], offset: ?>>, vector<4x1024xf32>
    %max = vector.multi_reduction <maximumf>, %v, %init_max [1] : vector<4x1024xf32> to vector<4xf32>
    %max1 = vector.shape_cast %max : vector<4xf32> to vector<4x1xf32>
    %maxb = vector.broadcast %max1 : vector<4x1xf32> to vector<4x1024xf32>
    %d = arith.subf %v, %maxb : vector<4x1024xf32>
    %e = math.exp %d : vector<4x1024xf32>
    %p = arith.select %mask, %e, %zero : vector<4x1024xi1>, vector<4x1024xf32>
    %sum = vector.multi_reduction <add>, %p, %init_sum [1] : vector<4x1024xf32> to vector<4xf32>
    %sum1 = vector.shape_cast %sum : vector<4xf32> to vector<4x1xf32>
    %sumb = vector.broadcast %sum1 : vector<4x1xf32> to vector<4x1024xf32>
    %q = arith.divf %p, %sumb : vector<4x1024xf32>
    %dst = memref.subview %out[%row, 0] [4, 1000] [1, 1] : memref<16x1000xf32> to memref<4x1000xf32, strided<[1000, 1], offset: ?>>
    vector.transfer_write %q, %dst[%c0, %c0], %mask {in_bounds = [true, true]} : vector<4x1024xf32>, memref<4x1000xf32, strided<[1000, 1], offset: ?>>
  } {mapping = [#gpu.block<x>], triton.num_warps = 4 : i64}
  return %out : memref<16x1000xf32>
}
