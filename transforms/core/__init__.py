"""What every transform op builds on: base classes, handles and state, the rewriter.

It knows no single transformation. Reads only `ir/`.
"""
