builtin.module {
  func.func @f(%n: index, %s: index, %t: tensor<40xf32>, %z: f32) -> (f32, f32) {
    %b0 = arith.constant 0 : index
    %b1 = arith.constant 4 : index
    %b2 = arith.constant 1 : index
    %b3 = arith.constant 2 : index
    %b4 = arith.constant 9 : index
    %b5 = arith.constant 2 : index
    %half = arith.constant 5.000000e-01 : f32
    %0 = arith.constant 0 : index
    %1 = arith.constant 1 : index
    %2 = arith.constant 16 : index
    %r0, %r0_1 = scf.for %3 = %0 to %2 step %1 iter_args(%x1 = %z, %y1 = %half) -> (f32, f32) {
      %i0 = affine.apply affine_map<(d0) -> ((d0 floordiv 4))>(%3)
      %4 = affine.apply affine_map<(d0) -> ((d0 mod 4))>(%3)
      %i1 = affine.apply affine_map<(d0) -> (((d0 * 2) + 2))>(%4)
      %a = affine.apply affine_map<(d0, d1) -> ((((d0 * 2) + d1) + 8))>(%i0, %i1)
      %v = tensor.extract %t[%a] : tensor<40xf32>
      %p = arith.mulf %x1, %half : f32
      %q = arith.addf %p, %v : f32
      %w = arith.subf %q, %y1 : f32
      scf.yield %q, %w : f32, f32
    } {outer}
    func.return %r0, %r0_1 : f32, f32
  }
}
