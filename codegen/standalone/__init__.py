"""The stand-alone file of `opt --emit triton`: it launches, checks and times itself.

`reference/` writes the payload in torch. Reads `codegen/source/`, `codegen/analysis/`,
the generated program and `ir/`.
"""
