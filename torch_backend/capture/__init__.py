"""torch programs as graphs of core ATen ops.

`decompositions.py` says which ops are taken apart; `exported.py` captures a module or a
function by torch.export, and `user_errors.py` tells what fails there; `rewrites.py`
lists what is done to a graph before it is cut into payloads. `patterns/` has the small
rewrites; those for convolutions and for unrolled loops have folders of their own.
Imports torch only.
"""
