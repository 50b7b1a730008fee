"""Small torch functions of many kinds, in two sizes and two element types.

    gate.py records their kernels and estimates before and after a change.

A family is a file; `table.py` lists all of them by name.
"""
