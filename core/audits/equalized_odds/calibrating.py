"""How well P(A | Z), learned on some rows, fits others: a chart for the reader and a p-value for the verdict."""

import numpy as np

from core.audits.equalized_odds.densities import CELLS, Densities
from core.audits.equalized_odds.levels import AttributeLevels
from core.audits.equalized_odds.result import AttributeCalibration
from core.inference.p_values import monte_carlo_p

DRAWS = 499
_BINS = 10
_BLOCKS = 4
_QUANTILES = np.arange(1, 10) / 10
_NUMBERS_AT_ONCE = 1 << 22


def calibrate_model(
    model: Densities,
    levels: AttributeLevels,
    given: np.ndarray,
    learning: np.ndarray,
    tested: np.ndarray,
    *,
    rng: np.random.Generator,
) -> AttributeCalibration:
    """Compare the model with the tested rows, in tenths of Z and group by group.

    The p-value is that of a parametric bootstrap (Stute, González Manteiga and Presedo Quindimil 1993): levels of all
    rows are drawn from the model, it is learned again with the same bandwidths and compared with the tested rows in the
    same way. So it counts in that probabilities learned from few rows are not exact, and is about uniform where the
    densities are as smooth as the bandwidths suppose.

    Args:
        model: P(A | Z), learned on ``learning``.
        levels: The levels of everybody.
        given: Z of everybody, shape (n,).
        learning: Positions of the rows it was learned from.
        tested: Positions of the tested rows.
        rng: Source of the draws.
    """
    bins = _tenths(given[tested])
    cells = model.cells(given[tested])
    blocks = _blocks(levels)
    where = np.zeros((bins.max() + 1, CELLS))
    np.add.at(where, (bins, cells), 1.0)

    def distance(codes: np.ndarray, tables: np.ndarray) -> np.ndarray:
        """Pearson's statistic, by draw: codes (b, t), tables (b, l, cells) -> (b,)."""
        expected = blocks @ (tables @ where.T)
        found = np.zeros(expected.shape)
        draws = np.broadcast_to(np.arange(len(codes))[:, None], codes.shape)
        np.add.at(found, (draws, blocks.argmax(axis=0)[codes], np.broadcast_to(bins, codes.shape)), 1.0)
        return np.asarray(((found - expected) ** 2 / (expected + 0.5)).sum(axis=(1, 2)))

    observed = distance(levels.codes[tested][None], model.table[None])[0]
    drawn = []
    size = max(1, _NUMBERS_AT_ONCE // (len(given) + CELLS * len(levels)))
    for start in range(0, DRAWS, size):
        draws = min(size, DRAWS - start)
        again = model.relearned(given[learning], _drawn(model.at(given[learning]), draws, rng))
        drawn.append(distance(_drawn(model.at(given[tested]), draws, rng), again))
    p_value = monte_carlo_p(np.count_nonzero(np.concatenate(drawn) >= observed), DRAWS)
    chart = _chart(model.at(given[tested]), levels, levels.codes[tested], bins)
    return AttributeCalibration(**chart, p_value=p_value)


def _tenths(values: np.ndarray) -> np.ndarray:
    cuts = np.unique(np.quantile(values, np.arange(1, _BINS) / _BINS, method="inverted_cdf"))
    return np.asarray(np.unique(np.searchsorted(cuts, values), return_inverse=True)[1])


def _blocks(levels: AttributeLevels) -> np.ndarray:
    """Levels that are counted together: groups alone, bins of a number in four blocks; shape (b, l), 0 or 1."""
    if not levels.ordered:
        return np.eye(len(levels))
    block = np.arange(len(levels)) * _BLOCKS // len(levels)
    return np.asarray(block == np.arange(block.max() + 1)[:, None], dtype=np.float64)


def _drawn(chances: np.ndarray, draws: int, rng: np.random.Generator) -> np.ndarray:
    """Levels drawn for each row, shape (draws, n), int64."""
    limits = np.cumsum(chances, axis=1)[:, :-1].T
    spots = rng.random((draws, len(chances)))
    codes = np.zeros(spots.shape, dtype=np.int64)
    for limit in limits:
        codes += spots >= limit
    return codes


def _chart(chances: np.ndarray, levels: AttributeLevels, codes: np.ndarray, bins: np.ndarray) -> dict[str, np.ndarray]:
    """Group, expected share, observed share and rows of each bin."""
    if levels.ordered:
        upper = np.cumsum(chances, axis=1)[np.arange(len(codes)), codes]
        own = chances[np.arange(len(codes)), codes]
        below = np.clip((_QUANTILES[:, None] - (upper - own)) / own, 0.0, 1.0).mean(axis=1)
        count = len(_QUANTILES)
        return {
            "group": np.arange(count),
            "expected": _QUANTILES,
            "observed": below,
            "rows": np.full(count, len(codes)),
        }
    rows = np.bincount(bins)
    expected = np.stack([np.bincount(bins, chances[:, level]) / rows for level in range(len(levels))])
    observed = np.stack([np.bincount(bins, codes == level) / rows for level in range(len(levels))])
    alone = levels.groups >= 0
    return {
        "group": np.repeat(levels.groups[alone], len(rows)),
        "expected": expected[alone].reshape(-1),
        "observed": observed[alone].reshape(-1),
        "rows": np.tile(rows, int(alone.sum())),
    }
