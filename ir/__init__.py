"""What is computed: dialects on xDSL, the parser, the numpy reference interpreter."""
