"""What is answered: one response type for every surface, with the reason of each rank inside.

Three numbers are never mixed: `score` is the final one and orders this list only, `rank` is 1-based, `relevance` is the
raw cosine of query and passage and can be compared across queries of one model. Times in milliseconds end in `ms`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, get_args

from jupyter_memo.records import Passage, SourceStatus

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

Arm = Literal["keyword", "exact", "semantic", "fact", "entity", "graph"]
ARMS: tuple[Arm, ...] = get_args(Arm)
ARM_LETTERS: dict[str, str] = {"keyword": "K", "exact": "X", "semantic": "S", "fact": "F", "entity": "E", "graph": "G"}

RawKind = Literal["bm25", "share", "cosine", "mention weight", "walk mass"]
Band = Literal["strong", "moderate", "weak", "very-weak", "keyword-only"]
ScoreScale = Literal["evidence", "rrf", "minmax", "weighted_max", "rerank", "signals", "bm25", "dense", "none"]
ModeEffective = Literal["hybrid", "hybrid_dense_only", "keyword_only", "semantic_only", "exact", "filter_only"]


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

    `raw_kind` is the unit of `raw`; `matched_terms` are the words of the query that the passage holds.
    """

    arm: Arm
    rank: int | None
    raw: float
    raw_kind: RawKind
    weight: float
    contribution: float
    matched_terms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Weight:
    """A factor the fused score was multiplied by: age, source or access, with the reason in words."""

    name: Literal["age", "source", "access"]
    factor: float
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a result stood after one stage."""

    stage: str
    rank: int
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A passage on its way through the pipeline; the stages return new ones.

    `score` is the running score, `fused` the sum of the contributions, `rerank` the reranker's score where one ran.
    `passage` is set from the fetch on. `relevance` is the raw cosine, None when the semantic arm did not find it.
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
    in it. `document` is the uri of the whole document when the granularity asks for documents."""

    rank: int
    passage: Passage
    score: float
    relevance: float | None
    band: Band
    snippet: str
    marks: tuple[tuple[int, int], ...] = ()
    document: str | None = None
    why: Why | None = None


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
    """A scope field that would shorten the list: `kind:notebook` would leave `leaves` of `of` results."""

    field: str
    value: str
    leaves: int
    of: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmTrace:
    """One arm of one search: whether it ran, why (or why not), how many it found, when and how long."""

    arm: Arm
    ran: bool
    reason: str
    candidates: int = 0
    start_ms: float = 0.0
    ms: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterTrace:
    """One predicate of the scope: how many passages it left, after those before it."""

    predicate: str
    left: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StageTrace:
    """One stage: how many candidates went in and came out, when it began and how long it took, and a note in words."""

    stage: str
    before: int
    after: int
    start_ms: float = 0.0
    ms: float = 0.0
    note: str = ""


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
class Budget:
    """The token budget: what was asked for (None: no budget), what the page uses, how many results did not fit."""

    max_tokens: int | None = None
    used_tokens: int = 0
    left_out: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """How the list was made. `plan` says in words what was looked for and what was left out."""

    mode_asked: str
    mode_run: str
    profile: str
    profile_hash: str
    model: str
    plan: str
    arms: tuple[ArmTrace, ...]
    filters: tuple[FilterTrace, ...]
    stages: tuple[StageTrace, ...]
    cutoff: Cutoff | None
    budget: Budget
    as_of: datetime | None
    index_version: int
    synced: int
    total_ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResponse:
    """The answer to one query. Iterating it iterates its results.

    `total` counts the candidates that were kept before the cutoff and the limit; `total_mode` is exact when no arm was
    full, else page (there may be more). `reason` and `hint` explain an empty list; `hints` are remarks worth showing.
    `open_why` asks a view to show the reasons opened (`--explain`). `truncated` counts ranked results that are not on
    this page because of the limit or the budget. `terms` are the query's own words as shown to a person; `excluded`
    what was left out; `filters` the fields as typed.
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
    recorded: bool = False
    degraded: Degraded = field(default_factory=Degraded)
    terms: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    filters: tuple[str, ...] = ()
    granularity: str = "passage"
    open_why: bool = False
    trace: Trace

    def __len__(self) -> int:
        return len(self.results)

    def __iter__(self) -> Any:
        return iter(self.results)

    def __getitem__(self, index: int) -> Result:
        return self.results[index]

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
class SourceReport:
    """What happened to one source in an index run; `reason` says why it was skipped or failed, with the cure."""

    uri: str
    status: SourceStatus
    reason: str = ""
    kept: int = 0
    added: int = 0
    dropped: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexReport:
    """What an index run did. `kept`, `added`, `dropped`, `embedded` and `pending` count passages, `skipped` and
    `failed` sources. `pending` passages wait for their vectors (words find them already)."""

    kept: int = 0
    added: int = 0
    dropped: int = 0
    embedded: int = 0
    pending: int = 0
    skipped: int = 0
    failed: int = 0
    seconds: float = 0.0
    sources: tuple[SourceReport, ...] = ()
    dry_run: bool = False
    hints: tuple[str, ...] = ()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        from jupyter_memo.jupyter import display

        return display.report_bundle(self)


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
    (name, passages), most first; `roots` the indexed folders."""

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

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        from jupyter_memo.jupyter import display

        return display.status_bundle(self)
