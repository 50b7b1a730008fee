"""Ways to make a payload other than writing MLIR.

`builder/` builds one from Python calls (public as `tilewright.payloads`). Reads only
`ir/`. `torch_backend/` builds payloads of torch programs with it.
"""
