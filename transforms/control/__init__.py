"""Ops that say what runs when: sequences, foreach, alternatives, remarks, passes.

`choices/` holds what a schedule leaves open. `pass_table.py` names the passes of
`apply_registered_pass`, so this folder imports all folders with transformations.
"""
