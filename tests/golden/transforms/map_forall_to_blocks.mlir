builtin.module {
  func.func @f(%t: memref<4x6xf32>, %z: f32, %n: index) {
    scf.forall (%i, %j) in (4, 6) {
      memref.store %z, %t[%i, %j] : memref<4x6xf32>
    } {grid, mapping = [#gpu.block<y>, #gpu.block<x>]}
    func.return
  }
}
