builtin.module {
  func.func @f(%a: memref<8xf32>) -> memref<8xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %one = arith.constant 1.000000e+00 : f32
    %two = arith.constant 2.000000e+00 : f32
    %e = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
    linalg.fill ins(%one : f32) outs(%e : memref<8xf32>)
    %e1 = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
    linalg.fill ins(%two : f32) outs(%e1 : memref<8xf32>)
    %v = vector.transfer_read %a[%c0], %one {in_bounds = [true]} : memref<8xf32>, vector<8xf32>
    vector.transfer_write %v, %e[%c0] {in_bounds = [true]} : vector<8xf32>, memref<8xf32>
    %o = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
    memref.copy %e, %o : memref<8xf32> to memref<8xf32>
    scf.forall (%p) in (2) {
      %at = affine.apply affine_map<(d0) -> ((d0 * 4))>(%p)
      %other = affine.apply affine_map<(d0) -> (((d0 * -4) + 4))>(%p)
      %n = memref.subview %o[%other] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: ?>>
      %0 = memref.subview %o[%at] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: ?>>
      %s = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
      linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%n : memref<4xf32, strided<[1], offset: ?>>) outs(%s : memref<4xf32>) {
      ^bb0(%lane: f32, %old: f32):
        %twice = arith.addf %lane, %lane : f32
        linalg.yield %twice : f32
      }
      %1 = memref.subview %e[%at] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: ?>>
      memref.copy %s, %1 : memref<4xf32> to memref<4xf32, strided<[1], offset: ?>>
    } {mapping = [#gpu.block<x>]}
    func.return %e : memref<8xf32>
  }
}
