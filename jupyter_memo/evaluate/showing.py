"""An evaluation as tables, in text and in HTML."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from jupyter_memo.evaluate.evaluation import BETTER, Abstention, Difference, Evaluation, Measured, Part
from jupyter_memo.evaluate.measures import MAIN, MEASURES
from jupyter_memo.render.html import table as html_table
from jupyter_memo.render.text import table as text_table

SHORT = 12
"""Hex digits of a hash that are shown."""


@dataclass(frozen=True, slots=True)
class Shown:
    """One table: what it shows, its head, its rows, and which columns are text."""

    heading: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    text: tuple[int, ...]


def plain(evaluation: Evaluation) -> str:
    """Every table below its heading, then the notes."""
    return "\n\n".join([*map(_plain, _tables(evaluation)), *evaluation.notes])


def html(evaluation: Evaluation) -> str:
    """The same tables, escaped and without script."""
    made = (f"<p>{escape(one.heading)}</p>\n{html_table(one.head, one.rows, one.text)}" for one in _tables(evaluation))
    return "\n".join([*made, *(f"<p>{escape(note)}</p>" for note in evaluation.notes)])


def parts(found: tuple[Part, ...], key: str, measure: str = MAIN) -> str:
    """The figures of `Evaluation.by` as text: a row a part, a column a run."""
    runs = list(dict.fromkeys(part.run for part in found))
    cells = {(part.set, part.part, part.run): f"{part.value:.4f}" for part in found}
    rows = tuple(
        (name, value, str(count), *(cells.get((name, value, run), "") for run in runs))
        for name, value, count in dict.fromkeys((part.set, part.part, part.count) for part in found)
    )
    return _plain(Shown(f"{measure} by {key}, ranking only", ("set", key, "questions", *runs), rows, (0, 1)))


def _plain(shown: Shown) -> str:
    right = [at for at in range(len(shown.head)) if at not in shown.text]
    return "\n".join([shown.heading, *text_table((shown.head, *shown.rows), right=right)])


def _tables(evaluation: Evaluation) -> Iterator[Shown]:
    yield _overview(evaluation)
    if evaluation.differences:
        yield _differences(evaluation)
    if evaluation.choices:
        yield _choices(evaluation)
    for heading, tables in (
        ("Every measure, ranking only", ("reference", "ranking")),
        ("As shipped: the first page", ("shipped",)),
    ):
        lines = [line for line in evaluation.measured if line.table in tables]
        if lines:
            yield Shown(heading, ("set", "run", *MEASURES, "ms"), tuple(map(_measures, lines)), (0, 1))
    known = tuple(each for each in evaluation.abstentions if each.unanswerable or not _nan(each.false_refusals))
    if known:
        head = ("set", "run", "without an answer", "questions", "answerable", "AUC", "false answers", "false refusals")
        yield Shown("Abstention, rates as shipped", head, tuple(map(_abstention, known)), (0, 1, 2))
    yield _measured(evaluation)


def _overview(evaluation: Evaluation) -> Shown:
    lines = [line for line in evaluation.measured if line.table != "shipped"]
    runs = list(dict.fromkeys(line.run for line in lines))
    cells = {(line.set, line.run): f"{line.value():.4f}" for line in lines}
    counts = {line.set: line.count for line in lines}
    rows = tuple((name, str(count), *(cells.get((name, run), "") for run in runs)) for name, count in counts.items())
    return Shown(f"{MAIN}, ranking only: abstention, cutoff and ageing off", ("set", "questions", *runs), rows, (0,))


def _differences(evaluation: Evaluation) -> Shown:
    pairs: dict[tuple[str, str], dict[str, Difference]] = {}
    for each in evaluation.differences:
        pairs.setdefault((each.set, each.run), {})[each.against] = each
    rows = tuple(
        (name, run, *(cell for each in found.values() for cell in _difference(each)), found[BETTER].arm)
        for (name, run), found in pairs.items()
    )
    head = ("set", "profile", "- reference", "95 %", "- better arm", "95 %", "arm")
    return Shown(f"Differences in {MAIN}; * where the interval leaves 0 out", head, rows, (0, 1, 3, 5, 6))


def _difference(each: Difference) -> tuple[str, str]:
    return f"{each.mean:+.4f}{'*' if each.certain else ' '}", f"[{each.low:+.3f}, {each.high:+.3f}]"


def _choices(evaluation: Evaluation) -> Shown:
    rows = [
        (
            each.left_out,
            each.run,
            f"{each.value:.4f}",
            f"{each.base:.4f}",
            f"{each.value - each.base:+.4f}",
            f"{each.best:.4f}",
        )
        for each in evaluation.choices
    ]
    sizes = [len(each.sets) for each in evaluation.choices]

    def mean(values: list[float]) -> float:
        return sum(size * value for size, value in zip(sizes, values, strict=True)) / sum(sizes)

    value = mean([each.value for each in evaluation.choices])
    base = mean([each.base for each in evaluation.choices])
    best = mean([each.best for each in evaluation.choices])
    rows.append(("mean", "", f"{value:.4f}", f"{base:.4f}", f"{value - base:+.4f}", f"{best:.4f}"))
    head = ("left out", "chosen on the others", MAIN, "unchanged", "gain", "best here")
    return Shown("The constant, chosen on the other sets", head, tuple(rows), (0, 1))


def _measures(line: Measured) -> tuple[str, ...]:
    values = dict(line.values)
    return (line.set, line.run, *(_figure(values.get(name)) for name in MEASURES), f"{line.ms:.0f}" if line.ms else "")


def _abstention(each: Abstention) -> tuple[str, ...]:
    counts = (each.against or "none", str(each.unanswerable), str(each.answerable))
    return (each.set, each.run, *counts, _figure(each.auc), _percent(each.false_answers), _percent(each.false_refusals))


def _measured(evaluation: Evaluation) -> Shown:
    rows: list[tuple[str, ...]] = []
    for each in evaluation.subjects:
        sums = (each_sum[:SHORT] for each_sum in (each.corpus_sha256, each.queries_sha256, each.qrels_sha256))
        rows.append((each.name, f"{each.documents} documents, {each.questions} questions, {each.judged} judged", *sums))
    for name, shipped, ranking in evaluation.profiles:
        hashes = ", ".join(filter(None, (shipped and f"{shipped} as shipped", f"{ranking} ranking only")))
        rows.append((f"profile {name}", hashes, "", "", ""))
    rows.append(("model", f"{evaluation.model} {evaluation.model_sha256[:SHORT]}".strip(), "", "", ""))
    return Shown("What was measured", ("", "", "corpus", "queries", "qrels"), tuple(rows), (0, 1, 2, 3, 4))


def _figure(value: float | None) -> str:
    return "" if value is None or _nan(value) else f"{value:.4f}"


def _percent(value: float) -> str:
    return "" if _nan(value) else f"{100 * value:.1f} %"


def _nan(value: float) -> bool:
    return value != value
