"""A graph of ATen ops, or a part of one, as a payload.

From the bottom: `dtypes.py` and `sizes.py` translate element types and sizes;
`layouts.py` the order of dimensions in memory; `model_lines.py` finds the line of the
model that a node comes from; `node_call.py` calls the function of an op; `lower.py`
lowers a list of nodes. Imports `ops/`, the payload builder and torch.
"""
