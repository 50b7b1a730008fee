"""Transfer: results of one shape or device that serve another.

    family            payloads that differ only in their sizes
    nearness          how far two shapes, and two devices, are apart
    nearest_point     the valid point nearest to a wanted one
    known_points      the best points that a results file has for a family
    planned_kernels   the same for the kernels of planned schedules
    per_size          a search for each size in one run
    size_tree         which point at which sizes: exact decision trees
    certificates      between which sizes a point stays near the best

Reads `space/`, `results/`, `model/` and the interface of strategies.
"""
