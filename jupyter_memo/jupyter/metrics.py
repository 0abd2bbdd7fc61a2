"""What the Jupyter server's own `/metrics` says of searches and of the index."""

from __future__ import annotations

from typing import Any

from prometheus_client import Counter, Gauge, Histogram

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
CANDIDATES = (0, 1, 3, 10, 30, 100, 300)

SEARCHES = Counter("jupyter_memo_searches_total", "Searches by mode and outcome", ("mode", "outcome"))
SEARCH_SECONDS = Histogram("jupyter_memo_search_seconds", "Seconds of a search in the engine", buckets=SECONDS)
ARM_SECONDS = Histogram("jupyter_memo_search_arm_seconds", "Seconds by arm", ("arm",), buckets=SECONDS)
ARM_CANDIDATES = Histogram("jupyter_memo_search_candidates", "Candidates by arm", ("arm",), buckets=CANDIDATES)
DEGRADED = Counter("jupyter_memo_search_degraded_total", "Searches without an arm that should have run", ("code",))
ABSTENTIONS = Counter("jupyter_memo_search_abstentions_total", "Searches that were answered with: nothing here")
CUTOFFS = Counter("jupyter_memo_search_cutoffs_total", "What ended the list", ("kind",))
PASSAGES = Gauge("jupyter_memo_index_passages", "Live passages, when last looked at")
SOURCES = Gauge("jupyter_memo_index_sources", "Files and records, when last looked at")
PENDING = Gauge("jupyter_memo_index_pending", "Passages that wait for their vectors, when last looked at")
VERSION = Gauge("jupyter_memo_index_version", "Version of the index, when last looked at")
JOBS = Gauge("jupyter_memo_index_jobs", "Index runs that wait or run")


def searched(facts: dict[str, Any]) -> None:
    """Count an answer, by the facts of `serving.counted`."""
    SEARCHES.labels(facts["mode"], facts["outcome"]).inc()
    SEARCH_SECONDS.observe(facts["seconds"])
    for arm, seconds, candidates in facts["arms"]:
        ARM_SECONDS.labels(arm).observe(seconds)
        ARM_CANDIDATES.labels(arm).observe(candidates)
    if facts["degraded"]:
        DEGRADED.labels(facts["degraded"]).inc()
    if facts["outcome"] == "abstained":
        ABSTENTIONS.inc()
    CUTOFFS.labels(facts["cutoff"]).inc()
    VERSION.set(facts["index_version"])


def refused(code: str) -> None:
    """Count a search that was not answered."""
    SEARCHES.labels("none", code).inc()


def stands(facts: dict[str, Any]) -> None:
    """Note how the index is."""
    for gauge, name in ((PASSAGES, "passages"), (SOURCES, "sources"), (PENDING, "pending"), (VERSION, "index_version")):
        gauge.set(facts[name])
