builtin.module {
  func.func @f(%a: memref<8xf32>) -> (memref<8xf32>, memref<8xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %one = arith.constant 1.000000e+00 : f32
    %two = arith.constant 2.000000e+00 : f32
    %e = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
    linalg.fill ins(%one : f32) outs(%e : memref<8xf32>)
    %e1 = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
    linalg.fill ins(%two : f32) outs(%e1 : memref<8xf32>)
    %s = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
    linalg.fill ins(%one : f32) outs(%s : memref<8xf32>)
    linalg.fill ins(%two : f32) outs(%e : memref<8xf32>)
    func.return %e, %s : memref<8xf32>, memref<8xf32>
  }
}
