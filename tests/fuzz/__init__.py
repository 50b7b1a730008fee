"""Random payloads under random schedules, every step checked."""
