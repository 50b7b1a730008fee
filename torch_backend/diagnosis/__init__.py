"""Tools that tell what the torch door did with a model.

    capture.py      the graphs of a call, their segments and their inputs
    kernels.py      the kernels of a segment: ops, model lines, estimates, bounds
    device_times.py the device time of ranges, from a trace of torch's profiler
    times.py        measured times of kernels
    explanation.py  `tilewright.explain`: a table of kernels, and what stayed in torch
    tables.py       the tables that people read
    values.py       eager torch's values, and whether others deviate
    exact.py        the same values in float64
    execution.py    programs on arrays, on a GPU or in an interpreter
    kernel_alone.py a kernel by itself, with its inputs
    culprit.py, checked_segment.py, bisection.py
                    `tilewright.bisect`: the first kernel that deviates
    repro.py        a script of a kernel, with its inputs
    profiling.py    `tilewright.profile`: a trace with the schedule's lines

Imports the backend and everything below it.
"""
