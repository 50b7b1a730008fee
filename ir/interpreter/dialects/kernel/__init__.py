"""The numpy semantics of the kernel dialect: launches, tiles, memory, arithmetic."""
