"""Compiling, launching and interpreting a generated program."""
