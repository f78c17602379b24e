"""Fair dummies: protected attributes drawn anew, given the outcome, and the loss that r̂ then has.

The loss of row i with value a is worked out once, so that a dummy costs one selection a row and no prediction. Losses
are summed as whole multiples of a small unit, which float64 adds exactly: sums do not depend on the order of rows, and
dummies with equal losses tie exactly with the people there are.
"""

import math

import numpy as np

from core.base.progress import OnProgress, Progress, ignore_progress
from core.inference.counted import quantiles
from core.language.told import say

_DUMMIES_AT_ONCE = 10_000
_STATES_AT_ONCE = 100_000_000
_NUMBERS_AT_ONCE = 1 << 20
_DEVIATIONS = 9
_ROWS_BETWEEN_REPORTS = 500
_ROWS_A_COUNT = 6
"""Shuffling so many rows takes as long as drawing one count."""
STEPS = 20
"""Rounds of swaps from the people there are to the hub, and from there to a dummy. With an attribute of 20 bins that Z
explains by half or by 92% the share of rows with their own bin is then as after 200."""
_PHASE = say("Drawing the groups anew")


def in_units(losses: np.ndarray, least: float = 0.0, rows: int | None = None) -> tuple[np.ndarray, float]:
    """Losses, shape (n, l) or (n,), as whole numbers of a unit, at least ``least``; sums of n of them are exact.

    Where values stand for several people ``rows`` says how many these are in all.
    """
    largest = float(np.abs(losses).max(initial=0.0)) * max(1, len(losses) if rows is None else rows)
    unit = max(2.0 ** (math.ceil(math.log2(largest)) - 50) if largest > 0 else 1.0, least)
    return np.rint(losses / unit), unit


