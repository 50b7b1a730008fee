"""The valid points of a space: counted, walked, addressed and drawn, never listed.

From the bottom up, each file using those before it:

    domains      the options of a choice, and the numbers that conditions compute with
    bounds       a node of a condition, and the numbers between which its value lies
    nodes        conditions and numbers as nodes, simplified and shared
    formulas     a requirement of the schedule as a node
    residuals    what is left of a node once some choices are made
    components   choices that conditions tie together, and the diagram of their values
    estimation   counting and drawing where a diagram would be too large
    counts       how many points there are, exactly or about
    conditions   the choices of a space, and the conditions that make a point valid
    walking      the points in order
    solver       all of it behind one class
"""
