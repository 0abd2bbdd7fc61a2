"""One constant over several values, and what a choice on the other sets would have given on each set.

Leave one set out: the value with the best mean nDCG@10 over the sets of the other families is reported on the sets of
the family that was left out. The figure is then not that of a constant fitted to the set it is shown on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from jupyter_memo import profile as profiles
from jupyter_memo.errors import ProfileError, QueryError
from jupyter_memo.evaluate.evaluation import Choice, Measured
from jupyter_memo.profile import Profile


def variants(profile: Profile, constant: str, values: Sequence[object]) -> tuple[Profile, ...]:
    """The profile itself, then one variant for each value: `fusion.balance`, (.3, .4). Raises ProfileError."""
    if not values:
        raise QueryError(f"give {constant} at least one value to try")
    made = [profile]
    for value in values:
        if constant == "name":
            raise ProfileError("the name of a profile is no constant")
        name = (
            f"{profile.name}+{constant}={value:g}" if isinstance(value, float) else f"{profile.name}+{constant}={value}"
        )
        made.append(profiles.override(profiles.override(profile, **{constant: value}), name=name))
    return tuple(made)


def choices(lines: Sequence[Measured], base: str, families: Mapping[str, str]) -> tuple[Choice, ...]:
    """One choice a family of sets; `base` is the unchanged profile, which is no candidate. Empty for one family."""
    figures = {(line.run, line.set): line.value() for line in lines if line.table == "ranking"}
    runs = [run for run in dict.fromkeys(run for run, _ in figures) if run != base]
    found = []
    for left_out in dict.fromkeys(families.values()):
        own = tuple(name for name, family in families.items() if family == left_out)
        others = tuple(name for name, family in families.items() if family != left_out)
        if not others:
            return ()
        chosen = max(runs, key=lambda run: _mean(figures, run, others))
        found.append(
            Choice(
                left_out=left_out,
                sets=own,
                run=chosen,
                value=_mean(figures, chosen, own),
                base=_mean(figures, base, own),
                best=max(_mean(figures, run, own) for run in runs),
            )
        )
    return tuple(found)


def _mean(figures: Mapping[tuple[str, str], float], run: str, sets: Sequence[str]) -> float:
    return float(np.mean([figures[run, name] for name in sets]))
