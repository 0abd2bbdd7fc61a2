"""Every ranking constant, in one place, each with its reason; and the named profiles made of them.

A profile is data. `ResolvedProfile` joins it with the model's bands; its hash stands in every trace, so two lists with
the same hash were ranked by the same rules. Source of `memo-mcp`, `minmax`, `precise`, `recency`, `code` and the
subsets: the constants page of memo-mcp's search pipeline; of `memtomem`: its page on hybrid search.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from jupyter_memo.errors import ProfileError
from jupyter_memo.records import KINDS, Kind, Surface


@dataclass(frozen=True, slots=True, kw_only=True)
class Fusion:
    """How ranked lists become one. `rrf`: sum of weight / (k + rank), Cormack, Clarke and Büttcher 2009. `minmax`: sum
    of weight × (raw - lo) / (hi - lo) over the fused candidates, 1 when hi = lo.

    `evidence`: balance × cosine + (1 - balance) × share of the words, see `ranking.evidence`; the other weights only
    say which arms run.

    An arm with weight 0 does not run. k = 60 is the value of the paper; it flattens the top ranks, so that agreement of
    arms counts for more than one arm's first place.
    """

    method: Literal["evidence", "rrf", "minmax"] = "rrf"
    k: int = 60
    keyword: float = 0.5
    semantic: float = 0.5
    exact: float = 0.3
    fact: float = 0.4
    entity: float = 0.4
    graph: float = 0.5
    balance: float = 0.45
    """How much of an evidence score is meaning. On eleven sets .4 and .45 are alike (mean nDCG@10 .602 and .601,
    against .599 at .5); leaving one set out picks .4, and small collections of notes do better at .5."""
    balance_code: float = 0.6
    """The proportion for code passages, whose words are names: word matches say less there. See `ranking.evidence`."""
    balance_script: float = 0.15
    """The same for a query in a script the model does not know: its cosines are close to noise."""
    balance_other: float = 0.35
    """The same for a query in a script that a second model reads: its cosines tell less than those of the first, and
    characters and bigrams more than words. On four Korean and Japanese sets .25 to .4 are alike."""
    pairs: float = 0.2
    """What an adjacent pair of the query's words earns, against 1 for a word as rare."""
    question_words: bool = False
    """Whether what, how, does and the like count as words. Off: passages answer and seldom ask, so where such a word
    does stand it is rare, and weighs much by accident."""

    def weight(self, arm: str) -> float:
        """The weight of one arm, 0 or more."""
        return float(getattr(self, arm))


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How a query is read beyond its signs (`text.negation`, `text.variants`).

    With `plain_negation` what a topic names as unwanted ("recipes without garlic") is not looked for, and a passage
    that holds it scores × `unwanted`: some places lower, where .7 was as good as a filter (from 1st to 30th of a list
    of evidence scores). Asked for reasons against something ("why not X"), words weigh × `against`, and meaning has the
    rest: words find what is told of X, meaning what is said against it (10 questions: nDCG@10 .574, .637 at .5, .647
    at 0). With `variants` other spellings of a word count too.
    """

    plain_negation: bool = True
    unwanted: float = 0.85
    against: float = 0.5
    variants: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Recency:
    """score × (floor + (1 - floor) × 0.5^(age_days / half_life_days)), for `kinds` only.

    What is versioned (documents, code) does not age; notes and conversations do. The floor keeps an old note within a
    fifth of its score: age breaks ties, it does not bury.
    """

    floor: float = 0.8
    half_life_days: float = 90.0
    kinds: tuple[Kind, ...] = ("note", "conversation")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cutoff:
    """From index `min_results` on, the list ends where score - base < (previous - base) × (1 - gap).

    Under rank fusion base is 0: the rule fires where the number of agreeing arms drops, as one arm's neighbours never
    halve. Evidence of unrelated passages is not 0 but falls gently, so there base is `above` × the index's floor. At
    half the floor the rule fired on up to a quarter of the queries of six sets and cost at most .007 of nDCG@10; at .7
    and .8 it took relevant results.
    """

    gap: float = 0.5
    min_results: int = 3
    above: float = 0.5
    enabled: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Abstain:
    """Drop what has no evidence but a cosine below the model's `band`; under `evidence`, drop everything when the best
    confidence stays below the index's own floor. Exact and phrase hits are never floored.

    `band` is the cosine below which unrelated texts lie (`floor`), or the one where weak matches begin (`weak`).

    That floor is a quantile of the best confidence that off-topic questions reach in this index (`search.probes`).
    `quantile` is for words and meaning together: at .92 one unanswerable question in twelve is answered, and on ten
    sets at most one answerable question in twenty is refused. One arm alone separates less, so there the floor is lower
    (`quantile_alone`) and doubt goes to the reader. A cosine that hardly any of them reaches (`quantile_cosine`) is an
    answer by itself, as meaning may be said in quite other words.

    `most` bounds the floor for indexes at home in what the questions ask: no other was seen above it. `uncalibrated` is
    the floor of an index that is not calibrated, where a wrong refusal is the worse fault: on ten sets it would refuse
    at most 2 answerable questions in 100.
    """

    enabled: bool = True
    band: Literal["floor", "weak"] = "floor"
    quantile: float = 0.92
    quantile_alone: float = 0.80
    quantile_cosine: float = 0.98
    most: float = 0.36
    uncalibrated: float = 0.15


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold:
    """What says the same as a result above it is folded below that one, see `ranking.fold`.

    Two passages say the same when `words` of their runs of three words are in common, and the cosine of their vectors
    is `cosine` or more; where one has no vector, when `words_alone` are. In notebooks and documentation all pairs above
    .7 with such a cosine were versions of one text, whereas templates (the same about headers and about cookies) reach
    .95 by words and .93 by cosine. Two texts of 100 words that differ in one have 94 % in common.

    The first `pool` of a list are looked at (1 to 2 ms): as many as the largest page holds.
    """

    enabled: bool = True
    words: float = 0.7
    words_alone: float = 0.9
    cosine: float = 0.97
    pool: int = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Mmr:
    """Maximal marginal relevance, Carbonell and Goldstein 1998: next is what has the most of
    lambda_ × relevance - (1 - lambda_) × likeness to the most alike of those above it, see `ranking.diversify`.

    Off: who looks for a text wants its other version too, and a list that is spread is no longer one by score.
    lambda_ = .7 (grok, memtomem): a copy gives way to what is unlike and at most 3/7 of the best score below it.
    `pool` bounds the work (10 ms for 50 texts of 200 words); readers seldom come further, and the rest keeps its order.
    """

    enabled: bool = False
    lambda_: float = 0.7
    pool: int = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """`tokens` on each side of the best passage of a document, shown with it: some 80 words, what a reader takes in at
    a glance to see where he is. 0 shows none."""

    tokens: int = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """`overhead_tokens` a result: rank, title, path and location as an agent reads them."""

    overhead_tokens: int = 24


CONTEXT_TOKENS = 2000
"""What `Memo.context` gives a language model unless told otherwise: some ten passages, which leaves most of even a
small model's window to the conversation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Surfaces:
    """How the lists of several surfaces become one, where that is asked for (`ranking.surfaces`; Kemory's two switches
    and its floor).

    `k` is that of rank fusion. With `relevance` a result counts by its share of its surface's best score, without by
    its rank alone. With `shared_plan` quotes, exclusions and other spellings hold on every surface; without, those in
    `floored` take the query as plain words. `floor` is the band of the model below which a cosine alone finds nothing
    in `floored` (chat and file hold far more text than memory, so more is near by chance); a caller's min_relevance can
    raise it, and 0 switches it off.

    `calibrated` weighs a surface by its highest cosine over the highest of all, the unit that they share. On a store of
    4,124 chat turns, 441 notebook sections and 96 notes, with 340 questions, the merged list has nDCG@10 .521 (one list
    .521, not calibrated .519, the right surface alone .524); under rank fusion, where no surface abstains, .517 (.515,
    .400, .537). The switches and the floor move less than chance does (`tests/bench/surfaces.py`).
    """

    k: int = 60
    relevance: bool = True
    calibrated: bool = True
    shared_plan: bool = True
    floor: Literal["none", "weak", "moderate", "strong"] = "weak"
    floored: tuple[Surface, ...] = ("chat", "file")


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """One complete set of ranking constants. `depth` is how many candidates an arm may return. `purpose` says in a line
    what it is for, and `base` which profile it was made from; neither ranks anything."""

    name: str
    purpose: str = ""
    base: str = ""
    depth: int = 100
    reading: Reading = field(default_factory=Reading)
    fusion: Fusion = field(default_factory=Fusion)
    recency: Recency = field(default_factory=Recency)
    abstain: Abstain = field(default_factory=Abstain)
    cutoff: Cutoff = field(default_factory=Cutoff)
    fold: Fold = field(default_factory=Fold)
    mmr: Mmr = field(default_factory=Mmr)
    beside: Beside = field(default_factory=Beside)
    budget: Budget = field(default_factory=Budget)
    surfaces: Surfaces = field(default_factory=Surfaces)
    page: int = 10
    """Results on a page when nobody says otherwise."""

    def __post_init__(self) -> None:
        weights = [getattr(self.fusion, name) for name in _WEIGHTS]
        rules, fusion = self.abstain, self.fusion
        checks = (
            (1 <= self.depth <= 1000, f"depth is {self.depth}; it must be 1 to 1000"),
            (self.fusion.k >= 1, f"fusion.k is {self.fusion.k}; it must be at least 1"),
            (min(weights) >= 0, "an arm weight is negative; 0 switches an arm off"),
            (max(weights) > 0, "every arm weight is 0; give at least one arm a weight"),
            (
                all(0 <= at <= 1 for at in (fusion.balance, fusion.balance_script, fusion.balance_other))
                and 0 < fusion.balance_code <= 1,
                "a balance of fusion is outside 0 to 1 (balance_code: above 0)",
            ),
            (fusion.pairs >= 0, f"fusion.pairs is {fusion.pairs}; it must be 0 or more"),
            (
                0 < self.reading.unwanted <= 1,
                f"reading.unwanted is {self.reading.unwanted}; it must be above 0, at most 1",
            ),
            (0 <= self.reading.against <= 1, f"reading.against is {self.reading.against}; it must be 0 to 1"),
            (0 <= self.recency.floor <= 1, f"recency.floor is {self.recency.floor}; it must be 0 to 1"),
            (self.recency.half_life_days > 0, "recency.half_life_days must be above 0; floor = 1 switches ageing off"),
            (
                all(0 < at < 1 for at in (rules.quantile, rules.quantile_alone, rules.quantile_cosine)),
                "the quantiles of abstain must be above 0 and below 1",
            ),
            (
                all(0 <= at <= 1 for at in (rules.most, rules.uncalibrated)),
                "the floors of abstain (most, uncalibrated) must be 0 to 1",
            ),
            (0 < self.cutoff.gap <= 1, f"cutoff.gap is {self.cutoff.gap}; it must be above 0 and at most 1"),
            (0 <= self.cutoff.above <= 1, f"cutoff.above is {self.cutoff.above}; it must be 0 to 1"),
            (self.cutoff.min_results >= 1, "cutoff.min_results must be at least 1"),
            (
                0 < self.fold.words <= self.fold.words_alone <= 1,
                "fold.words and fold.words_alone must be above 0 and at most 1, the first no more than the second",
            ),
            (-1 <= self.fold.cosine <= 1, f"fold.cosine is {self.fold.cosine}; it must be -1 to 1"),
            (1 <= self.fold.pool <= 1000, f"fold.pool is {self.fold.pool}; it must be 1 to 1000"),
            (0 <= self.mmr.lambda_ <= 1, f"mmr.lambda_ is {self.mmr.lambda_}; it must be 0 to 1"),
            (1 <= self.mmr.pool <= 200, f"mmr.pool is {self.mmr.pool}; it must be 1 to 200"),
            (self.surfaces.k >= 1, f"surfaces.k is {self.surfaces.k}; it must be at least 1"),
            (0 <= self.beside.tokens <= 2000, f"beside.tokens is {self.beside.tokens}; it must be 0 to 2000"),
            (1 <= self.page <= 100, f"page is {self.page}; it must be 1 to 100"),
        )
        for holds, message in checks:
            if not holds:
                raise ProfileError(f"profile {self.name}: {message}")


