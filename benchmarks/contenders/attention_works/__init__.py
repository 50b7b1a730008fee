"""The works of `attention.py`: attention, its variants, decoding and long rows.

Imports torch, the rivals and, for payloads, tilewright.
"""
