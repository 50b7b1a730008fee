// Tiles on the diagonal are halved, those right of it left out; rows after the second go elsewhere.
func.func @branches(%x: memref<60x64xf32>, %least: memref<1xf32>) -> (memref<60x16xf32>, memref<60x16xf32>, memref<4xf32>) {
  %pad = arith.constant 0.000000e+00 : f32
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.000000e+00> : vector<16x16xf32>
  %half = arith.constant dense<5.000000e-01> : vector<16x16xf32>
  %none = arith.constant 0.000000e+00 : f32
  %first = memref.alloc() : memref<60x16xf32>
  %second = memref.alloc() : memref<60x16xf32>
  %totals = memref.alloc() : memref<4xf32>
  scf.forall (%i) in (4) {
    %r = affine.apply affine_map<(d0) -> (d0 * 16)>(%i)
    %left = affine.min affine_map<(d0) -> (d0 * -16 + 60, 16)>(%i)
    %mask = vector.create_mask %left, %c16 : vector<16x16xi1>
    %sum = scf.for %k = %c0 to %c64 step %c16 iter_args(%acc = %zero) -> (vector<16x16xf32>) {
      %is_right = arith.cmpi sgt, %k, %r : index
      %next = scf.if %is_right -> (vector<16x16xf32>) {
        scf.yield %acc : vector<16x16xf32>
      } else {
        %v = vector.transfer_read %x[%r, %k], %pad, %mask {in_bounds = [true, true]} : memref<60x64xf32>, vector<16x16xf32>
        %is_diagonal = arith.cmpi eq, %k, %r : index
        %part = scf.if %is_diagonal -> (vector<16x16xf32>) {
          %h = arith.mulf %v, %half : vector<16x16xf32>
          scf.yield %h : vector<16x16xf32>
        } else {
          scf.yield %v : vector<16x16xf32>
        }
        %s = arith.addf %acc, %part : vector<16x16xf32>
        scf.yield %s : vector<16x16xf32>
      }
      scf.yield %next : vector<16x16xf32>
    }
    %is_late = arith.cmpi sge, %i, %c2 : index
    %total = scf.if %is_late -> (f32) {
      vector.transfer_write %sum, %second[%r, %c0], %mask {in_bounds = [true, true]} : vector<16x16xf32>, memref<60x16xf32>
      scf.yield %none : f32
    } else {
      %e = math.exp %sum : vector<16x16xf32>
      vector.transfer_write %e, %first[%r, %c0], %mask {in_bounds = [true, true]} : vector<16x16xf32>, memref<60x16xf32>
      vector.transfer_write %zero, %second[%r, %c0], %mask {in_bounds = [true, true]} : vector<16x16xf32>, memref<60x16xf32>
      %all = vector.multi_reduction <add>, %e, %none [0, 1] : vector<16x16xf32> to f32
      scf.yield %all : f32
    }
    scf.if %is_late {
      vector.transfer_write %zero, %first[%r, %c0], %mask {in_bounds = [true, true]} : vector<16x16xf32>, memref<60x16xf32>
    }
    %one = vector.broadcast %total : f32 to vector<1xf32>
    %bound = vector.transfer_read %least[%c0], %pad {in_bounds = [true]} : memref<1xf32>, vector<1xf32>
    %bound_0 = vector.extract %bound[0] : f32 from vector<1xf32>
    %is_small = arith.cmpf olt, %total, %bound_0 : f32
    %kept = scf.if %is_small -> (vector<1xf32>) {
      scf.yield %bound : vector<1xf32>
    } else {
      scf.yield %one : vector<1xf32>
    }
    vector.transfer_write %kept, %totals[%i] {in_bounds = [true]} : vector<1xf32>, memref<4xf32>
  } {mapping = [#gpu.block<x>]}
  return %first, %second, %totals : memref<60x16xf32>, memref<60x16xf32>, memref<4xf32>
}
