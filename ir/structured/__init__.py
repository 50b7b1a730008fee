"""What is known of structured ops: loops, bodies, combiners."""
