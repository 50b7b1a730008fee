"""`tilewright view`: a page about a payload, a torch model or a tuning run."""
