"""Evaluation sets on disk: a folder with documents, queries and judgements.

    corpus.jsonl[.gz]     id, text, and any of title, meta: {kind, group, session, lang, …}
    queries.jsonl[.gz]    id, text, and any of meta: {answerable, group, lang, type, category, …}
    qrels.tsv             a header, then query, document and score (1 or more, higher is better) a line

`meta.group` is a scope: a query is asked only of the documents of its own group. Documents of one group and one
`meta.session` are turns of one conversation, in the order of the corpus. `meta.answerable` is yes or no (true
and false too), or a word for the way in which there is no answer (near, absent); where nobody says, a query with a
judgement has an answer and one without has none.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jupyter_memo.errors import QueryError

YES = "yes"
"""The class of the queries that have an answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One document as it is indexed; `kind` and `group` are empty where nobody says, `thread` where it is no turn of a
    conversation."""

    id: str
    title: str
    text: str
    kind: str = ""
    group: str = ""
    thread: str = ""

    @property
    def whole(self) -> str:
        """Title and text, as the reference reads them."""
        return "\n".join(part for part in (self.title, self.text) if part.strip())


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One query. `answer` is yes, or the class of queries without an answer that it belongs to."""

    id: str
    text: str
    group: str = ""
    answer: str = YES
    meta: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationSet:
    """Documents, questions, and the gain of each relevant document: question -> document -> gain (a whole number).

    nDCG takes every gain; recall and MRR count a document as found from the gain `primary` on. `strata` names the
    stratum of a question where the figure of the set is a mean of strata; empty: a plain mean. The hashes are SHA-256
    over the files as they are unpacked.
    """

    name: str
    documents: tuple[Document, ...]
    questions: tuple[Question, ...]
    gains: Mapping[str, Mapping[str, int]]
    primary: int = 1
    strata: Mapping[str, str] = field(default_factory=dict)
    corpus_sha256: str = ""
    queries_sha256: str = ""
    qrels_sha256: str = ""

    @property
    def judged(self) -> tuple[Question, ...]:
        """The questions that have a judgement; only they count for ranking."""
        return tuple(question for question in self.questions if question.id in self.gains)

    @property
    def family(self) -> str:
        """Sets of one source, which a choice of constants leaves out together: the name up to its first `_`."""
        return self.name.split("_")[0]

    def weights(self) -> dict[str, float]:
        """The weight of each judged question in the figure of the set; they sum to 1."""
        sizes = Counter(self.strata.get(question.id, "") for question in self.judged)
        return {question.id: 1 / (len(sizes) * sizes[self.strata.get(question.id, "")]) for question in self.judged}

    def records(self) -> Iterator[dict[str, Any]]:
        """The documents as `Memo.add` takes them; those without any text are left out."""
        for document in self.documents:
            if not document.whole:
                continue
            titled = bool(document.text.strip())
            record = {"id": document.id, "text": document.text if titled else document.title}
            if titled and document.title.strip():
                record["title"] = document.title
            more = {"kind": document.kind, "namespace": document.group, "thread": document.thread}
            yield record | {name: value for name, value in more.items() if value}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """How a set differs from the others: gains as they stand instead of 2^score - 1, the least score that recall and
    MRR count, and tracks: a name and the language of its documents and queries (empty: all of them)."""

    linear: bool = False
    primary: int = 1
    tracks: tuple[tuple[str, str], ...] = (("", ""),)
    strata: tuple[str, ...] = ()


RULES: dict[str, Rules] = {
    # memtomem's own rules: primary documents have score 2, and its figure is a mean over languages and query types.
    "memtomem_v2": Rules(
        linear=True, primary=2, tracks=(("en", "en"), ("ko", "ko"), ("cross", "")), strata=("lang", "type")
    ),
}


def read(folder: str | Path) -> tuple[EvaluationSet, ...]:
    """The set in a folder, once for each of its tracks; `FOLDER:TRACK` reads that one alone.

    Raises QueryError, naming file and line, for what is missing or malformed.
    """
    path, track = Path(folder), ""
    if not path.is_dir() and ":" in path.name:
        name, _, track = path.name.rpartition(":")
        path = path.with_name(name)
    if not path.is_dir():
        raise QueryError(f"there is no evaluation set at {path}. Name a folder with corpus, queries and qrels")
    rules = RULES.get(path.resolve().name, Rules())
    chosen = [entry for entry in rules.tracks if track in ("", entry[0])]
    if not chosen or (track and rules.tracks == Rules().tracks):
        known = ", ".join(name for name, _ in rules.tracks if name) or "none"
        raise QueryError(f"{path.name} has no track {track!r}. Its tracks: {known}")
    files = _files(path)
    return tuple(_track(path.resolve().name, files, rules, name, lang) for name, lang in chosen)


