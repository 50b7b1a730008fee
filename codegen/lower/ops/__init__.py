"""The ops inside a grid: `table` has each with its lowering.

A lowering (`transfers`, `gathers`, `contract`, `shapes`, `arith`, `loops`, `branches`,
`index_tiles`) is a function of an op and of the values that it reads or changes.
"""
