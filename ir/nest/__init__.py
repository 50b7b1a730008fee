"""The loop nest of a module at every level: grids, loops, ops, and the bytes they move.

    names  what a person calls a value, and what an op does
    live   the ops whose results are used
    homes  where a value is: in memory or on chip
    tree   the nest as plain data
    build  from a module to the tree

Memory has the arguments and results of a function, and every value that an op outside a
grid makes. What an op makes inside a grid is on chip. A view (a slice, a reshape) is
where its source is and moves nothing.

An op reads its operands, and its outputs if its body uses them. It writes its results.
Every byte that a program loads or stores counts, each time it does, also if the L2
cache has it. A tile that is cut off at an edge, or masked, counts as a whole one. A
branch counts as taken. `tensor.empty` and constants with one value cost nothing.

Kept on chip are the results that an op inside a grid makes and another op there uses,
once for each trip. What a loop carries counts once, when the loop ends. A result that
only a store or a reduction uses does not count.
"""
