"""`python -m xworld` is `xworld`."""

import sys

from xworld.cli.main import main

sys.exit(main())
