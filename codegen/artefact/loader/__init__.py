"""The loader of an artefact: runs compiled kernels without the compiler.

    from loader import load
    program = load("folder")
    out = program(a, b)           # torch tensors, or other arrays on the GPU

It needs Python and CUDA's driver. Torch is used where the arguments are its tensors, or
where the program calls its libraries. Nothing else is imported.

    artefact.py      the folder: metadata, and the program for the sizes of a call
    program.py       one program: checks a call once for each kind, then runs its steps
    steps.py         the steps: allocate, launch, copy, call a library
    kernels.py       compiled kernels: loading, packed parameters, tensor descriptors
    arrays.py        arguments: addresses, shapes, types, and arrays that are made here
    driver.py        CUDA's driver by ctypes
    metadata.py      metadata.json, whose form is checked
    forms.py         what JSON must look like
    files.py         files that are read whole, or refused
    expressions.py   sizes that are computed from the shapes of a call
"""

from .arrays import ArgumentError, DeviceArray
from .artefact import Artefact, load
from .driver import DeviceError
from .files import ArtefactError

__all__ = [
    "ArgumentError",
    "Artefact",
    "ArtefactError",
    "DeviceArray",
    "DeviceError",
    "load",
]
