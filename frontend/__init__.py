"""Ways to make a payload other than writing MLIR.

`builder/` builds one from Python calls (public as `tilewright.payloads`). Programs of
torch will be imported here. Reads only `ir/`.
"""
