"""Run `python -m webapp.cli`, for checkouts without the installed command."""

import sys

from webapp.cli.command import main

sys.exit(main())
