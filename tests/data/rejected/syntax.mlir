// undefined: a misspelled name
func.func @f(%value: f32) -> f32 {
  // error: use of undeclared SSA value name '%vaule'; did you mean '%value'?
  %0 = arith.addf %value, %vaule : f32
  return %0 : f32
}

// -----
// undefined: in a nested region
func.func @f(%x: tensor<4xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
    iterator_types = ["parallel"]
  } ins(%x : tensor<4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    // error: use of undeclared SSA value name '%inn'; did you mean '%in'?
    %1 = arith.mulf %in, %inn : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----
// undefined: a name of a region that is over
func.func @f(%n: index, %c: i1) -> index {
  scf.if %c {
    %inside = arith.addi %n, %n : index
  }
  // error: use of undeclared SSA value name '%inside'
  return %inside : index
}

// -----
// undefined: a result beyond the last
func.func @f(%a: i32) -> i32 {
  %0:2 = arith.addui_extended %a, %a : i32, i1
  // error: there is no '%0#2'; '%0' has 2 values
  return %0#2 : i32
}

// -----
// redefinition: of an argument
func.func @f(%a: f32) -> f32 {
  // error: redefinition of SSA value '%a'
  %a = arith.negf %a : f32
  return %a : f32
}

// -----
// redefinition: in a region of a name around it
func.func @f(%a: f32, %c: i1) {
  scf.if %c {
    // error: redefinition of SSA value '%a'
    %a = arith.constant 1.0 : f32
  }
  return
}

// -----
// dominance: used before it is defined
func.func @f(%a: f32) -> f32 {
  // error: operand #1 '%later' does not dominate this use
  %0 = arith.addf %a, %later : f32
  %later = arith.negf %a : f32
  return %0 : f32
}

// -----
// dominance: used in the definition of itself
func.func @f(%a: f32) -> f32 {
  // error: operand #0 '%b' does not dominate this use
  %b = arith.addf %b, %a : f32
  return %b : f32
}

// -----
// dominance: a loop's own result inside of it
func.func @f(%n: index, %init: f32) -> f32 {
  %r = scf.for %i = %n to %n step %n iter_args(%acc = %init) -> (f32) {
    // error: operand #0 '%r' does not dominate this use
    %0 = arith.addf %r, %acc : f32
    scf.yield %0 : f32
  }
  return %r : f32
}

// -----
// isolation: a function sees no value of the module
module {
  %c = arith.constant 1.0 : f32
  func.func @f() -> f32 {
    // error: use of '%c', which is defined outside of an isolated region
    return %c : f32
  }
}

// -----
// types: a value used with another type
func.func @f(%a: f32) -> f64 {
  // error: use of value '%a' expects different type than prior uses: 'f64' vs 'f32'
  %0 = arith.addf %a, %a : f64
  return %0 : f64
}

// -----
// types: a definition that differs from its earlier use
func.func @f(%c: i1) {
  scf.if %c {
    %0 = arith.negf %late : f32
  }
  // error: definition of SSA value '%late' has type 'f64'
  %late = arith.constant 1.0 : f64
  return
}

// -----
// terminators: a function without a return
func.func @f(%a: f32) -> f32 {
  // error: block with no terminator, it ends with 'arith.negf'; end it with 'return'
  %0 = arith.negf %a : f32
}

// -----
// terminators: an empty function
// error: expected non-empty function body
func.func @f() {
}

// -----
// terminators: an empty function with arguments
// error: empty block: expect at least a terminator; end it with 'return'
func.func @f(%a: f32) {
}

// -----
// terminators: an op after the return
func.func @f(%a: f32) -> f32 {
  // error: 'func.return' op must be the last operation in the parent block
  return %a : f32
  %0 = arith.negf %a : f32
}

// -----
// terminators: of another op
func.func @f(%a: f32) -> f32 {
  // error: expects parent op
  scf.yield %a : f32
}

// -----
// results: more names than results
func.func @f(%a: f32) -> f32 {
  // error: 'arith.negf' op defines 1 results but was provided 2 to bind
  %0:2 = arith.negf %a : f32
  return %0#0 : f32
}

// -----
// results: a name for none
func.func @f(%m: memref<4xf32>) {
  // error: 'memref.dealloc' op defines 0 results but was provided 1 to bind
  %0 = memref.dealloc %m : memref<4xf32>
  return
}

// -----
// symbols: two functions of one name
func.func @f() {
  return
}
// error: redefinition of symbol named 'f'
func.func @f() {
  return
}

// -----
// symbols: a public declaration
// error: symbol declaration cannot have public visibility
func.func @f(f32) -> f32

// -----
// symbols: a function inside a function
func.func @f() {
  // error: symbol's parent must have the SymbolTable trait
  func.func @g() {
    return
  }
  return
}

// -----
// blocks: a branch to nowhere
func.func @f() {
  // error: reference to an undefined block '^bb7'
  "func.return"() [^bb7] : () -> ()
}

// -----
// blocks: one label twice
func.func @f() {
^first:
  return
// error: redefinition of block '^first'
^first:
  return
}

// -----
// aliases: an undefined map
func.func @f(%i: index) -> index {
  // error: undefined symbol alias '#mapp'
  %0 = affine.apply #mapp(%i)
  return %0 : index
}

// -----
// aliases: an undefined type
// error: undefined symbol alias '!tile'
func.func @f(%a: !tile) {
  return
}

// -----
// aliases: defined twice
#map = affine_map<(d0) -> (d0)>
// error: redefinition of the alias '#map'
#map = affine_map<(d0) -> (d0 + 1)>

// -----
// text: a string without an end
module attributes {
  // error: expected '"' at the end of the string
  some.text = "open
} {
}

// -----
// text: a string with an unknown escape
// error: unknown escape '\q' in a string
module attributes {some.text = "a\q"} {
}

// -----
// text: a closing brace too many
func.func @f() {
  return
}
// error: there is no '{' for this '}'
}

