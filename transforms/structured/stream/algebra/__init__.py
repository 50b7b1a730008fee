"""The algebra of streaming: what a reduction combines, and how it is corrected.

    expressions   scalar expressions in terms of leaves: streamed, running, fixed
    rules         the rules, each for a form of f(x, r)
    polynomials   the rule for powers
    corrections   the result: what keeps an accumulator right

Imports `ir` only: nothing here looks at loops or changes payload.
"""
