"""What tiling and fusion ask of an op: upstream's TilingInterface.

`tiling.py` has the questions, `table.py` the ops that answer them, and a file for each
kind of op the answers. Imports `one_tile.py` beside it, and `core/`.
"""
