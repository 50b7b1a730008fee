"""The numpy semantics of the vector dialect."""
