// return: of another type
func.func @f(%a: f32) -> i32 {
  // error: returns (f32), expected (i32)
  return %a : f32
}

// -----
// return: of too few values
func.func @f(%a: f32) -> (f32, f32) {
  // error: returns (f32), expected (f32, f32)
  return %a : f32
}

// -----
// call: of nobody
func.func @f(%a: f32) -> f32 {
  // error: 'nobody' does not reference a valid function
  %0 = call @nobody(%a) : (f32) -> f32
  return %0 : f32
}

// -----
// call: with operands of other types
func.func private @g(f32) -> f32
func.func @f(%a: f16) -> f32 {
  // error: the operands of @g are (f32), got (f16)
  %0 = call @g(%a) : (f16) -> f32
  return %0 : f32
}

// -----
// call: with other results
func.func private @g(f32) -> f32
func.func @f(%a: f32) -> (f32, f32) {
  // error: the results of @g are (f32), got (f32, f32)
  %0:2 = call @g(%a) : (f32) -> (f32, f32)
  return %0#0, %0#1 : f32, f32
}

// -----
// func: a declaration that is public
// error: cannot have public visibility
func.func @g(f32) -> f32

// -----
// func: some arguments without a name
// error: expected a name for every argument or for none
func.func @f(%a: f32, i32) {
  return
}

// -----
// func: the body takes other types
// error: the body takes (f16), expected (f32)
"func.func"() <{function_type = (f32) -> (), sym_name = "f"}> ({
^bb0(%a: f16):
  "func.return"() : () -> ()
}) : () -> ()

// -----
// func: attributes for too many arguments
// error: has attributes for 2 arguments, expected 1
"func.func"() <{arg_attrs = [{}, {}], function_type = (f32) -> (), sym_name = "f"}> ({
^bb0(%a: f32):
  "func.return"() : () -> ()
}) : () -> ()

// -----
// return: outside of a function
func.func @f(%c: i1) {
  // error: func.return
  scf.if %c {
    func.return
  }
  return
}
