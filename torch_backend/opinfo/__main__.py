"""`python -m tilewright.torch_backend.opinfo`."""

import sys

from tilewright.torch_backend.opinfo.command import main

sys.exit(main())
