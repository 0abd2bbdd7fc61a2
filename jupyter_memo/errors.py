"""Every error the package raises on purpose. Each message says what is wrong and holds the cure.

MemoError
|- ConfigError        an unknown key (names the nearest) or a bad value (names the key and where it was set)
|  '- ProfileError    ranking constants that contradict each other, or an unknown profile
|- QueryError         empty text, a limit outside 1..100, a malformed filter value
|- StoreError         the store cannot be opened, is locked, damaged or written by a newer version
|- IngestError        one source failed (uri, stage, cause); collected in the report, raised only when strict
|- LifecycleError     no such record, already superseded, not allowed for this trust
|- ModelError         a model failed to load or to run; inside a search it becomes `Degraded`
'- MissingExtraError  an optional dependency is absent; also an ImportError; names the exact pip command
"""

from __future__ import annotations


class MemoError(Exception):
    """The root of the tree: catch it to catch everything this package raises on purpose."""


class ConfigError(MemoError):
    """A setting is unknown or has a bad value."""


class ProfileError(ConfigError):
    """Ranking constants contradict each other, or no profile has that name."""


class QueryError(MemoError):
    """The question cannot be asked as it is."""


class StoreError(MemoError):
    """The store cannot be opened, read or written."""


class IngestError(MemoError):
    """One source could not be indexed.

    `uri` names the source, `stage` is read, chunk, embed or write; `__cause__` is what went wrong.
    """

    def __init__(self, message: str, *, uri: str, stage: str) -> None:
        super().__init__(message)
        self.uri = uri
        self.stage = stage


class LifecycleError(MemoError):
    """A record cannot change in the way that was asked for."""


class ModelError(MemoError):
    """A model could not be loaded or failed while it ran."""


class MissingExtraError(MemoError, ImportError):
    """An optional dependency is not installed."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(f"{package} is not installed. Run: pip install 'jupyter_memo[{extra}]'")
        self.package = package
        self.extra = extra
