"""The numpy semantics of the memref dialect: views, memory, lifetimes."""
