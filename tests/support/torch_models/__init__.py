"""Small torch models of the usual kinds, with example inputs; `zoo.py` lists them."""
