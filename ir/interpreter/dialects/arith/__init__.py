"""The numpy semantics of the arith dialect: floats, integers, casts."""
