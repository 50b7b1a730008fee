"""What structured ops do, read off their interface and never off an op's name.

    maps           how indexing maps name loops
    loops          the loop nest of an op, parallel and reduction loops
    combiners      the one table of reductions: kinds, ops, neutral elements
    bodies         what a body computes for one element
    reductions     outputs that one op combines, and sums of products
    contractions   batch, rows, columns and summed loops of a product
    matmul_tails  element-wise ops that scale a product, add to it and round it
    convolutions   convolutions of images
    equal_extents  sizes that must be equal in a function

The interface itself stays with the dialect, in `ir/dialects/linalg`: a `StructuredOp`
gives iterator types, indexing maps, static loop ranges and a body, and its verifier
needs these. What follows from the interface is here, so that the transformations, the
interpreter and code generation all read the same answer.

Imports `ir.dialects`, `ir.dtypes` and `ir.types`; no numpy.
"""
