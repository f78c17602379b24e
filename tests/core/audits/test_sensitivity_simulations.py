"""How often the sensitivity tests err where the truth lies at the tolerance, and what they find: by simulation.

Each design fails on the code before issue 13 or stands beside one that does; the long ones give the table of its note.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from core.audits.column_sensitivity.decision import ColumnSensitivityDecision
from core.audits.column_sensitivity.result import AttributeScores, ColumnSensitivityDetail
from core.audits.text_sensitivity.decision import MEASURES, TextSensitivityDecision
from core.base.grouping import Grouping
from core.inference.estimate import Verdict
from tests.builders_sensitivity import make_sensitivity_detail
from tests.findings import found

DELTA = 0.05
Shape = Callable[[np.random.Generator, int], np.ndarray]


def gamma(rng: np.random.Generator, n: int) -> np.ndarray:
    return np.minimum(rng.gamma(2, DELTA / 2, n), 1)


def nearly_constant(rng: np.random.Generator, n: int) -> np.ndarray:
    return np.where(rng.random(n) < DELTA / 0.051, 0.051, 0.0)


def rare(rng: np.random.Generator, n: int) -> np.ndarray:
    return (rng.random(n) < DELTA).astype(float)


def heavy(rng: np.random.Generator, n: int) -> np.ndarray:
    return np.minimum(_heavy_scale() * rng.lognormal(0, 1.5, n), 1)


@cache
def _heavy_scale() -> float:
    drawn, low, high = np.random.default_rng(99).lognormal(0, 1.5, 1_000_000), 1e-4, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if np.minimum(middle * drawn, 1).mean() < DELTA else (low, middle)
    return low


SHAPES: tuple[Shape, ...] = (gamma, nearly_constant, rare, heavy)


def attribute(name: str, change: np.ndarray, codes: np.ndarray, flipped: np.ndarray | None = None) -> AttributeScores:
    groups = tuple(f"g{place}" for place in range(int(codes.max()) + 1))
    changed = np.zeros(len(change), dtype=bool) if flipped is None else flipped
    return AttributeScores(name, groups, codes, True, change, change, changed, (), np.zeros((len(groups), 0)))


def columns(*attributes: AttributeScores, draws: int = 399) -> Any:
    return found(ColumnSensitivityDetail(attributes, (), 0, draws, 7), ColumnSensitivityDecision())


@cache
def _few_texts() -> Any:
    return make_sensitivity_detail(texts=30, shown=0)


def texts(moved: np.ndarray, codes: np.ndarray | None = None, draws: int = 399) -> Any:
    few, rows = _few_texts(), np.arange(len(moved)) % 30
    measures = few.audited.measures[rows]
    measures[:, MEASURES.index("CF")] = moved
    audited = replace(
        few.audited,
        measures=measures,
        signed=few.audited.signed[rows],
        flipped=np.zeros(len(moved), dtype=bool),
        predicted=few.audited.predicted[rows],
        confidence=few.audited.confidence[rows],
    )
    members = () if codes is None else (Grouping("group", tuple(map(str, range(int(codes.max()) + 1))), codes),)
    known = {"label": few.label[rows], "annotation": few.annotation[rows], "memberships": members, "draws": draws}
    detail = replace(few, audited=audited, reference=None, status=None, turned=None, **known)
    return found(detail, TextSensitivityDecision())


def rates(audit: Callable[[np.random.Generator], Any], repeats: int) -> tuple[float, float]:
    """Shares of audits that find a violation, and that find none."""
    verdicts = [audit(np.random.default_rng(seed)).verdict for seed in range(repeats)]
    return verdicts.count(Verdict.VIOLATION) / repeats, verdicts.count(Verdict.NO_VIOLATION) / repeats


def most(repeats: int) -> float:
    """5% and two Monte-Carlo errors."""
    return 0.05 + 2 * math.sqrt(0.05 * 0.95 / repeats)


def groups(rng: np.random.Generator, n: int, count: int) -> np.ndarray:
    """``count`` groups of which the first holds 3%."""
    return np.where(rng.random(n) < 0.03, 0, rng.integers(1, count, size=n))


def three_attributes(rng: np.random.Generator, n: int, shape: Shape, count: int = 3) -> Any:
    return columns(*(attribute(name, shape(rng, n), groups(rng, n, count)) for name in ("sex", "race", "age")))


def only_the_second(rng: np.random.Generator, n: int) -> Any:
    codes = rng.integers(2, size=n)
    return columns(attribute("sex", np.zeros(n), codes), attribute("race", 2 * gamma(rng, n), codes))


def small_group(rng: np.random.Generator, n: int, size: int, mean: float, *, of: Callable[..., Any]) -> Any:
    """A few people or texts far beyond the tolerance among many well within it."""
    codes = (np.arange(n) < size).astype(np.int64)
    moved = np.where(codes == 1, mean * rng.gamma(20, 0.05, n), 0.2 * gamma(rng, n))
    return columns(attribute("race", moved, codes)) if of is columns else texts(moved, codes)


def test_nearly_constant_texts_are_no_violation_at_the_tolerance() -> None:
    """41% before, of 400 with 50 texts."""
    violations, cleared = rates(lambda rng: texts(nearly_constant(rng, 50)), 100)
    assert max(violations, cleared) <= most(100)


def test_three_attributes_at_the_tolerance_err_as_often_as_one() -> None:
    violations, cleared = rates(lambda rng: three_attributes(rng, 200, gamma), 60)
    assert max(violations, cleared) <= most(60)


def test_a_violation_by_the_second_attribute_is_found() -> None:
    """Never before: 100 of 100 such models were cleared."""
    found_it, cleared = rates(lambda rng: only_the_second(rng, 400), 40)
    assert found_it == 1.0
    assert cleared == 0.0


@pytest.mark.parametrize(("of", "n", "mean"), [(columns, 1_000, 0.4), (texts, 500, 0.6)])
def test_a_small_group_far_beyond_the_tolerance_is_named_and_clears_nobody(of: Any, n: int, mean: float) -> None:
    """29 people of 4,000 with .4 and 29 texts of 1,500 with .6 were cleared before, 40 of 40 each."""
    for seed in range(10):
        one = small_group(np.random.default_rng(seed), n, 15, mean, of=of)
        assert one.verdict is Verdict.INSUFFICIENT
        assert "; beyond the tolerance for " in one.opening


@pytest.mark.long
@pytest.mark.parametrize("n", [200, 1_000, 4_000])
@pytest.mark.parametrize("count", [2, 3, 6])
@pytest.mark.parametrize("shape", SHAPES)
def test_columns_keep_the_error_rate_at_the_tolerance(shape: Shape, count: int, n: int) -> None:
    """One attribute and three, of two, three and six groups of which one holds 3%."""
    repeats = 400 if n < 4_000 else 150

    def one(rng: np.random.Generator) -> Any:
        return columns(attribute("sex", shape(rng, n), groups(rng, n, count)))

    for audit in (one, lambda rng: three_attributes(rng, n, shape, count)):
        violations, cleared = rates(audit, repeats)
        assert violations <= most(repeats)
        assert cleared <= most(repeats)


@pytest.mark.long
@pytest.mark.parametrize("n", [50, 200, 2_000])
@pytest.mark.parametrize("shape", SHAPES)
def test_texts_keep_the_error_rate_at_the_tolerance(shape: Shape, n: int) -> None:
    repeats = 600 if n < 2_000 else 300
    violations, cleared = rates(lambda rng: texts(shape(rng, n)), repeats)
    assert violations <= most(repeats)
    assert cleared <= most(repeats)


@pytest.mark.long
@pytest.mark.parametrize(("n", "violation", "clear"), [(200, 0.9, 0.4), (1_000, 0.99, 0.99)])
def test_power(n: int, violation: float, clear: float) -> None:
    """Of a mean a fifth above the tolerance, and three tenths below it."""
    codes = np.arange(n) % 2
    assert rates(lambda rng: columns(attribute("sex", 1.2 * gamma(rng, n), codes)), 200)[0] >= violation
    assert rates(lambda rng: columns(attribute("sex", 0.7 * gamma(rng, n), codes)), 200)[1] >= clear
    assert rates(lambda rng: texts(1.2 * gamma(rng, n)), 200)[0] >= violation
    assert rates(lambda rng: texts(0.7 * gamma(rng, n)), 200)[1] >= clear
