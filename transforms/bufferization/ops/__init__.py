"""A bufferization model for each kind of op. Imports the analysis and the writer."""
