"""Which call of a library computes which ops of a function, and on which buffers.

- `call`: a call as data: function, views of buffers, numbers.
- `matmuls`, `convolutions`: matmuls and convolutions, with their tails.
- `find_call`: the call that computes an op, or a refusal.
- `groups`: the ops that a call replaces: a fill, a product, the op that reads it.
- `stored_calls`: a call as an attribute of `kernel.library`.

Reads `ir/`, `codegen/refusal.py` and the analyses of buffers.
"""
