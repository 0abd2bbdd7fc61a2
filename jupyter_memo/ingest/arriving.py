"""Records as they arrive: read off the loop in small batches, each compared with what the index knows of its ids."""

from __future__ import annotations

import dataclasses
import threading
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from datetime import datetime

from jupyter_memo.ingest import standing
from jupyter_memo.ingest.commit import BATCH_PASSAGES, BATCH_SOURCES, GIVEN_AGAIN, IN_FLIGHT_SOURCES
from jupyter_memo.ingest.prepare import Prepared
from jupyter_memo.ingest.tally import Tally
from jupyter_memo.records import Source
from jupyter_memo.response import SourceReport
from jupyter_memo.store.lance import Store

REPLACES = "given before; this one replaces it"
GIVEN_BEFORE = "given before, in the same words"

Off = Callable[[Callable[[], list[tuple[Source, Prepared]]]], Awaitable[list[tuple[Source, Prepared]]]]


class Arriving:
    """Sources that come from an iterator of any length. `now` is the time of the run, `off` runs a function off the
    loop; `tell` is called with the uri of each source that need not be written."""

    def __init__(
        self,
        store: Store,
        items: Iterator[tuple[Source, Prepared]],
        now: datetime,
        off: Off,
        tell: Callable[[str], None],
    ) -> None:
        self._store = store
        self._items = items
        self._now = now
        self._off = off
        self._tell = tell
        self._stopped = threading.Event()
        self._failed: Exception | None = None
        self._recent: OrderedDict[str, Source] = OrderedDict()

    async def changed(self, tally: Tally) -> AsyncIterator[Prepared]:
        """Those that differ from what the index holds, in their order; the others go into the report at once.

        Of several with one id in one batch the last counts; one that comes later replaces what was written before it.
        """
        while batch := await self._off(self._next):
            last = {source.id: number for number, (source, _) in enumerate(batch)}
            ids = [id for id in last if id not in self._recent]
            known = {source.id: source for source in await self._store.sources(ids)} if ids else {}
            for number, (source, prepared) in enumerate(batch):
                if last[source.id] != number:
                    tally.sources.append(SourceReport(uri=source.uri, status="skipped", reason=GIVEN_AGAIN))
                    self._tell(source.uri)
                    continue
                held = self._recent.get(source.id) or known.get(source.id)
                again = held is not None and held.recorded_at == self._now
                if held is not None and standing.same(held, source):
                    tally.sources.append(
                        SourceReport(uri=source.uri, status="skipped", reason=GIVEN_BEFORE)
                        if again
                        else SourceReport(uri=source.uri, status="unchanged", kept=held.passages)
                    )
                    self._tell(source.uri)
                    continue
                # What is on its way to the store is not seen there yet.
                self._recent[source.id] = source
                self._recent.move_to_end(source.id)
                while len(self._recent) > IN_FLIGHT_SOURCES:
                    self._recent.popitem(last=False)
                yield dataclasses.replace(prepared, notes=(*prepared.notes, REPLACES)) if again else prepared

    def stop(self) -> None:
        """Read no further: a thread that is reading ends after the record it is at."""
        self._stopped.set()

    def _next(self) -> list[tuple[Source, Prepared]]:
        if self._failed is not None:
            raise self._failed
        batch: list[tuple[Source, Prepared]] = []
        passages = 0
        while len(batch) < BATCH_SOURCES and passages < BATCH_PASSAGES and not self._stopped.is_set():
            try:
                item = next(self._items, None)
            except Exception as error:  # told when what came before it is on its way, whatever it is
                self._failed = error
                break
            if item is None:
                break
            batch.append(item)
            passages += len(item[1].rows)
        if self._failed is not None and not batch:
            raise self._failed
        return batch
