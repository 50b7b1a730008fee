"""Parse text to IR: a lexer, and a parser in layers.

Each layer derives from the one below: `failures/parse_failure` (errors), `types`,
`literals`, `locations`, `values` (names and scopes), `parser` (ops and modules).
`types` checks with `shaped_types`, `nesting` limits how deep a text may be nested. The
wording of errors is in `failures/`. `sources` keeps the texts that were read. The entry
point is `ir/text.py`.

Imports `ir/context.py`, `ir/dialects/`, `ir/indexing/`, `ir/errors.py` and smaller
modules of `ir/`.
"""
