// apply: dimensions, symbols, constants
func.func @f(%i: index, %n: index) -> (index, index, index, index) {
  %0 = affine.apply affine_map<(d0) -> (d0 * 128)>(%i)
  %1 = affine.apply affine_map<(d0)[s0] ->(d0 * 4 + s0 - 1)>(%i)[%n]
  %2 = affine.apply affine_map<()[s0] ->(s0 ceildiv 32)>()[%n]
  %3 = affine.apply affine_map<() -> (42)>()
  return %0, %1, %2, %3 : index, index, index, index
}

// -----
// apply: floordiv, ceildiv, mod, negation
func.func @f(%i: index, %j: index) -> (index, index) {
  %0 = affine.apply affine_map<(d0, d1) -> (d0 floordiv 4 + d1 mod 8)>(%i, %j)
  %1 = affine.apply affine_map<(d0, d1) -> (-d0 + (d1 ceildiv 3) * 2)>(%i, %j)
  return %0, %1 : index, index
}

// -----
// apply: the map by an alias, attributes
#tile = affine_map<(d0)[s0] -> (d0 * 32 + s0)>
func.func @f(%i: index, %n: index) -> index {
  %0 = affine.apply #tile(%i)[%n] {note}
  return %0 : index
}

// -----
// min: many results
func.func @f(%i: index, %n: index) -> (index, index) {
  %0 = affine.min affine_map<(d0)[s0] ->(64, d0 + 3, -d0 + s0)>(%i)[%n]
  %1 = affine.min affine_map<(d0) -> (d0)>(%i)
  return %0, %1 : index, index
}

// -----
// max: symbols only, one result, attributes
func.func @f(%i: index, %n: index) -> (index, index) {
  %0 = affine.max affine_map<()[s0, s1] ->(s0, s1, 16)>()[%i, %n]
  %1 = affine.max affine_map<(d0, d1) -> (d0 - d1, 0)>(%i, %n) {note}
  return %0, %1 : index, index
}

// -----
// for: all forms of bounds, carried values, attributes
func.func @f(%n: index, %z: f32) -> f32 {
  affine.for %i = 0 to %n step 2 {
  } {note}
  affine.for %i = max affine_map<()[s0] -> (0, s0)>()[%n] to min affine_map<()[s0] -> (100, s0)>()[%n] {
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to affine_map<(d0)[s0] -> (d0 + s0 * 2)>(%i)[%n] {
    }
  }
  %r = affine.for %i = 0 to 4 iter_args(%s = %z) -> (f32) {
    %t = arith.addf %s, %s : f32
    affine.yield %t : f32
  }
  return %r : f32
}

// -----
// if: with and without results
func.func @f(%n: index, %a: f32, %b: f32) -> f32 {
  affine.if affine_set<()[s0] : (s0 - 4 >= 0)>()[%n] {
  }
  %r = affine.if affine_set<()[s0] : (s0 - 4 >= 0, s0 mod 2 == 0)>()[%n] -> f32 {
    affine.yield %a : f32
  } else {
    affine.yield %b : f32
  }
  return %r : f32
}

// -----
// parallel: steps, several bounds, reductions
func.func @f(%n: index, %a: f32) -> (f32, f32) {
  affine.parallel (%i, %j) = (0, symbol(%n)) to (min(100, symbol(%n)), symbol(%n) + 4) step (1, 2) {
  }
  %r:2 = affine.parallel (%i) = (max(0, symbol(%n))) to (10) reduce ("addf", "maximumf") -> (f32, f32) {
    affine.yield %a, %a : f32, f32
  }
  return %r#0, %r#1 : f32, f32
}

// -----
// accesses: dimensions, symbols, vectors, hints
func.func @f(%m: memref<64x64xf32>, %n: index) {
  affine.for %i = 0 to 32 {
    %0 = affine.load %m[%i + symbol(%n), (%i mod 4) * 2] {note} : memref<64x64xf32>
    affine.store %0, %m[%i * 2 + 1, (%i + 3) floordiv 2] : memref<64x64xf32>
    %1 = affine.vector_load %m[%i, 0] : memref<64x64xf32>, vector<8xf32>
    affine.vector_store %1, %m[0, %i] : memref<64x64xf32>, vector<8xf32>
    affine.prefetch %m[%i, 0], read, locality<3>, data : memref<64x64xf32>
  }
  return
}
