"""Selection: one passage a document where asked, where the list ends, which page of it, and what the budget holds."""

from __future__ import annotations

from jupyter_memo.ranking.abstain import least
from jupyter_memo.ranking.stage import Candidates, Context, Facts
from jupyter_memo.response import ARMS, Budget, Candidate, Cutoff


def document(candidates: Candidates, context: Context) -> tuple[Candidates, Facts]:
    """With granularity document, keep the best passage of each document (the first, as the list is sorted)."""
    if context.query.granularity != "document":
        return candidates, Facts(note="passages, as asked")
    best: dict[str, Candidate] = {}
    for candidate in candidates:
        best.setdefault(candidate.passage.source_id if candidate.passage else candidate.id, candidate)
    return tuple(best.values()), Facts(note="the best passage of each document")


def cutoff(candidates: Candidates, context: Context) -> tuple[Candidates, Facts]:
    """End the list at the first index >= min_results where score - base < (previous - base) × (1 - gap); not after a
    reranker. Base is 0 under rank fusion, else a part of the floor of evidence."""
    rule = context.resolved.profile.cutoff
    if not rule.enabled:
        return candidates, Facts(note=f"off in profile {context.resolved.profile.name}", ran=False)
    if any(candidate.rerank is not None for candidate in candidates):
        return candidates, Facts(note="not after a reranker", ran=False)
    floor = least(context)
    base = rule.above * floor[0] if floor else 0.0
    for index in range(rule.min_results, len(candidates)):
        last, following = candidates[index - 1].score, candidates[index].score
        if following - base < (last - base) * (1 - rule.gap):
            cut = Cutoff(
                index=index,
                last_score=last,
                next_score=following,
                drop=min(1.0, 1 - (following - base) / (last - base)) if last > base else 1.0,
                gap=rule.gap,
                cause=_above(base) if base else _cause(candidates, index),
            )
            return candidates[:index], Facts(note=f"score fell by {100 * cut.drop:.0f} %", cutoff=cut)
    return candidates, Facts(note="no gap")


def _above(base: float) -> str:
    return f"both are counted from {base:.3f}, as unrelated passages have evidence too"


def _cause(candidates: Candidates, index: int) -> str:
    """Which arms still support what is cut: under rank fusion a gap means that fewer arms agree."""
    rest = {vote.arm for candidate in candidates[index:] for vote in candidate.votes}
    arms = [arm for arm in ARMS if arm in rest]
    if len(arms) == 1:
        return f"only {arms[0]} supports the rest"
    most = max(len(candidate.votes) for candidate in candidates[index:])
    return f"no more than {most} of {len(arms)} arms agree on any of the rest"


def limit(candidates: Candidates, context: Context) -> tuple[Candidates, Facts]:
    """The asked page: `limit` candidates from `offset` on. `truncated` counts those after it."""
    start, size = context.query.offset, context.query.limit
    page = candidates[start : start + size]
    whole = len(candidates) if context.listed is None else context.listed
    after = max(0, whole - start - size)
    return page, Facts(note=f"{len(page)} from {start + 1}" if start else f"the first {len(page)}", truncated=after)


def budget(candidates: Candidates, context: Context) -> tuple[Candidates, Facts]:
    """As many results as fit `max_tokens`, each at its tokens plus the profile's overhead; at least one."""
    asked = context.query.max_tokens
    overhead = context.resolved.profile.budget.overhead_tokens
    used, kept = 0, 0
    for candidate in candidates:
        cost = (candidate.passage.tokens if candidate.passage else 0) + overhead
        if asked is not None and kept and used + cost > asked:
            break
        used, kept = used + cost, kept + 1
    left = len(candidates) - kept
    note = f"{used} tokens, no budget" if asked is None else f"{used} of {asked} tokens"
    packed = Budget(max_tokens=asked, used_tokens=used, left_out=left)
    return candidates[:kept], Facts(note=note, budget=packed, truncated=left)
