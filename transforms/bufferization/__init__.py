"""From tensors to buffers."""
