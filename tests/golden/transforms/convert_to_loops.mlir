builtin.module {
  func.func @f(%x0: memref<?x4xf32>, %x1: memref<4x5xf32>, %x2: memref<?x5xf32>) {
    %0 = arith.constant 0 : index
    %1 = memref.dim %x0, %0 : memref<?x4xf32>
    %2 = arith.constant 0 : index
    %3 = arith.constant 0 : index
    %4 = arith.constant 0 : index
    %5 = arith.constant 5 : index
    %6 = arith.constant 4 : index
    %7 = arith.constant 1 : index
    %8 = arith.constant 1 : index
    %9 = arith.constant 1 : index
    scf.for %10 = %2 to %1 step %7 {
      scf.for %11 = %3 to %5 step %8 {
        scf.for %12 = %4 to %6 step %9 {
          %13 = memref.load %x0[%10, %12] : memref<?x4xf32>
          %14 = memref.load %x1[%12, %11] : memref<4x5xf32>
          %15 = memref.load %x2[%10, %11] : memref<?x5xf32>
          %16 = arith.mulf %13, %14 : f32
          %17 = arith.addf %15, %16 : f32
          memref.store %17, %x2[%10, %11] : memref<?x5xf32>
        } {made}
      } {made}
    } {made}
    func.return
  }
}
