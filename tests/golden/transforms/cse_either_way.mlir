builtin.module {
  func.func @f(%a: f32, %b: f32, %i: i32, %j: i32) -> (f32, f32, i32, i32, i32, i32) {
    %0 = arith.addf %a, %b : f32
    %1 = arith.muli %i, %j : i32
    %2 = arith.subi %i, %j : i32
    %3 = arith.subi %j, %i : i32
    func.return %0, %0, %1, %1, %2, %3 : f32, f32, i32, i32, i32, i32
  }
}
