"""A progress bar that leaves nothing behind: a notebook saved after the run holds no dead widget."""

from __future__ import annotations

import contextlib
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from IPython import get_ipython
from IPython.display import clear_output, display

Progress = Callable[[int, int, str], None]

PATIENCE_SECONDS = 0.5
"""A run that is shorter than this shows no bar."""

NAME_WIDTH = 40


@contextlib.contextmanager
def bar(what: str, unit: str, *, quiet: bool = False) -> Iterator[Progress | None]:
    """A function (done, total, name) that moves a tqdm bar; None when quiet. The bar is taken away at the end. A total
    of 0 is not known yet: the bar counts.

    In a notebook tqdm draws a widget, and a saved widget whose model is gone would read "Error displaying widget".
    Where the magic is the whole cell, all output so far is the bar, and it is cleared. Elsewhere that could take what
    the user printed, so the place of the bar is filled with empty text.
    """
    if quiet:
        yield None
        return
    shown = _Bar(what, unit)
    try:
        yield shown.move
    finally:
        shown.close()


class _Bar:
    def __init__(self, what: str, unit: str) -> None:
        self._what, self._unit = what, unit
        self._began = time.monotonic()
        self._bar: Any = None
        self._place: Any = None

    def move(self, done: int, total: int, name: str) -> None:
        if self._bar is None:
            if time.monotonic() - self._began < PATIENCE_SECONDS:
                return
            self._open(total)
        self._bar.total = total or None
        self._bar.set_postfix_str(name if len(name) <= NAME_WIDTH else "…" + name[1 - NAME_WIDTH :], refresh=False)
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
        if self._place is None:
            return
        if _whole_cell():
            clear_output()  # type: ignore[no-untyped-call]
        else:
            self._place.update({"text/plain": ""}, raw=True)

    def _open(self, total: int) -> None:
        with warnings.catch_warnings():
            # tqdm warns where ipywidgets is missing and then draws in text, which is all that is wanted.
            warnings.simplefilter("ignore")
            from tqdm.auto import tqdm
            from tqdm.notebook import tqdm_notebook
        settings: dict[str, Any] = {
            "total": total or None,
            "desc": self._what,
            "unit": f" {self._unit}",
            "leave": False,
        }
        if issubclass(tqdm, tqdm_notebook):
            self._bar = tqdm(display=False, **settings)
            self._place = display(self._bar.container, display_id=True)  # type: ignore[no-untyped-call]
        else:
            self._bar = tqdm(**settings)


def _whole_cell() -> bool:
    """Whether the cell that runs is one magic line of this package and nothing else but comments."""
    request: dict[str, Any] = getattr(get_ipython(), "get_parent", dict)()
    code = str(request.get("content", {}).get("code", ""))
    lines = [line for line in map(str.strip, code.splitlines()) if line and not line.startswith("#")]
    return len(lines) == 1 and lines[0].startswith("%memo")
