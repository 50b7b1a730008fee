builtin.module {
  func.func @f(%n: index) -> tensor<?x4xindex> {
    %0 = tensor.empty(%n) : tensor<?x4xindex>
    %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<?x4xindex>) attrs = {made} {
    ^bb0(%1: index):
      %2 = linalg.index 0 : index
      %3 = linalg.index 1 : index
      %s = arith.muli %2, %n : index
      %t = arith.addi %s, %3 : index
      linalg.yield %t : index
    } -> tensor<?x4xindex>
    func.return %r : tensor<?x4xindex>
  }
}
