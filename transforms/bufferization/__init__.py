"""Bufferization: `one_shot_bufferize` turns tensors into buffers.

`op_model.py` defines the facts about an op that bufferization needs, `ops/` has a model
for each kind of op and `op_table.py` lists them. `tensor_facts.py` and `inplace.py`
decide which tensors share a buffer, `buffer_writer.py` rewrites the function on
buffers, `bufferizer.py` does all of it for a module. Imports `structured/`, `cleanup/`,
`core/` and `ir/`.
"""
