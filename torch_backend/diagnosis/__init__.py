"""Tools that tell what the torch door did with a model.

    capture.py      the graphs of a call, their segments and their inputs
    kernels.py      the kernels of a segment: ops, model lines, estimates, bounds
    times.py        measured times of kernels
    explanation.py  `tilewright.explain`: a table of kernels, and what stayed in torch
    tables.py       the tables that people read

Imports the backend and everything below it.
"""
