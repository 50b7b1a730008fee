"""From structured ops to vector code. Imports `rewrite/` and `tile/`."""
