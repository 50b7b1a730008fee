"""Computing producers where they are consumed."""
