"""tilewright: a compiler in which how a tensor program runs is itself a program."""

__version__ = "0.1.0"
