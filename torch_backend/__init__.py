"""The torch door: graphs of torch as payloads, and a backend for torch.compile.

    ops/        one small function for each ATen op, in tables by family
    capture/    torch programs as graphs of core ATen ops
    lowering/   a graph, or a part of one, as a payload
    partition/  which nodes become payload, and which stay calls of torch
    compiling/  a payload as a compiled program
    runtime/    the callable: kernels and torch calls in order
    diagnosis/  tools that tell what became of a model
    graph_cache.py lets torch keep compiled graphs for later processes
    watching.py tells these tools which segments are lowered; logs.py logs them
    from_torch.py, backend.py, options.py, report.py: what users call and read

Imports everything below `tilewright.program`. `ops/` imports the payload builder only,
not torch. docs/torch_internals.md explains the parts.
"""
