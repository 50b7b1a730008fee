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