// -----
// text: a stray character
func.func @f() {
  // error: unexpected character '~'
  ~
  return
}

// -----
// text: a missing equals sign
func.func @f(%a: f32) -> f32 {
  // error: expected '=' after operation result list, found 'arith.negf'
  %0 arith.negf %a : f32
  return %0 : f32
}

// -----
// text: a type that does not exist
func.func @f(%a: f32) -> f32 {
  // error: expected type, found 'float'
  %0 = arith.negf %a : float
  return %0 : f32
}

// -----
// text: the same key twice
// error: some.key
module attributes {some.key = 1, some.key = 2} {
}

// -----
// text: an attribute that no dialect has
// error: unknown attribute '#gpu.blok
module attributes {some.mapping = #gpu.blok<x>} {
}

// -----
// numbers: a hexadecimal float that is too long
func.func @f() -> f16 {
  // error: hexadecimal float constant out of range for 'f16'
  %0 = arith.constant 0x1FFFF : f16
  return %0 : f16
}

// -----
// numbers: an integer for a float
func.func @f() -> f32 {
  // error: unexpected decimal integer literal for the float type 'f32'; write 1.0
  %0 = arith.constant 1 : f32
  return %0 : f32
}

// -----
// numbers: a float for an integer
func.func @f() -> tensor<2xi32> {
  // error: a float literal for the integer type 'i32'
  %0 = arith.constant dense<[1, 2.0]> : tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----
// numbers: an integer that does not fit
func.func @f() -> i8 {
  // error: 300 does not fit the type 'i8'; it holds -128 to 255
  %0 = arith.constant 300 : i8
  return %0 : i8
}

// -----
// numbers: a dense literal of another shape
func.func @f() -> tensor<3xf32> {
  // error: the literal's shape [2] is not that of its type, [3]
  %0 = arith.constant dense<[1.0, 2.0]> : tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----
// numbers: a dense literal with ragged rows
func.func @f() -> tensor<2x2xf32> {
  // error: the rows of the literal differ
  %0 = arith.constant dense<[[1.0, 2.0], [3.0]]> : tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----
// numbers: a dense literal of bytes, too few
func.func @f() -> tensor<2xf32> {
  // error: 2 bytes for 'tensor<2xf32>', which has 8
  %0 = arith.constant dense<"0x0000"> : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----
// numbers: a dense literal of a dynamic shape
func.func @f() -> tensor<?xf32> {
  // error: must have a static shape
  %0 = arith.constant dense<1.0> : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----
// locations: an alias that is not defined
func.func @f() {
  // error: the location '#loc9' is not defined
  return loc(#loc9)
}

// -----
// ops: a name without its dialect
func.func @f(%a: f32) -> f32 {
  // error: the op 'addf' has no dialect before its name; did you mean 'arith.addf'?
  %0 = addf %a, %a : f32
  return %0 : f32
}

// -----
// ops: a dialect of old
func.func @f(%a: f32) -> f32 {
  // error: there is no dialect 'std' any more; did you mean 'arith.addf'?
  %0 = std.addf %a, %a : f32
  return %0 : f32
}

// -----
// ops: a name of old
func.func @f() -> tensor<4xf32> {
  // error: there is no 'linalg.init_tensor' any more; it is tensor.empty today
  %0 = linalg.init_tensor [4] : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----
// ops: a misspelled name
func.func @f() -> tensor<4xf32> {
  // error: there is no op 'tensor.emtpy'; did you mean 'tensor.empty'?
  %0 = tensor.emtpy() : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----
// ops: a dialect that nobody has
func.func @f() {
  // error: there is no dialect 'gadgets'
  "gadgets.make"() : () -> ()
  return
}

// -----
// ops: generic form with too few types
func.func @f(%a: f32) -> f32 {
  // error: expected 1 operand types but had 2
  %0 = "arith.addf"(%a, %a) : (f32) -> f32
  return %0 : f32
}
