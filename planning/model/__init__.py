"""The time of a kernel from its shape and its knobs, without building it.

The constants are fitted to recorded runs (`benchmarks/planned.py --sweep`). Reads
`grouping/`, `analysis/` and the targets of `codegen/`.
"""
