"""The cost model: estimates of time and occupancy."""
