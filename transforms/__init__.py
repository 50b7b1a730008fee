"""The transform dialect: schedules run here and rewrite payload.

One folder for each of upstream's prefixes, one file for each transformation. `table.py`
lists every op, `interpreter.py` runs a schedule. Imports run downwards:

    interpreter, matchers, table
    control          sequences, foreach, alternatives, knobs, passes by name
    bufferization    from tensors to buffers
    structured       tile, fuse, pad, quantize, rewrite, vectorize
    loop, gpu        loops and grids
    cleanup, handles patterns, CSE, DCE, LICM; from handle to handle
    core             ops, state, rewriter, rollback, verifier

The package imports `ir/` and nothing above it.
"""

from tilewright.ir.op_definitions.lazy_ops import install

install()
