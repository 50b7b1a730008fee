"""From text to IR: a lexer, and a parser in layers.

Each layer derives from the one below: `parse_failure` (errors), `types`, `literals`,
`locations`, `values` (names and scopes), `parser` (ops and modules). Beside them are
the words of errors (`op_names`, `remedies`, `xdsl_messages`, `scalar_functions`) and
the texts that were read (`sources`). The entry point is `ir/text.py`.

Reads `ir/context.py`, `ir/dialects/`, `ir/indexing/` and `ir/errors.py`.
"""
