"""The numpy semantics of each dialect, registered op by op."""
