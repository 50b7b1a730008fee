"""From the buffer level to Triton: kernel dialect, source, compilation, launch."""
