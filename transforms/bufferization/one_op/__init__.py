"""Bufferization of one op, with new buffers around it: `bufferize_to_allocation`."""
