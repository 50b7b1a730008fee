"""Upstream's dialects and our own kernel dialect, as xDSL ops.

Each dialect is a file or a folder under its upstream name. Where xDSL's op agrees with
upstream's, the dialect uses it (`tests/ir/test_own_ops.py` compares them); the other
ops are defined here. All other code imports these dialects from here. `effects.py`,
`enums.py` and `elementwise.py` are shared by dialects; `unsupported.py` lists
upstream's ops that are missing here.

The docstring of an op says what the op computes, that of `verify_` states the rules it
checks, and those of `parse` and `print` show the syntax.

Imports only `ir/op_definitions/` and `ir/types.py`.
"""

from tilewright.ir.op_definitions.lazy_ops import install

install()
