"""Upstream's dialects, and our own kernel dialect, as xDSL ops.

A file or folder a dialect, under its upstream name. Ops that agree with upstream in
xDSL are xDSL's (`tests/ir/test_own_ops.py` compares them); others are defined here, and
code above imports both from here. `effects.py`, `enums.py` and `elementwise.py` are
shared; `unsupported.py` lists upstream's ops that we do not have. Imports
`ir/lazy_ops.py` and `ir/types.py`.
"""

from tilewright.ir.lazy_ops import install

install()