@dataclass(frozen=True, slots=True)
class _Files:
    corpus: tuple[dict[str, Any], ...]
    queries: tuple[dict[str, Any], ...]
    qrels: tuple[tuple[str, str, int], ...]
    sha256: tuple[str, str, str]


def _track(name: str, files: _Files, rules: Rules, track: str, lang: str) -> EvaluationSet:
    def kept(entry: dict[str, Any]) -> bool:
        return not lang or _meta(entry).get("lang") == lang

    documents = tuple(
        Document(
            id=entry["id"],
            title=entry.get("title") or "",
            text=entry["text"],
            kind=str(_meta(entry).get("kind") or ""),
            group=str(_meta(entry).get("group") or ""),
            thread=_thread(entry),
        )
        for entry in files.corpus
        if kept(entry)
    )
    held = {document.id for document in documents}
    asked = {entry["id"] for entry in files.queries if kept(entry)}
    gains: dict[str, dict[str, int]] = {}
    for query, document, score in files.qrels:
        if query in asked and document in held:
            gains.setdefault(query, {})[document] = _gain(score, rules)
    questions = tuple(
        Question(
            id=entry["id"],
            text=entry["text"],
            group=str(_meta(entry).get("group") or ""),
            answer=_answer(entry, judged=entry["id"] in gains),
            meta=_meta(entry),
        )
        for entry in files.queries
        if entry["id"] in asked
    )
    strata = {
        question.id: "/".join(str(question.meta.get(name)) for name in rules.strata)
        for question in questions
        if rules.strata
    }
    return EvaluationSet(
        name=f"{name}_{track}" if track else name,
        documents=documents,
        questions=questions,
        gains=gains,
        primary=_gain(rules.primary, rules),
        strata=strata,
        corpus_sha256=files.sha256[0],
        queries_sha256=files.sha256[1],
        qrels_sha256=files.sha256[2],
    )


def _gain(score: int, rules: Rules) -> int:
    return score if rules.linear else 2**score - 1


def _answer(entry: dict[str, Any], *, judged: bool) -> str:
    told = _meta(entry).get("answerable")
    if told is None:
        return YES if judged else "no"
    return {"true": YES, "false": "no"}.get(str(told).lower(), str(told).lower())


def _thread(entry: dict[str, Any]) -> str:
    session = _meta(entry).get("session")
    return "" if session is None else f"{_meta(entry).get('group') or ''}/{session}"


def _meta(entry: dict[str, Any]) -> dict[str, Any]:
    return entry.get("meta") or {}


def _files(folder: Path) -> _Files:
    corpus, corpus_sum = _lines(folder, "corpus")
    queries, queries_sum = _lines(folder, "queries")
    qrels, qrels_sum = _judgements(folder / "qrels.tsv")
    return _Files(corpus, queries, qrels, (corpus_sum, queries_sum, qrels_sum))


def _lines(folder: Path, stem: str) -> tuple[tuple[dict[str, Any], ...], str]:
    path = folder / f"{stem}.jsonl"
    packed = folder / f"{stem}.jsonl.gz"
    if not path.is_file() and not packed.is_file():
        raise QueryError(f"{folder.name} has no {stem}.jsonl or {stem}.jsonl.gz, so it is no evaluation set")
    try:
        data = path.read_bytes() if path.is_file() else gzip.decompress(packed.read_bytes())
        text = data.decode("utf-8")
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise QueryError(f"{folder.name}/{stem} cannot be read: {error}") from error
    entries = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
            if not isinstance(entry["id"], str) or not isinstance(entry["text"], str):
                raise TypeError
        except (ValueError, KeyError, TypeError) as error:
            raise QueryError(
                f"{folder.name}/{stem}, line {number}: every line is a JSON object with an id and a text"
            ) from error
        entries.append(entry)
    return tuple(entries), hashlib.sha256(data).hexdigest()


def _judgements(path: Path) -> tuple[tuple[tuple[str, str, int], ...], str]:
    if not path.is_file():
        raise QueryError(f"{path.parent.name} has no qrels.tsv, so it is no evaluation set")
    data = path.read_bytes()
    rows = []
    for number, line in enumerate(data.decode("utf-8", "replace").splitlines()[1:], 2):
        if not line.strip():
            continue
        cells = line.split("\t")
        if len(cells) != 3 or not cells[2].strip().isdigit():
            raise QueryError(f"{path.parent.name}/qrels.tsv, line {number}: a line is query, document and score")
        if int(cells[2]) > 0:
            rows.append((cells[0], cells[1], int(cells[2])))
    return tuple(rows), hashlib.sha256(data).hexdigest()
