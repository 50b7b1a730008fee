"""Architectures of public libraries, with random weights, to try the torch door on."""
