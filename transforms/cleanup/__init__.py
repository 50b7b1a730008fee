"""Clean-up ops: `apply_patterns`, `apply_cse`, `apply_dce` and `apply_licm`.

`driver.py` applies patterns greedily, `patterns/` has the patterns by dialect,
`groups.py` lists the groups of patterns by upstream's names. `build.py`,
`constants.py`, `shapes.py` and `carried_values.py` are helpers of patterns;
`effects.py` decides which ops are dead or may move. Imports `core/` and `ir/`.
"""
