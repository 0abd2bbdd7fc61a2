"""What is answered: one response type for every surface, with the reason of each rank inside.

Three numbers are never mixed: `score` is the final one and orders this list only, `rank` is 1-based, `relevance` is the
raw cosine of query and passage and can be compared across queries of one model. Times in milliseconds end in `ms`.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Literal, get_args

from jupyter_memo.errors import QueryError
from jupyter_memo.query import Scope
from jupyter_memo.records import Passage, SourceStatus, Span, Surface

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

Arm = Literal["keyword", "exact", "semantic", "fact", "entity", "graph"]
ARMS: tuple[Arm, ...] = get_args(Arm)
ARM_LETTERS: dict[str, str] = {"keyword": "K", "exact": "X", "semantic": "S", "fact": "F", "entity": "E", "graph": "G"}

RawKind = Literal["bm25", "share", "cosine", "mention weight", "walk mass"]
Band = Literal["strong", "moderate", "weak", "very-weak", "keyword-only"]
ScoreScale = Literal[
    "evidence", "rrf", "minmax", "weighted_max", "rerank", "signals", "bm25", "dense", "surfaces", "none"
]
ModeEffective = Literal["hybrid", "hybrid_dense_only", "keyword_only", "semantic_only", "exact", "filter_only"]

Share = Literal["full", "snippets", "titles", "none"]
SHARES: tuple[Share, ...] = get_args(Share)
"""How much text of a response a saved notebook holds: whole passages, snippets, titles and places only, or numbers
only."""

CiteStyle = Literal["markdown", "bibtex", "csl"]
CITE_STYLES: tuple[CiteStyle, ...] = get_args(CiteStyle)


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmHit:
    """One passage as one arm found it. `rank` is None for a value that was fetched afterwards: evidence, not a find."""

    arm: Arm
    id: str
    rank: int | None
    raw: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Vote:
    """What one arm gave to one result: `contribution` = its part of `Why.fused`, `weight` the arm's own weight.

    `raw_kind` is the unit of `raw`; `matched_terms` are the words of the query that the passage holds. `model` is the
    one that made a cosine, where the embedder has several; empty elsewhere.
    """

    arm: Arm
    rank: int | None
    raw: float
    raw_kind: RawKind
    weight: float
    contribution: float
    matched_terms: tuple[str, ...] = ()
    model: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weight:
    """A factor the fused score was multiplied by: age, source, access, unwanted (it holds what the query does not
    want), or surface (its place on its own surface, where several are merged), with the reason in words."""

    name: Literal["age", "source", "access", "unwanted", "surface"]
    factor: float
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a result stood after one stage."""

    stage: str
    rank: int
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Folded:
    """A passage that says the same as a result above it and stands below that one instead of in the list. `likeness` is
    the share of runs of three words that the two have in common, 0 to 1; `score` is what it would have stood by; `own`
    are the first words of it that the result above lacks. A `surface` other than `file` has no path to open."""

    id: str
    uri: str
    title: str
    surface: Surface = "file"
    span: Span = field(default_factory=Span)
    score: float = 0.0
    likeness: float = 1.0
    own: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A passage on its way through the pipeline; the stages return new ones.

    `score` is the running score, `fused` the sum of the contributions, `rerank` the reranker's score where one ran.
    `passage` is set from the fetch on. `relevance` is the raw cosine, None when the semantic arm did not find it.
    `whole` says that it holds every content word of the query (False where the fusion does not look). `folded` are
    those that say the same and gave their places up.
    """

    id: str
    votes: tuple[Vote, ...]
    fused: float
    score: float
    relevance: float | None = None
    rerank: float | None = None
    weights: tuple[Weight, ...] = ()
    passage: Passage | None = None
    rrf_rank: int | None = None
    whole: bool = False
    folded: tuple[Folded, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Where a result comes from, and which text exactly was ranked."""

    uri: str
    source_id: str
    sha256: str
    recorded_at: datetime
    trust: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Freshness:
    """How old a result is in days and whether its kind loses weight with age under this profile."""

    created_at: datetime
    age_days: float
    ages: bool
    factor: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """The reason of one rank. The contributions of `arms` sum to `fused`; `fused` (or `rerank`) times the weights is
    `final`. `rrf_rank` is where plain reciprocal rank fusion of the same lists would put it before any weight; None
    under rank fusion itself."""

    arms: tuple[Vote, ...]
    fused: float
    rerank: float | None
    weights: tuple[Weight, ...]
    final: float
    rank: int
    relevance: float | None
    band: Band
    places: tuple[Place, ...]
    provenance: Provenance
    freshness: Freshness
    rrf_rank: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One result. `snippet` is the best window of the passage, `marks` the half-open character ranges of matched words
    in it. `document` is the uri of the whole document when the granularity asks for documents. `native` is the score
    that it had on its own surface (`passage.surface`), where several surfaces were merged. `folded` are passages that
    say the same, best first; they have no place of their own and are in no count. `before` and `after` are the text
    around the best passage of a document: context, in which nothing was looked for."""

    rank: int
    passage: Passage
    score: float
    relevance: float | None
    band: Band
    snippet: str
    marks: tuple[tuple[int, int], ...] = ()
    document: str | None = None
    native: float | None = None
    why: Why | None = None
    folded: tuple[Folded, ...] = ()
    before: str = ""
    after: str = ""

    def cite(
        self, style: CiteStyle = "markdown", *, index_version: int | None = None, accessed: date | None = None
    ) -> str:
        """This result as a citation: Markdown, BibTeX or CSL-JSON text. A result alone does not know the index version
        nor the day it was asked; `SearchResponse.cite` fills them in. Raises QueryError for an unknown style."""
        from jupyter_memo.render import cite

        return cite.cite((self,), style, index_version=index_version, accessed=accessed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Miss:
    """A passage near to a question that found nothing: no result, but what a reader may want to look at."""

    uri: str
    title: str
    span: Span = field(default_factory=Span)
    relevance: float | None = None
    fused: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What the page looks like as a whole, over the raw cosines of its results (None when there are none)."""

    top_relevance: float | None = None
    relevance_spread: float | None = None
    flat_page: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Degraded:
    """Whether something that should have run did not. `code` is stable, `reason` is a sentence with the cure."""

    flag: bool = False
    code: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NarrowHint:
    """A scope field that would shorten the list and keep its first result: `kind:notebook` would leave `leaves` of `of`
    results, or with `at_most` no more than so many. A value with a blank is typed in quotes."""

    field: str
    value: str
    leaves: int
    of: int
    at_most: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmTrace:
    """One arm of one search: whether it ran, why (or why not), how many it found, when and how long. `called` is False
    where the query, the mode or the index gives it nothing to do, so that nothing is missed by its absence."""

    arm: Arm
    ran: bool
    reason: str
    candidates: int = 0
    start_ms: float = 0.0
    ms: float = 0.0
    called: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterTrace:
    """One predicate of the scope: how many passages it left, after those before it."""

    predicate: str
    left: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StageTrace:
    """One stage: how many candidates went in and came out, when it began and how long it took, and a note in words.
    `ran` is False for a stage that let everything pass, as it is switched off; `note` then says why."""

    stage: str
    before: int
    after: int
    start_ms: float = 0.0
    ms: float = 0.0
    note: str = ""
    ran: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Synced:
    """What was done before a search to follow the disk: `changed` and `removed` count files, `passages` what was
    written, of which `pending` wait for their vectors. `note` says what stood in the way; empty when nothing did; `ran`
    is False where the index was not compared with the disk, or not written."""

    changed: int = 0
    removed: int = 0
    passages: int = 0
    pending: int = 0
    ms: float = 0.0
    note: str = ""
    ran: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Cutoff:
    """Why the list ends before the limit. `drop` is 1 - next/last as a share of 1, `gap` the limit it passed."""

    index: int
    last_score: float
    next_score: float
    drop: float
    gap: float
    cause: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Floor:
    """The best confidence of a query (`ranking.confidence`) against the least that the index calls an answer.
    `calibrated` is False while the floor is the profile's own and not measured on this index. `cosine` is the best
    cosine and `certain` the one that is an answer by itself, both None where meaning was not searched or not measured.
    `refused` says that neither was reached."""

    best: float
    least: float
    calibrated: bool
    refused: bool
    cosine: float | None = None
    certain: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """The token budget: what was asked for (None: no budget), what the page uses, how many results did not fit."""

    max_tokens: int | None = None
    used_tokens: int = 0
    left_out: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Leg:
    """One surface of a search over several. `found` counts what its arms found, `merged` what of it came into the list,
    `shown` what is on this page. `best` is its highest native score (None where it gave nothing), on the scale of
    `scale`; `nearest` its highest cosine; `floor` the least cosine of what nothing but meaning found, where one was
    set. `note` says what ended it: refused as a whole, cut, nothing found."""

    surface: Surface
    found: int
    merged: int
    shown: int
    scale: ScoreScale
    best: float | None = None
    nearest: float | None = None
    floor: float | None = None
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """How the list was made. `plan` says in words what was looked for and what was left out; `floor` is None where no
    evidence was judged (another fusion, mode exact, abstention off). `synced` counts the sources that were brought up
    to date before, changed and removed."""

    mode_asked: str
    mode_run: str
    profile: str
    profile_hash: str
    model: str
    plan: str
    arms: tuple[ArmTrace, ...]
    filters: tuple[FilterTrace, ...]
    stages: tuple[StageTrace, ...]
    floor: Floor | None = None
    cutoff: Cutoff | None
    budget: Budget
    as_of: datetime | None
    index_version: int
    synced: int
    total_ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResponse:
    """The answer to one query. Iterating it iterates its results.

    `total` is the length of the list that this is a page of, without those that are folded below others; of a query
    that only filters, all there are. `total_mode` is exact when no arm was full (or what it brought is all of the
    scope), else page: there may be more. `reason` and `hint` explain an empty list; `hints` are remarks
    worth showing.
    `open_why` asks a view to show the reasons opened (`--explain`), `share` says how much text a saved notebook holds.
    `words_to_try` are words that the passages near to an empty or flat list use, `nearest` the best of what was
    refused. `truncated` counts ranked results that are not on this page because of the limit or the budget. `terms`
    are the query's own words as shown to a person; `excluded` what was left out; `filters` the fields as typed; `scope`
    and `min_relevance` what was given beside the query, so that it can be asked again, as are `queries`, other wordings
    that voted with it. `unwanted` was said in plain words ("without garlic") and weighs a result down; `suggested` are
    the fields that the query's time words would be. `legs` are the surfaces that were searched apart and merged, none
    where the list is one. `ways` lead a reader of a saved notebook to the files: (first part of a uri, the relative
    path from the working folder to the folder that it stands for), empty where that would name folders beside it.
    """

    query: str
    results: tuple[Result, ...]
    score_scale: ScoreScale
    mode_effective: ModeEffective
    total: int
    total_mode: Literal["page", "exact"]
    shape: Shape
    limit: int
    offset: int
    now: datetime
    reason: str | None = None
    hint: str | None = None
    hints: tuple[str, ...] = ()
    truncated: int = 0
    narrow_hint: NarrowHint | None = None
    words_to_try: tuple[str, ...] = ()
    nearest: tuple[Miss, ...] = ()
    recorded: bool = False
    degraded: Degraded = field(default_factory=Degraded)
    terms: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    filters: tuple[str, ...] = ()
    granularity: str = "passage"
    open_why: bool = False
    share: Share = "snippets"
    scope: Scope = field(default_factory=Scope)
    min_relevance: float | None = None
    queries: tuple[str, ...] = ()
    unwanted: tuple[str, ...] = ()
    suggested: tuple[str, ...] = ()
    legs: tuple[Leg, ...] = ()
    ways: tuple[tuple[str, str], ...] = ()
    trace: Trace

    def __len__(self) -> int:
        return len(self.results)

    def __iter__(self) -> Any:
        return iter(self.results)

    def __getitem__(self, index: int) -> Result:
        return self.results[index]

    def at(self, rank: int) -> Result:
        """The result of that rank. Raises QueryError naming the ranks there are."""
        for result in self.results:
            if result.rank == rank:
                return result
        there = f"ranks {self.results[0].rank} to {self.results[-1].rank}" if self.results else "no result"
        raise QueryError(f"no result has rank {rank}; this page has {there}")

    @property
    def hash(self) -> str:
        """16 hex digits over what was asked and found: query, scope, profile, index version, ids and scores."""
        found = [(result.passage.id, result.score) for result in self.results]
        legs = tuple(leg.surface for leg in self.legs)
        index = (self.trace.profile_hash, self.trace.index_version)
        asked = (self.query, *self.queries, *legs, self.scope, *index, self.offset)
        return hashlib.sha256(repr((asked, found)).encode("utf-8", "surrogatepass")).hexdigest()[:16]

    def shared(self, share: Share) -> SearchResponse:
        """The same response, to be shown and saved with so much text. It stays whole in memory."""
        return dataclasses.replace(self, share=share)

    def cite(self, style: CiteStyle = "markdown", ranks: Iterable[int] = ()) -> str:
        """The results (those of the given ranks, else all) as citations in Markdown, BibTeX or CSL-JSON text: path,
        page or cell or line, index version, day of access. Raises QueryError for an unknown style."""
        from jupyter_memo.render import cite

        wanted = frozenset(ranks)
        chosen = tuple(result for result in self.results if not wanted or result.rank in wanted)
        return cite.cite(chosen, style, index_version=self.trace.index_version, accessed=self.now.date())

    def to_json(self) -> str:
        """The response as JSON text by `wire.schema.json`; keys in a stable order."""
        from jupyter_memo import wire

        return wire.dumps(self)

    def to_arrow(self) -> pa.Table:
        """One row a result: rank, score, relevance, band, uri, header, location, text, kind, namespace, … and one
        rank, raw and contribution column an arm. shape (results, columns)."""
        from jupyter_memo.render import table

        return table.to_arrow(self)

    def to_pandas(self) -> pd.DataFrame:
        """`to_arrow()` as a data frame. Raises MissingExtraError without pandas."""
        from jupyter_memo.render import table

        return table.to_pandas(self)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        from jupyter_memo.jupyter import display

        return display.bundle(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Without:
    """The rank of a result in the same search without one arm; None where that list does not hold it."""

    arm: Arm
    rank: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ablation:
    """One result taken apart: what each arm that ran does for its rank, by searching again without it.

    `response` is the list it stands in, with this result alone; `last` the last rank of its page; `enough` the smallest
    set of arms that keeps it on that page or before (the first in the order of arms). `same` is False when the search
    with all arms no longer gives the same page: the index or the rules have changed, and the ranks are those of now.
    """

    response: SearchResponse
    without: tuple[Without, ...]
    enough: tuple[Arm, ...]
    last: int
    same: bool

    @property
    def result(self) -> Result:
        return self.response.results[0]

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        from jupyter_memo.jupyter import display

        return display.ablation_bundle(self)


WhyNotStep = Literal[
    "not indexed",
    "not live",
    "scope",
    "excluded",
    "no match",
    "depth",
    "floor",
    "abstain",
    "document",
    "folded",
    "cutoff",
    "limit",
    "budget",
    "found",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class WhyNot:
    """Why a source or passage is not on the page: the `step` that dropped it, its `number` there and the `limit` that
    decided (None where no number did), in one `sentence`, and a `cure`.

    `found` means that it is there. Of several passages the one that came furthest is told: `id`, `uri`.
    `passed` says in words what it came through before. `near` are sources with a similar name, where none matched.
    `share` says how much text a saved notebook holds: at `none` the step and its numbers.
    """

    query: str
    target: str
    step: WhyNotStep
    sentence: str
    cure: str = ""
    number: float | None = None
    limit: float | None = None
    id: str = ""
    uri: str = ""
    passed: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    share: Share = "snippets"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        from jupyter_memo.jupyter import display

        return display.why_not_bundle(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceReport:
    """What happened to one source in an index run; `reason` says why it was skipped or failed, with the cure.
    `withheld` counts passages that look like secrets and were left out; `reason` says what and where."""

    uri: str
    status: SourceStatus
    reason: str = ""
    kept: int = 0
    added: int = 0
    dropped: int = 0
    withheld: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexReport:
    """What an index run did. `kept`, `added`, `dropped`, `embedded` and `pending` count passages, `skipped` and
    `failed` sources. `pending` passages wait for their vectors (words find them already). `withheld` passages look like
    keys or passwords and are in no part of the index.

    The counts are exact for a run of any size. `sources` lists so many sources only, failed and skipped ones first;
    `unlisted` says of the others how many there are: (status, sources)."""

    kept: int = 0
    added: int = 0
    dropped: int = 0
    embedded: int = 0
    pending: int = 0
    withheld: int = 0
    skipped: int = 0
    failed: int = 0
    seconds: float = 0.0
    sources: tuple[SourceReport, ...] = ()
    unlisted: tuple[tuple[SourceStatus, int], ...] = ()
    dry_run: bool = False
    hints: tuple[str, ...] = ()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        from jupyter_memo.jupyter import display

        return display.report_bundle(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Upkeep:
    """What `maintain` or `purge` did to a store. `passages` and `sources` are those it deleted from history (in a dry
    run: would delete), `current` the passages of the named sources that stay, as they are still in the file. Bytes are
    those of the store's folder; None where it lies on no disk."""

    work: Literal["maintain", "purge"]
    passages: int = 0
    sources: int = 0
    current: int = 0
    bytes_before: int | None = None
    bytes_after: int | None = None
    seconds: float = 0.0
    dry_run: bool = False
    hints: tuple[str, ...] = ()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        from jupyter_memo.jupyter import display

        return display.upkeep_bundle(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing the doctor looked at. `detail` says what was found; `cure`, when not `ok`, what to do about it."""

    name: str
    ok: bool
    detail: str
    cure: str = ""

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        from jupyter_memo.jupyter import display

        return display.checks_bundle((self,))


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """What stands in the store. `passages` are live, `sources` the files and records they come from, `pending` passages
    wait for their vectors. `model_state` is in words (ready, loading, failed: why). `namespaces` and `kinds` are
    (name, passages), most first; `roots` the indexed folders. `read_only_because` says why, where nobody asked for
    it; `notices` are settings and indexes found on the way that are not believed, a line each with the cure. Of files
    that could not be read `unread_total` is the number and `unread` the first few, with the reason."""

    store: str
    read_only: bool
    profile: str
    model: str
    model_state: str
    passages: int
    sources: int
    pending: int
    roots: tuple[str, ...]
    index_version: int
    namespaces: tuple[tuple[str, int], ...]
    kinds: tuple[tuple[str, int], ...]
    read_only_because: str = ""
    notices: tuple[str, ...] = ()
    unread: tuple[SourceReport, ...] = ()
    unread_total: int = 0

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        from jupyter_memo.jupyter import display

        return display.status_bundle(self)
