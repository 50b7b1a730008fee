"""ATen ops as functions of the payload builder, a file for each family.

`elements/`, `places/`, `rows/`, `matrices/` and `images/` hold the families; `table.py`
names every op. A function takes a `Result` (what torch says the op gives)
and then the op's own arguments: tensors of the payload, numbers, names of element
types. It calls `refuse` for arguments that it does not support. Imports the payload
builder only, not torch.
"""
