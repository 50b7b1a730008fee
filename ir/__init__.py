"""The payload IR: upstream MLIR's dialects on xDSL, read, checked and executed.

- `dialects/`: the ops; `context.py` lists the dialects of a payload.
- `text.py`: reading and printing modules, with `parsing/`, `verifying/`, `printing.py`.
- `structured/`, `indexing/`: what is known of structured ops and of index arithmetic.
- `interpreter/`: numpy semantics of every op.
- `errors.py`: errors with place, fact and remedy.
- `launch_attributes/`: the `triton.*` attributes, which upstream does not have.

Imports no other part of tilewright, and neither torch nor triton.
"""
