"""The declarations of commands on torch models, and the options that they share.

Imports `cli/options`.
"""
