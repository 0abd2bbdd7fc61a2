"""The store: records in LanceDB tables, found again by words, by literal tokens and by meaning."""

import os

# LanceDB's own logger writes warnings into notebook cells. It reads its level once, when it is imported, so a default
# is set here, before any module of this room imports it; a level that somebody chose stays.
os.environ.setdefault("LANCEDB_LOG", "error")  # noqa: TID251
