builtin.module {
  func.func @f(%m: memref<8xf32>, %x: f32, %c: i1) -> (f32, f32, f32, f32, f32, f32) {
    %n = memref.alloc() : memref<8xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = memref.load %m[%c0] : memref<8xf32>
    %1 = memref.load %m[%c1] : memref<8xf32>
    memref.store %x, %n[%c0] : memref<8xf32>
    %2 = memref.load %m[%c0] : memref<8xf32>
    %3 = scf.if %c -> (f32) {
      %in = memref.load %m[%c0] : memref<8xf32>
      scf.yield %in : f32
    } else {
      scf.yield %x : f32
    }
    func.return %0, %0, %1, %2, %3, %2 : f32, f32, f32, f32, f32, f32
  }
}
