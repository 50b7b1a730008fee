"""Sequences in the schedule language that any schedule may include.

`prelude.tw` has those that need no import, the other `.tw` files those that
`import NAME` makes known. `imports.py` finds and reads imported files, `prelude.py`
gives the library's own sequences as trees and as IR.
"""
