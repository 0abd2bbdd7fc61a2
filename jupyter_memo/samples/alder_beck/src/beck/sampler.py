"""A small Metropolis sampler for the rating with one offset per station, in pure Python so that it runs anywhere.

Model: sediment = intercept + offset[station] + slope × turbidity + noise; offset ~ normal(0, sigma_site).
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence

R_HAT_LIMIT = 1.05
"""Chains that disagree more than this have not settled; nothing may be read off them."""


class ConvergenceError(RuntimeError):
    """The chains do not agree. `r_hat` holds the value of every parameter."""

    def __init__(self, r_hat: dict[str, float]) -> None:
        worst = max(r_hat, key=lambda name: r_hat[name])
        super().__init__(f"chains disagree: r_hat of {worst} is {r_hat[worst]:.2f} (limit {R_HAT_LIMIT})")
        self.r_hat = r_hat


def metropolis(
    log_density: Callable[[Sequence[float]], float],
    start: Sequence[float],
    steps: Sequence[float],
    draws: int,
    seed: int,
    thin: int = 1,
) -> list[list[float]]:
    """One chain, one coordinate at a time. Keeps every `thin`-th sweep, after as many again for warming up.

    Keep `thin` at 5 or more on the cluster: with thin = 1 every sweep of every chain stays in memory.
    """
    rng = random.Random(seed)
    state, density = list(start), log_density(start)
    kept: list[list[float]] = []
    for sweep in range(2 * draws * thin):
        for i, step in enumerate(steps):
            old = state[i]
            state[i] = old + rng.gauss(0.0, step)
            proposed = log_density(state)
            if math.log(rng.random() or 1e-300) < proposed - density:
                density = proposed
            else:
                state[i] = old
        if sweep >= draws * thin and sweep % thin == 0:
            kept.append(list(state))
    return kept


def r_hat(chains: list[list[float]]) -> float:
    """Between-chain against within-chain spread of one parameter, each chain split in two. 1 when they agree."""
    halves = [half for c in chains for half in (c[: len(c) // 2], c[len(c) // 2 : 2 * (len(c) // 2)])]
    n = len(halves[0])
    means = [sum(h) / n for h in halves]
    grand = sum(means) / len(means)
    between = n * sum((m - grand) ** 2 for m in means) / (len(means) - 1)
    within = sum(sum((x - m) ** 2 for x in h) / (n - 1) for h, m in zip(halves, means, strict=True)) / len(halves)
    return math.sqrt(((n - 1) / n * within + between / n) / within)


def check(chains: list[list[list[float]]], names: Sequence[str]) -> dict[str, float]:
    """r_hat of every parameter. Raises ConvergenceError when one is above R_HAT_LIMIT."""
    found = {name: r_hat([[draw[i] for draw in chain] for chain in chains]) for i, name in enumerate(names)}
    if max(found.values()) > R_HAT_LIMIT:
        raise ConvergenceError(found)
    return found
