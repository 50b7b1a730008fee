"""What each command does; `cli.py` declares them."""
