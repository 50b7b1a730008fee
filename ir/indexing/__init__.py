"""Index arithmetic: affine maps, linear forms, and the range of an index.

- `semi_affine`, `normal_form`: expressions; building, parsing and simplifying them as
  upstream does.
- `linear`: one linear form, a sum of symbols times coefficients and a constant. The
  symbols are dims of an expression, SSA values, or code generation's atoms.
- `intervals`: one interval arithmetic.
- `constants`, `index_ops`, `loops`: what ops say of an index. It is a constant, a map
  of other indices, a minimum or maximum of maps, or runs over the range of a loop.
- `composition`: a map with the `affine.apply` ops that compute its operands folded in.
- `ranges`: one range analysis, the least and the greatest number that an index can be.

An analysis of its own adds only what it alone knows: `Ranges` takes the intervals of
values that nothing bounds, and `codegen/analysis/elements/atoms.py` derives from
`Linear` to give its symbols levels and sizes known at run time.

Reads only `ir/dialects/`, and changes no IR.
"""
