// block: a grid of one, two and three dimensions
func.func @f() {
  scf.forall (%i) in (4) {
  } {mapping = [#gpu.block<x>]}
  scf.forall (%i, %j) in (4, 2) {
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  scf.forall (%i, %j, %k) in (4, 2, 3) {
  } {mapping = [#gpu.block<z>, #gpu.block<y>, #gpu.block<x>]}
  return
}

// -----
// block: numbered in a row
func.func @f() {
  scf.forall (%i, %j) in (4, 2) {
  } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
  scf.forall (%i) in (4) {
  } {mapping = [#gpu.block<linear_dim_9>]}
  return
}

// -----
// thread, warp, warpgroup, lane: below a grid
func.func @f() {
  scf.forall (%i) in (4) {
    scf.forall (%j, %k) in (8, 8) {
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
    scf.forall (%j) in (2) {
    } {mapping = [#gpu.warp<linear_dim_0>]}
    scf.forall (%j) in (2) {
    } {mapping = [#gpu.warpgroup<x>]}
    scf.forall (%j) in (32) {
    } {mapping = [#gpu.lane<linear_dim_0>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// -----
// mask: which units take part
func.func @f() attributes {some.mapping = [#gpu.thread<linear_dim_0>, #gpu.mask<12>]} {
  return
}

// -----
// address_space: of buffers
func.func @f(%a: memref<4xf32, #gpu.address_space<global>>, %b: memref<4xf32, #gpu.address_space<workgroup>>, %c: memref<4xf32, strided<[?]>, #gpu.address_space<private>>) {
  return
}

// -----
// memory_space: of a mapping
func.func @f() attributes {some.mapping = [#gpu.memory_space<workgroup>, #gpu.memory_space<global>, #gpu.memory_space<private>]} {
  return
}

// -----
// loop_dim_map: of a parallel loop
func.func @f() attributes {some.mapping = [#gpu.loop_dim_map<processor = block_x, map = (d0) -> (d0), bound = (d0) -> (d0)>, #gpu.loop_dim_map<processor = sequential, map = (d0) -> (d0), bound = (d0) -> (d0)>]} {
  return
}

// -----
// barrier: between copies
func.func @f(%a: memref<4xf32>, %b: memref<4xf32, #gpu.address_space<workgroup>>) {
  memref.copy %a, %b : memref<4xf32> to memref<4xf32, #gpu.address_space<workgroup>>
  gpu.barrier
  return
}
