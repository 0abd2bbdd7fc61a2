"""One evaluation from folders to figures: read the sets, ask, and set the answers beside the reference."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from jupyter_memo.errors import QueryError
from jupyter_memo.evaluate import asking, comparing, measures, sets, sweeping
from jupyter_memo.evaluate.asking import Asked, Search
from jupyter_memo.evaluate.bench import Bench, Opened, Progress
from jupyter_memo.evaluate.comparing import Draws
from jupyter_memo.evaluate.evaluation import Abstention, Difference, Evaluation, Measured, Subject, Table, line
from jupyter_memo.evaluate.sets import EvaluationSet, Question
from jupyter_memo.profile import PROFILES, Profile

if TYPE_CHECKING:
    from jupyter_memo.models import Embedder


def evaluate(
    folders: Iterable[str | Path | EvaluationSet],
    opened: Opened,
    embedder: Embedder | None,
    *,
    profiles: Sequence[str | Profile] = ("default", "rrf"),
    sweep: tuple[str, Sequence[object]] | None = None,
    stores: str | Path | None = None,
    off_topic: Iterable[tuple[str | Path, str | Path]] = (),
    shipped: bool = True,
    reference: bool = True,
    progress: Progress | None = None,
    own: Search | None = None,
    known: Mapping[str, Profile] = PROFILES,
) -> Evaluation:
    """Measure each profile on each set, beside the reference of the same run.

    `profiles` are names of those `known`, `name+dotted.constant=value`, or profiles. `sweep` is a dotted constant and
    its values: the first profile is measured with each of them, and the result says what leaving one set out would
    choose.
    `off_topic` are pairs (folder of the questions, folder of the corpus): the questions of the first are asked of the
    second, one of `folders`, as questions without an answer. `shipped=False` leaves out the second table and with it
    the rates of abstention, `reference=False` the reference and the differences to it. `stores` is a folder that keeps
    the indexed sets for the next run. A set without documents of its own is asked of `own`.

    Raises QueryError, ProfileError, StoreError, and MissingExtraError without the extra `evaluate`.
    """
    measures.required()
    chosen = tuple(asking.named(spec, known) for spec in profiles)
    if sweep:
        chosen = sweeping.variants(chosen[0], *sweep)
    if len({profile.name for profile in chosen}) < len(chosen):
        raise QueryError("two profiles have the same name. Give each its own")
    evaluated = tuple(
        each for folder in folders for each in ((folder,) if isinstance(folder, EvaluationSet) else sets.read(folder))
    )
    if not evaluated:
        raise QueryError("name at least one evaluation set: a folder with corpus, queries and qrels")
    foreign = _foreign(off_topic, evaluated)
    with contextlib.ExitStack() as stack:
        where = Path(stores) if stores else Path(stack.enter_context(tempfile.TemporaryDirectory()))
        bench = Bench(opened=opened, embedder=embedder, stores=where, progress=progress, own=own)
        found = [_measure(bench, each, chosen, foreign.get(each.name, ()), shipped, reference) for each in evaluated]
    lines = tuple(line for each in found for line in each.lines)
    differences = tuple(difference for each in found for difference in each.differences)
    return Evaluation(
        subjects=tuple(each.subject for each in found),
        measured=(*lines, *comparing.means(lines)),
        differences=(
            *differences,
            *comparing.mean_differences(differences, [each.drawn for each in found if each.drawn]),
        ),
        abstentions=tuple(abstention for each in found for abstention in each.abstentions),
        choices=sweeping.choices(lines, chosen[0].name, {each.name: each.family for each in evaluated})
        if sweep
        else (),
        profiles=tuple((each.name, *found[-1].hashes[each.name]) for each in chosen),
        model=embedder.id if embedder else "none",
        model_sha256=embedder.sha256 if embedder else "",
        notes=_notes(lines),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """One set, measured. `hashes` are those of each profile: as shipped, and for ranking only."""

    subject: Subject
    lines: tuple[Measured, ...]
    differences: tuple[Difference, ...]
    drawn: Draws
    abstentions: tuple[Abstention, ...]
    hashes: Mapping[str, tuple[str, str]]


def _measure(
    bench: Bench,
    evaluated: EvaluationSet,
    profiles: Sequence[Profile],
    foreign: Sequence[Question],
    shipped: bool,
    reference: bool,
) -> _Found:
    subject = _subject(evaluated)
    lines: list[Measured] = []
    if reference and evaluated.documents:
        runs = bench.reference(evaluated)
        lines += [line(subject, name, "reference", measures.per_question(run, evaluated)) for name, run in runs.items()]
    questions = (*evaluated.questions, *foreign)
    hashes: dict[str, tuple[str, str]] = {}
    abstentions: list[Abstention] = []
    with bench.searching(evaluated, profiles if shipped else ()) as search:
        for profile in profiles:
            plain = asking.ranking_only(profile)
            ranking = bench.ask(search, evaluated, questions, plain, asking.DEPTH)
            page = bench.ask(search, evaluated, questions, profile, profile.page) if shipped else None
            lines.append(_line(subject, profile, "ranking", ranking, evaluated))
            if page:
                lines.append(_line(subject, profile, "shipped", page, evaluated))
            hashes[profile.name] = (page.profile_hash if page else "", ranking.profile_hash)
            abstentions += comparing.abstentions(evaluated.name, profile.name, questions, ranking, page)
    differences, drawn = comparing.differences(subject, lines)
    return _Found(
        subject=subject,
        lines=tuple(lines),
        differences=differences,
        drawn=drawn,
        abstentions=tuple(abstentions),
        hashes=hashes,
    )


def _subject(evaluated: EvaluationSet) -> Subject:
    return Subject(
        name=evaluated.name,
        documents=len(evaluated.documents),
        questions=len(evaluated.questions),
        judged=len(evaluated.judged),
        corpus_sha256=evaluated.corpus_sha256,
        queries_sha256=evaluated.queries_sha256,
        qrels_sha256=evaluated.qrels_sha256,
        meta={question.id: question.meta for question in evaluated.questions},
        weights=evaluated.weights(),
    )


def _line(subject: Subject, profile: Profile, table: Table, asked: Asked, evaluated: EvaluationSet) -> Measured:
    values = measures.per_question(asked.run, evaluated)
    deepest = profile.page if table == "shipped" else asking.DEPTH
    return line(
        subject,
        profile.name,
        table,
        {name: each for name, each in values.items() if measures.MEASURES[name] <= deepest},
        malformed=len(asked.malformed),
        degraded=asked.degraded,
        ms=asked.ms,
    )


def _foreign(
    pairs: Iterable[tuple[str | Path, str | Path]], evaluated: Sequence[EvaluationSet]
) -> dict[str, tuple[Question, ...]]:
    """The off-topic questions of each set, with ids and a class of their own."""
    found: dict[str, tuple[Question, ...]] = {}
    names = {each.name for each in evaluated}
    for questions, corpus in pairs:
        for target in sets.read(corpus):
            if target.name not in names:
                raise QueryError(f"{target.name} is not among the sets; off-topic questions are asked of one of them")
            for source in sets.read(questions):
                asked = (
                    Question(id=f"{source.name}/{each.id}", text=each.text, answer=f"queries of {source.name}")
                    for each in source.questions
                )
                found[target.name] = (*found.get(target.name, ()), *asked)
    return found


def _notes(lines: Sequence[Measured]) -> tuple[str, ...]:
    """What a reader should know: lines of one cause are told once."""
    notes: dict[str, None] = {}
    for each in lines:
        if each.degraded:
            notes[f"{each.set}, {each.run}, {each.table}: {each.degraded} answers lacked an arm."] = None
        if each.malformed:
            notes[
                f"{each.set}: {each.malformed} questions cannot be asked as they are (they read as a filter); "
                "they count as refused."
            ] = None
    return tuple(notes)
