"""The `.tw` language: text to tree, tree to transform IR, and back.

`parsing/` makes the tree of `syntax.py` from text, `verbs/` is the table of verbs,
`lowering/` makes transform IR from the tree, `printing/` writes transform IR as text.
Each reads only those before it; parsing and verbs do not know each other.
"""
