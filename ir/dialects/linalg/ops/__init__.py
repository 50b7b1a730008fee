"""linalg's ops, except `linalg.generic`: a file a family.

    contractions, windows    sums of products; convolutions and poolings
    elementwise, map, random functions of the elements at one index
    movement, reduce         broadcasts, transpositions; reductions
    relayout, softmax        ops that are not structured

The interface of structured ops, and what their texts share, are in the folder above.
"""
