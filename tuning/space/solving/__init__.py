"""The solver of search spaces: counts, iterates over, indexes and samples valid points.

From the bottom up, each file using those before it:

    domains      the options of a choice, and the numbers that conditions compute with
    bounds       nodes of conditions, and the bounds of their values
    nodes        conditions and numbers as nodes, simplified and shared
    formulas     the node of a requirement
    residuals    what remains of a node after some choices are made
    components   choices that share conditions, and the diagram of their valid values
    estimation   counting and sampling where a diagram would be too large
    counts       the number of points, exact or estimated
    conditions   the choices as variables, and the conditions on a point
    walking      iteration over the points
    solver       all of it behind one class

Reads only `space/choices.py` and the formulas of `transforms/`.
"""
