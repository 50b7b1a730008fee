"""The callable of a compiled graph: segments of kernels and calls of torch in order.

`runners.py` makes a function of a payload, `launchable.py` one whose kernels the GPU
can hold; `segment_call.py` compiles a segment, at once or for the sizes that it is
called with; `segment_nodes.py` writes its call into a graph, with the layouts of its
tensors; `graph_function.py` makes one Python function of a graph; `program.py` puts the
segments and torch calls of a graph together; `kept_graph.py` writes and reads them for
later processes; `cuda_graphs.py` captures a graph's launches. Imports `compiling/`,
`partition/`, `lowering/` and the compiler.
"""
