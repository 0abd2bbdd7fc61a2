"""`python -m jupyter_memo VERB …`."""

from __future__ import annotations

import sys

from jupyter_memo.cli import main

sys.exit(main())
