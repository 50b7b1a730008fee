"""The version of tilewright, for every layer that records it."""

__version__ = "0.1.0"
