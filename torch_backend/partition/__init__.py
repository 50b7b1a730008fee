"""Which nodes of a graph become payload, and which stay calls of torch.

`support.py` decides for one node, by lowering it alone; `segments.py` puts the
supported nodes into as few segments as the data's dependences allow. Imports
`lowering/`.
"""
