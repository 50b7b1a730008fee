"""`python -m tilewright`."""

from tilewright.cli import main

if __name__ == "__main__":
    main()
