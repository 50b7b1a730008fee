"""The parts of `tilewright shell`: the session, and the prompt with its completion."""
