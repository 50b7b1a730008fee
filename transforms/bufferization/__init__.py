"""From tensors to buffers: `one_shot_bufferize`.

`op_model.py` says what bufferization must know of an op, `ops/` has a model for each
kind of op and `op_table.py` lists them. `tensor_facts.py` and `inplace.py` decide which
tensors share a buffer, `buffer_writer.py` writes the function anew. Imports
`structured/`, `cleanup/` and `core/`.
"""