def merged(values: np.ndarray, levels: int, most: int, times: np.ndarray | None = None) -> np.ndarray:
    """Values, those near each other replaced by their mean where there are too many to draw them row by row.

    Half of the bins hold equally many rows, half are equally wide, so that tails are cut, too. Bins are chosen without
    the groups, so that a permutation test of what comes out is as exact.

    Args:
        values: Shape (n,).
        levels: l.
        most: Different values that are drawn as counts.
        times: People that each value is that of, shape (n,), int64; one each if None.
    """
    people = np.ones(len(values), dtype=np.int64) if times is None else times
    if _row_by_row(int(people.sum()), most, levels):
        return values
    distinct, place = np.unique(values, return_inverse=True)
    if len(distinct) <= most:
        return values
    ranks = quantiles(values, np.arange(1, most // 2) / (most // 2), times)
    widths = np.linspace(distinct[0], distinct[-1], most // 2 + 1)[1:-1]
    bins = np.unique(np.searchsorted(np.union1d(ranks, widths), distinct), return_inverse=True)[1][place]
    return np.asarray((np.bincount(bins, people * values) / np.bincount(bins, people))[bins])


def permuted(
    values: np.ndarray,
    counts: np.ndarray,
    dummies: int,
    *,
    times: np.ndarray | None = None,
    rng: np.random.Generator,
    on_progress: OnProgress = ignore_progress,
) -> np.ndarray:
    """Sums of the values by level when levels are permuted among the people; every permutation is as likely.

    Args:
        values: Value of each row, shape (n,); exact sums need whole numbers (:func:`in_units`).
        counts: People of each level, shape (l,), int, all of them.
        dummies: K.
        times: People that each row stands for, shape (n,), int64; one each if None.
        rng: Source of the permutations.
        on_progress: Told how far it is; may raise to stop it.

    Returns:
        Shape (K, l).
    """
    sums = np.zeros((dummies, len(counts)))
    used = np.flatnonzero(counts)
    kinds, place = np.unique(values, return_inverse=True)
    rows = np.bincount(place, times).astype(np.int64)
    if _row_by_row(int(rows.sum()), len(kinds), len(used)):
        drawn = _shuffled(np.repeat(kinds, rows), counts[used], dummies, rng=rng, on_progress=on_progress)
    else:
        drawn = _dealt(kinds, rows, counts[used], dummies, rng=rng, on_progress=on_progress)
    sums[:, used] = drawn
    return sums


def _row_by_row(rows: int, kinds: int, levels: int) -> bool:
    """Whether shuffling rows takes no longer than drawing how many of each kind have each level."""
    return rows <= _ROWS_A_COUNT * kinds * (levels - 1)


def _shuffled(
    values: np.ndarray, counts: np.ndarray, dummies: int, *, rng: np.random.Generator, on_progress: OnProgress
) -> np.ndarray:
    """:func:`permuted` by shuffling rows; no level is empty."""
    sums, starts = np.empty((dummies, len(counts))), np.cumsum(counts) - counts
    for block in _blocks(dummies, max(1, _NUMBERS_AT_ONCE // len(values))):
        drawn = rng.permuted(np.broadcast_to(values, (block.stop - block.start, len(values))), axis=1)
        np.add.reduceat(drawn, starts, axis=1, out=sums[block])
        on_progress(Progress(block.stop / dummies, _PHASE))
    return sums


def _dealt(
    kinds: np.ndarray,
    rows: np.ndarray,
    counts: np.ndarray,
    dummies: int,
    *,
    rng: np.random.Generator,
    on_progress: OnProgress,
) -> np.ndarray:
    """:func:`permuted` by how many rows of each kind have each level: hypergeometric, kind by kind, level by level.

    Args:
        kinds: The different values, shape (u,).
        rows: Rows of each, shape (u,).
        counts: Rows of each level, shape (l,), none 0.
        dummies: K.
        rng: Source of the draws.
        on_progress: Told how far it is.
    """
    left = np.repeat(counts[:, None], dummies, axis=1)
    sums = np.zeros(left.shape)
    *first, last = np.argsort(rows, kind="stable")
    for done, kind in enumerate(first):
        missing = np.full(dummies, rows[kind])
        pool = left.sum(axis=0)
        for level in range(len(counts) - 1):
            pool -= left[level]
            drawn = rng.hypergeometric(left[level], pool, missing)
            missing -= drawn
            left[level] -= drawn
            sums[level] += kinds[kind] * drawn
        left[-1] -= missing
        sums[-1] += kinds[kind] * missing
        on_progress(Progress(done / len(kinds), _PHASE))
    return np.asarray((sums + kinds[last] * left).T)


def _chosen(
    losses: np.ndarray,
    odds: np.ndarray,
    count: int,
    dummies: int,
    *,
    rng: np.random.Generator,
    on_progress: OnProgress,
) -> np.ndarray:
    """Sums of losses when ``count`` rows have the second of two values; a set is as likely as the product of its odds.

    Row by row it is drawn whether it is in the set, given how many are left to choose, from exact probabilities
    (Chen, Dempster and Liu 1994, "Weighted finite population sampling to maximize entropy", procedure 4).

    Args:
        losses: Loss of each row with either value, shape (n, 2).
        odds: Odds of the second value, shape (n,), above 0.
        count: Rows that have the second value, above 0 and below n.
        dummies: K.
        rng: Source of the draws.
        on_progress: Told how far it is.
    """
    chance, lowest = _chances(odds, count)
    gains, n = losses[:, 1] - losses[:, 0], len(losses)
    sums = np.full(dummies, losses[:, 0].sum())
    for block in _blocks(dummies, _DUMMIES_AT_ONCE):
        size = block.stop - block.start
        left = np.full(size, count)
        for i in range(n):
            taken = rng.random(size, dtype=np.float32) < chance[i].take(left - lowest[i])
            sums[block] += gains[i] * taken
            left -= taken
            if i % _ROWS_BETWEEN_REPORTS == 0:
                on_progress(Progress((block.start + size * i / n) / dummies, _PHASE))
    return sums


def _chances(odds: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Probability that row i is chosen, by how many of ``count`` are left to choose among it and later rows.

    Odds times a constant give the same sets; with the constant that makes ``count`` the expected number, the number
    left stays within some standard deviations of its mean, and only those are tabulated.

    Returns:
        Probabilities, shape (n, w), and the number left that the first column of each row is about, shape (n,).
    """
    from scipy.optimize import brentq
    from scipy.special import expit

    logs = np.log(odds)
    tilt = brentq(lambda shift: expit(logs + shift).sum() - count, -50 - logs.max(), 50 - logs.min())
    single = expit(logs + tilt)
    half = _DEVIATIONS + math.ceil(_DEVIATIONS * math.sqrt(float((single * (1 - single)).sum())))
    expected = np.append(np.cumsum(single[::-1])[::-1], 0.0)
    lowest = np.floor(expected).astype(np.int64) - half
    width = 2 * half + 1
    chance = np.zeros((len(odds), width), dtype=np.float32)
    later = np.zeros(width + 2)
    later[1 + half] = 1.0
    for i in range(len(odds) - 1, -1, -1):
        moved = 1 + lowest[i] - lowest[i + 1]
        with_it, without = single[i] * later[moved - 1 :][:width], (1 - single[i]) * later[moved:][:width]
        either = with_it + without
        np.divide(with_it, either, out=chance[i], where=either > 0)
        later[1:-1] = either / either.max()
    return chance, lowest[:-1]


def fresh(
    losses: np.ndarray,
    probabilities: np.ndarray,
    dummies: int,
    *,
    rng: np.random.Generator,
    on_progress: OnProgress = ignore_progress,
) -> np.ndarray:
    """Sums of losses when every row's value is drawn from its probabilities (Algorithm 2, line 5).

    Args:
        losses: Loss of each row with each value, shape (n, l).
        probabilities: Probability of each value for each row, shape (n, l), rows summing to 1.
        dummies: K.
        rng: Source of the draws.
        on_progress: Told how far it is; may raise to stop it.

    Returns:
        Shape (K,).
    """
    steps, below = np.diff(losses, axis=1), np.cumsum(probabilities, axis=1)[:, :-1].astype(np.float32)
    sums = np.full(dummies, losses[:, -1].sum())
    for block in _blocks(dummies, _DUMMIES_AT_ONCE):
        for i in range(len(losses)):
            spot = rng.random(block.stop - block.start, dtype=np.float32)
            for value in range(steps.shape[1]):
                np.subtract(sums[block], steps[i, value], out=sums[block], where=spot < below[i, value])
            if i % _ROWS_BETWEEN_REPORTS == 0:
                on_progress(Progress((block.start + (block.stop - block.start) * i / len(losses)) / dummies, _PHASE))
    return sums


def swapped(
    losses: np.ndarray,
    codes: np.ndarray,
    probabilities: np.ndarray,
    dummies: int,
    *,
    rng: np.random.Generator,
    on_progress: OnProgress = ignore_progress,
) -> np.ndarray:
    """Sums of losses when values are permuted, likelier where they are likelier (the conditional permutation test).

    Of two values every dummy is an independent draw from the exact distribution. Of more it comes from the parallel
    pairwise sampler (Berrett, Wang, Barber and Samworth 2020, algorithms 1 and 2): in every step rows are paired,
    and the two of a pair swap their values with the odds of the swapped against the present ones. From the people there
    are, so many steps lead to a hub, and from there as many to each dummy; the pairs are the same for all dummies and
    come in reverse on the way to the hub, so that people and dummies are exchangeable, given the hub, however few steps
    there are.

    Args:
        losses: Loss of each row with each value, shape (n, l).
        codes: The values there are, shape (n,), int.
        probabilities: Probability of each value for each row, shape (n, l), above 0.
        dummies: K.
        rng: Source of pairs and swaps.
        on_progress: Told how far it is; may raise to stop it.

    Returns:
        Shape (K,).
    """
    if not np.ptp(codes):
        return np.full(dummies, losses[:, codes[0]].sum())
    if losses.shape[1] == 2:
        odds = probabilities[:, 1] / probabilities[:, 0]
        return _chosen(losses, odds, int(codes.sum()), dummies, rng=rng, on_progress=on_progress)
    n = len(codes)
    logs = np.log(probabilities).astype(np.float32)
    pairs = [_paired(n, rng) for _ in range(STEPS)]
    kind = np.uint8 if logs.shape[1] ** 2 <= 256 else np.uint16
    hub = codes.astype(kind)[:, None]
    for pair in reversed(pairs):
        _swap(hub, pair, logs, rng)
    sums = np.zeros(dummies)
    for block in _blocks(dummies, max(1, _STATES_AT_ONCE // max(n, 1))):
        states = np.repeat(hub, block.stop - block.start, axis=1)
        for step, pair in enumerate(pairs):
            _swap(states, pair, logs, rng)
            on_progress(Progress((block.start + (block.stop - block.start) * step / STEPS) / dummies, _PHASE))
        for i in range(n):
            sums[block] += losses[i][states[i]]
    return sums


def _paired(rows: int, rng: np.random.Generator) -> np.ndarray:
    """Rows in pairs, shape (2, m), one or two left over: some time neighbours, some time from afar."""
    reach = max(4.0, rows * 2.0 ** -rng.uniform(-1, 6))
    mixed = np.argsort(np.arange(rows) + reach * rng.random(rows))[int(rng.integers(2)) * (rows > 2) :]
    return np.ascontiguousarray(mixed[: len(mixed) // 2 * 2].reshape(-1, 2).T)


def _swap(states: np.ndarray, pair: np.ndarray, logs: np.ndarray, rng: np.random.Generator) -> None:
    """One step for all dummies, in place; states (n, K), pair (2, m)."""
    values, dummies = logs.shape[1], states.shape[1]
    for part in _blocks(pair.shape[1], max(1, _NUMBERS_AT_ONCE // dummies)):
        first, second = pair[0, part], pair[1, part]
        apart = logs[first] - logs[second]
        odds = apart[:, None, :] - apart[:, :, None]
        chance = (1 / (1 + np.exp(-np.clip(odds, -80, 80)))).reshape(-1)
        a, b = states[first], states[second]
        place = np.add(a * states.dtype.type(values) + b, np.arange(len(first))[:, None] * values**2, dtype=np.intp)
        swap = rng.random(a.shape, dtype=np.float32) < chance.take(place)
        both = (a ^ b) * swap
        states[first] = a ^ both
        states[second] = b ^ both


def _blocks(total: int, size: int) -> list[slice]:
    return [slice(start, min(start + size, total)) for start in range(0, total, size)]
