"""What every set is measured on: its store, made once and kept where asked, and the vectors of the reference."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from jupyter_memo.errors import StoreError
from jupyter_memo.evaluate import asking, baseline
from jupyter_memo.evaluate.asking import Asked, Search
from jupyter_memo.evaluate.measures import Run
from jupyter_memo.evaluate.sets import EvaluationSet, Question
from jupyter_memo.profile import Profile

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from jupyter_memo.models import Embedder

Progress = Callable[[int, int, str], None]


class Index(Protocol):
    """A store that records can be added to and that can be searched, with the signatures of `Memo`."""

    @property
    def search(self) -> Search: ...

    @property
    def add(self) -> Callable[[Any], object]: ...

    @property
    def calibrate(self) -> Callable[..., object]: ...


Opened = Callable[[Path, bool], AbstractContextManager[Index]]
"""Opens the store at a path; the second argument is whether it is opened read-only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """How a store is opened, the model (None: words only), the folder that keeps the stores, and who is told how far
    it is: progress(done, of, what). `own` searches the store that sets without documents of their own are about."""

    opened: Opened
    embedder: Embedder | None
    stores: Path
    progress: Progress | None = None
    own: Search | None = None

    @contextlib.contextmanager
    def searching(self, evaluated: EvaluationSet, shipped: Sequence[Profile] = ()) -> Iterator[Search]:
        """A search over the set's documents: over the store of an earlier run if there is one, else indexed now. The
        store is calibrated for those of the profiles `shipped` that have a floor.

        A store without a note beside it is taken as it is. Raises StoreError when the note tells of another corpus or
        model.
        """
        if self.own is not None and not evaluated.documents:
            yield self.own
            return
        path, note = self.stores / evaluated.name, self.stores / f"{evaluated.name}.json"
        model = f"{self.embedder.id} {self.embedder.sha256}" if self.embedder else "none"
        wanted = {"corpus": evaluated.corpus_sha256, "model": model}
        found = json.loads(note.read_text(encoding="utf-8")) if note.is_file() else None
        if found is not None and any(found.get(name) != value for name, value in wanted.items()):
            raise StoreError(f"{path} was made of another corpus or by another model. Delete it and {note.name}")
        if not path.is_dir() or (found is not None and not found.get("complete")):
            self.stores.mkdir(parents=True, exist_ok=True)
            note.write_text(json.dumps({**wanted, "complete": False}), encoding="utf-8")
            self._tell(0, 1, f"{evaluated.name}: indexing {len(evaluated.documents)} documents")
            with self.opened(path, False) as index:
                index.add(list(evaluated.records()))
            note.write_text(json.dumps({**wanted, "complete": True}), encoding="utf-8")
        floored = [each for each in shipped if each.fusion.method == "evidence" and each.abstain.enabled]
        if floored:
            with self.opened(path, False) as index:
                for profile in floored:
                    self._tell(0, 1, f"{evaluated.name}: calibrating {profile.name}")
                    index.calibrate(profile=profile)
        with self.opened(path, True) as index:
            yield index.search

    def ask(
        self, search: Search, evaluated: EvaluationSet, questions: Sequence[Question], profile: Profile, limit: int
    ) -> Asked:
        """The answers to the questions under a profile, `limit` documents each."""
        what = f"{evaluated.name}: {profile.name}"
        return asking.ask(search, questions, profile, limit=limit, tell=lambda done, of: self._tell(done, of, what))

    def reference(self, evaluated: EvaluationSet) -> dict[str, Run]:
        """The runs of the reference: bm25, dense (with a model) and the fusion of both."""
        runs = {"bm25": baseline.bm25(evaluated)}
        if self.embedder:
            runs["dense"] = baseline.dense(evaluated, self.embedder, self._vectors(evaluated, self.embedder))
        return runs | {baseline.NAME: baseline.rrf(*runs.values())}

    def _vectors(self, evaluated: EvaluationSet, embedder: Embedder) -> NDArray[np.float32]:
        """One vector a document, kept beside the stores: reading a large corpus again takes minutes."""
        key = hashlib.sha256(f"{evaluated.corpus_sha256} {embedder.id} {embedder.sha256}".encode()).hexdigest()[:12]
        path = self.stores / f"{evaluated.name}.{key}.npy"
        if path.is_file():
            rows: NDArray[np.float32] = np.load(path, allow_pickle=False)
            if len(rows) == len(evaluated.documents):
                return rows
        self._tell(0, 1, f"{evaluated.name}: embedding {len(evaluated.documents)} documents for the reference")
        rows = baseline.document_vectors(evaluated, embedder)
        self.stores.mkdir(parents=True, exist_ok=True)
        np.save(path, rows, allow_pickle=False)
        return rows

    def _tell(self, done: int, of: int, what: str) -> None:
        if self.progress:
            self.progress(done, of, what)
