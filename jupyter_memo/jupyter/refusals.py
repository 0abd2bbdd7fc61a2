"""What the server refuses, and by which status: {code, message, hint} as JSON."""

from __future__ import annotations

STATUS = {
    "ConfigError": 400,
    "ProfileError": 400,
    "QueryError": 400,
    "BadRequest": 400,
    "Outside": 403,
    "LifecycleError": 404,
    "NotFound": 404,
    "ReadOnly": 409,
    "Superseded": 409,
    "TooLarge": 413,
    "Busy": 429,
    "StoreError": 503,
    "WorkerGone": 503,
    "Timeout": 504,
}
"""The HTTP status of a code; of any other 500."""


class RefusedError(Exception):
    """A request that is not answered: `code` is stable, `message` says what is wrong, `hint` the cure."""

    def __init__(self, code: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint

    @property
    def status(self) -> int:
        return STATUS.get(self.code, 500)

    def told(self) -> dict[str, str]:
        """As JSON tells it."""
        return {"code": self.code, "message": self.message, "hint": self.hint}


def gone(why: str) -> RefusedError:
    """The refusal of what was asked of a process that is not there any more."""
    return RefusedError(
        "WorkerGone",
        f"The search engine stopped: {why}.",
        "Ask again: it is started anew. If it stops again, the log of the Jupyter server says why.",
    )


def late(seconds: float, hangs: bool) -> RefusedError:
    """The refusal of what took too long; `hangs` where the engine was ended for it."""
    hint = "The search engine hung and is started anew: ask again." if hangs else "Ask for less, or again."
    return RefusedError("Timeout", f"There was no answer within {seconds:.0f} s.", hint)
