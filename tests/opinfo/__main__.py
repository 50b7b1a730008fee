"""`PYTHONPATH=tests python -m opinfo`."""

import sys

from opinfo.command import main

sys.exit(main())