_WEIGHTS = ("keyword", "semantic", "exact", "fact", "entity", "graph")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bands:
    """Where cosines of one model stop being strong, moderate and weak. Below `floor` unrelated texts lie: a passage
    whose only evidence is such a cosine is dropped."""

    strong: float
    moderate: float
    weak: float
    floor: float


GENERIC_BANDS = Bands(strong=0.60, moderate=0.45, weak=0.30, floor=0.30)
"""For a model nobody has calibrated (memo-mcp's generic bands)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """What an index scores on questions it has no answer to, under one profile and model.

    `hybrid`, `words` and `meaning` are the floors of the best confidence for words and meaning together, for words
    alone (a share) and for meaning alone (a cosine); None where that was not measured. `cosine` is one that is an
    answer by itself. `spread` is the third quartile of how far apart the cosines of a page lie (top - lowest) when
    nothing on it answers. `passages` counts the live passages it was measured on.
    """

    passages: int
    model: str
    hybrid: float | None = None
    words: float | None = None
    meaning: float | None = None
    cosine: float | None = None
    spread: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedProfile:
    """A profile joined with the model it runs under and the index's calibration. `hash` is 16 hex digits over every
    constant of the three."""

    profile: Profile
    model: str
    bands: Bands
    calibration: Calibration | None = None

    @property
    def hash(self) -> str:
        constants = dataclasses.asdict(self)
        for told in ("purpose", "base"):
            del constants["profile"][told]
        return hashlib.sha256(json.dumps(constants, sort_keys=True).encode()).hexdigest()[:16]


_TEXT = Fusion(fact=0.0, entity=0.0, graph=0.0)
"""Words, identifiers and meaning; nothing that is extracted from the text."""

_AS_TYPED = Reading(plain_negation=False, variants=False)
"""Of a query only its signs are read: what the other systems do."""

PROFILES: dict[str, Profile] = {
    profile.name: profile
    for profile in (
        Profile(
            name="default",
            purpose="words and meaning by how well they match, weighed in one measure",
            fusion=Fusion(method="evidence"),
        ),
        Profile(name="rrf", purpose="the places in every arm's list, not how well it matches"),
        Profile(
            name="minmax",
            purpose="each arm's own scores, stretched over its list",
            fusion=Fusion(method="minmax"),
        ),
        Profile(
            name="memo-mcp",
            purpose="as memo-mcp ranks: its arms, weights, floor and cutoff",
            reading=_AS_TYPED,
            abstain=Abstain(band="weak"),
            fold=Fold(enabled=False),
        ),
        Profile(
            name="memtomem",
            purpose="as memtomem ranks: 50 by words and 50 by meaning, nothing dropped",
            depth=50,
            reading=_AS_TYPED,
            fusion=dataclasses.replace(_TEXT, keyword=1.0, semantic=1.0, exact=0.0),
            recency=Recency(kinds=()),
            abstain=Abstain(enabled=False),
            cutoff=Cutoff(enabled=False),
            fold=Fold(enabled=False),
        ),
        Profile(
            name="precise",
            purpose="a deeper look, a shorter list",
            depth=200,
            cutoff=Cutoff(gap=0.6, min_results=2),
        ),
        Profile(
            name="recency",
            purpose="what is new first, of every kind",
            recency=Recency(floor=0.6, half_life_days=30.0, kinds=KINDS),
        ),
        Profile(
            name="code",
            purpose="names as they are written count most, and nothing ages",
            fusion=Fusion(keyword=0.4, semantic=0.4, exact=0.6, fact=0.4, entity=0.5, graph=0.5),
            recency=Recency(kinds=()),
        ),
        Profile(
            name="keyword-only",
            purpose="words and names, no meaning",
            fusion=dataclasses.replace(_TEXT, semantic=0.0),
        ),
        Profile(
            name="semantic-only",
            purpose="meaning, no words",
            fusion=dataclasses.replace(_TEXT, keyword=0.0, exact=0.0),
        ),
        Profile(name="text-only", purpose="words, names and meaning; no facts, entities or links", fusion=_TEXT),
        Profile(name="no-graph", purpose="every arm but the one along links", fusion=Fusion(graph=0.0)),
    )
}


def get(profile: str | Profile, known: Mapping[str, Profile] = PROFILES) -> Profile:
    """The profile of that name among those that are known. Raises ProfileError naming the nearest one."""
    if isinstance(profile, Profile):
        return profile
    if profile in known:
        return known[profile]
    import difflib

    near = difflib.get_close_matches(str(profile), known, n=1)
    cure = f"Did you mean {near[0]}?" if near else "Use one of: " + ", ".join(sorted(known))
    raise ProfileError(f"no profile is called {profile!r}. {cure}")


def override(profile: Profile, **changes: Any) -> Profile:
    """A copy with dotted constants changed: override(p, **{"cutoff.gap": 0.6}). Raises ProfileError."""
    for key, value in changes.items():
        section, _, name = key.rpartition(".")
        try:
            if section:
                profile = dataclasses.replace(
                    profile, **{section: dataclasses.replace(getattr(profile, section), **{name: value})}
                )
            else:
                profile = dataclasses.replace(profile, **{name: value})
        except (AttributeError, TypeError) as error:
            raise ProfileError(f"no profile constant is called {key!r}") from error
    return profile
