"""One question about a text in each file; positions count from 1, as in `Place`."""
