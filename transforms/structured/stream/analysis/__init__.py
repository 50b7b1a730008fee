"""What a chain is, and what keeps each of its accumulators right. Changes nothing.

    chain, find_chain   the ops along the dimension, and how they are found
    elements            what their bodies compute, as expressions
    dependences         what they may read
    derive              a correction for each reduction
    checks, limits      running values are numbers where corrections read them
    extremes            which maxima are finite, and which may drop NaN

Imports `algebra/` and `row_ops`.
"""
