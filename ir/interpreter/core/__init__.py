"""What every dialect needs to run: the registry, checked shapes, rounding, reductions.

    signature, memory_limit   what a function takes, and whether it fits this machine
    registry                  the table of semantics, and the interpreter itself
    rounding, elementwise     numbers in the types of the IR
    shapes, windows           sizes and slices at run time, checked
    loop_layout, combiners    operands laid out over loops, kinds of reductions
    contraction               sums of products by BLAS

Imports nothing from `ir.interpreter.dialects`.
"""
