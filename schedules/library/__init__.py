"""Sequences in the schedule language that any schedule may include.

`prelude.tw` has them, `prelude.py` reads them with `language/`.
"""
