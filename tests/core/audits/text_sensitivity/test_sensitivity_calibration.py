"""How often a text sensitivity test errs at its tolerance: families, small groups, corners, measures of two models."""

import math
from collections.abc import Callable
from dataclasses import replace
from operator import attrgetter
from typing import Any, Literal

import numpy as np
import pytest

from core.audits.text_sensitivity.decision import MEASURES, TextMeasure, TextSensitivityDecision
from core.audits.text_sensitivity.result import TextSensitivityDetail
from core.base.grouping import Grouping
from core.inference.estimate import Verdict
from tests.builders_swaps import with_texts
from tests.findings import found
from tests.measured import measured

SWAPS = TextSensitivityDecision()
TEMPLATES = [(10, 30, 0.2), (20, 70, 0.8), (200, 5, 0.5)]
"""Families, texts of each, and their intraclass correlation."""


def templates(mean: float, families: int, texts: int, alike: float, rng: np.random.Generator) -> Any:
    """Skewed moves with this mean, which share a part with their family: intraclass correlation ``alike``."""
    own = rng.gamma(2 * (1 - alike), mean / 2, (families, texts))
    moved = own + rng.gamma(2 * alike, mean / 2, families)[:, None]
    return np.minimum(moved, 1.0).ravel(), np.repeat(np.arange(families), texts)


def verdicts(repeats: int, draw: Callable[[np.random.Generator], TextSensitivityDetail]) -> dict[Verdict, float]:
    said = [found(draw(np.random.default_rng(seed)), SWAPS).verdict for seed in range(repeats)]
    return {verdict: said.count(verdict) / repeats for verdict in Verdict}


def allowed(repeats: int, alpha: float = 0.05) -> float:
    return alpha + 2 * math.sqrt(alpha * (1 - alpha) / repeats)


def at_the_boundary(repeats: int, design: tuple[int, int, float], *, counted: bool = True) -> dict[Verdict, float]:
    def draw(rng: np.random.Generator) -> TextSensitivityDetail:
        moved, families = templates(0.05, *design, rng)
        return with_texts(moved, families=families, counted=counted)

    return verdicts(repeats, draw)


def test_texts_of_few_templates_err_unless_they_count_as_families() -> None:
    design, repeats = (20, 20, 0.8), 24
    alone = at_the_boundary(repeats, design, counted=False)
    assert alone[Verdict.VIOLATION] > 0.2
    together = at_the_boundary(repeats, design)
    assert together[Verdict.VIOLATION] <= allowed(repeats)
    assert together[Verdict.NO_VIOLATION] <= allowed(repeats)


@pytest.mark.long
@pytest.mark.parametrize("design", TEMPLATES)
def test_verdicts_by_family_err_in_alpha_at_most(
    design: tuple[int, int, float], record_property: Callable[[str, object], None]
) -> None:
    said, (families, texts, alike) = at_the_boundary(300, design), design
    record_property(
        *measured(
            f"{families} families of {texts} texts alike to {alike:g}, mean change at the tolerance",
            n=families * texts,
            repeats=300,
            false_violations=said[Verdict.VIOLATION],
            false_clearings=said[Verdict.NO_VIOLATION],
        )
    )
    assert said[Verdict.VIOLATION] <= allowed(300)
    assert said[Verdict.NO_VIOLATION] <= allowed(300)


@pytest.mark.parametrize(("mean", "wanted"), [(0.2, Verdict.VIOLATION), (0.002, Verdict.NO_VIOLATION)])
def test_clear_cases_of_many_families_are_still_told(mean: float, wanted: Verdict) -> None:
    moved, families = templates(mean, 80, 5, 0.5, np.random.default_rng(3))
    assert found(with_texts(moved, families=families), SWAPS).verdict is wanted


def test_of_fewer_than_sixty_families_nobody_is_cleared() -> None:
    """A template that nobody drew may move altogether: of G that do not, up to 1 - 0.05^(1/G)."""
    assert found(with_texts(np.zeros(1400), families=np.repeat(np.arange(20), 70)), SWAPS).verdict is (
        Verdict.INSUFFICIENT
    )
    one = found(with_texts(np.zeros(1400), families=np.repeat(np.arange(70), 20)), SWAPS)
    assert one.upper_bound == pytest.approx(1 - 0.05 ** (1 / 70), rel=0.1)
    assert one.verdict is Verdict.NO_VIOLATION


def test_fewer_than_ten_families_give_no_number() -> None:
    one = found(with_texts(np.full(300, 0.3), families=np.arange(300) % 9), SWAPS)
    assert one.verdict is Verdict.INSUFFICIENT
    assert "belong to only 9 families" in one.undefined
    (reason,) = one.reasons
    assert "independent" in reason.advice


def test_texts_that_are_all_families_of_their_own_give_the_same_numbers_as_without() -> None:
    rng = np.random.default_rng(0)
    moved, groups = rng.gamma(2, 0.02, 200), (Grouping("gender", ("Female", "Male"), rng.integers(2, size=200)),)
    plain = found(with_texts(moved, memberships=groups), SWAPS)
    said = found(with_texts(moved, memberships=groups, families=np.arange(200), counted=False), SWAPS)
    for name in ("estimate", "p_value", "lower_bound", "upper_bound", "interval.low", "interval.high", "n"):
        assert attrgetter(name)(plain) == attrgetter(name)(said)
    assert plain.excesses == said.excesses
    assert plain.sentence == said.sentence


def lengths_with_a_corner(texts: int, share: float) -> tuple[np.ndarray, np.ndarray]:
    lengths = np.random.default_rng(0).integers(10, 60, texts)
    corner = np.argsort(lengths, kind="stable") >= texts * (1 - share)
    lengths[corner] += 100
    return lengths, corner


def test_a_bias_in_the_longest_texts_only_is_found_and_forbids_to_clear() -> None:
    lengths, corner = lengths_with_a_corner(2_000, 0.03)
    fair = np.random.default_rng(1).gamma(2, 0.001, 2_000)
    assert found(with_texts(fair, lengths=lengths), SWAPS).verdict is Verdict.NO_VIOLATION
    one = found(with_texts(np.where(corner, 0.9, fair), flipped=corner, lengths=lengths), SWAPS)
    assert one.upper_bound <= 0.05
    assert one.verdict is Verdict.INSUFFICIENT
    assert "beyond the tolerance for length = 110 words or more" in one.opening


@pytest.mark.parametrize("corner", ["predicted class", "true class"])
def test_a_bias_in_one_class_only_is_found_and_forbids_to_clear(
    corner: Literal["predicted class", "true class"],
) -> None:
    classes = np.where(np.arange(1_500) < 45, 1, np.where(np.arange(1_500) % 2, 0, 2))
    moved = np.where(classes == 1, 0.6, 0.002)
    detail = with_texts(moved)
    if corner == "true class":
        detail = replace(detail, label=classes)
    else:
        detail = replace(detail, audited=replace(detail.audited, predicted=classes))
    one = found(detail, SWAPS)
    assert one.upper_bound <= 0.05
    assert one.verdict is Verdict.INSUFFICIENT
    assert f"beyond the tolerance for {corner} = {detail.classes[1]}" in one.opening


def fair_in_corners(rng: np.random.Generator, texts: int = 400, classes: int = 28) -> TextSensitivityDetail:
    """Every part has a mean of exactly the tolerance of 0.05: each text moves altogether with that probability."""
    detail = with_texts(
        (rng.random(texts) < 0.05).astype(float),
        lengths=rng.integers(5, 100, texts),
        label=rng.integers(classes, size=texts),
        classes=tuple(f"class {one}" for one in range(classes)),
        memberships=(Grouping("race", tuple("ABCDEF"), rng.integers(6, size=texts)),),
    )
    return replace(detail, audited=replace(detail.audited, predicted=rng.integers(classes, size=texts)))


@pytest.mark.parametrize("repeats", [20, pytest.param(400, marks=pytest.mark.long)])
def test_parts_at_the_tolerance_are_found_beyond_it_in_five_of_a_hundred_audits_at_most(repeats: int) -> None:
    claimed = [bool(found(fair_in_corners(np.random.default_rng(seed)), SWAPS).beyond) for seed in range(repeats)]
    assert np.mean(claimed) <= allowed(repeats)


@pytest.mark.parametrize("rows", [12, 29, 30, 35])
def test_a_small_group_that_is_treated_badly_forbids_to_clear_whatever_its_size(rows: int) -> None:
    codes = (np.arange(1_500) < rows).astype(np.int64)
    detail = with_texts(np.where(codes, 0.6, 0.002), memberships=(Grouping("race", ("White", "Roma"), codes),))
    one = found(detail, SWAPS)
    assert one.upper_bound <= 0.05
    assert one.verdict is Verdict.INSUFFICIENT
    assert "beyond the tolerance for race = Roma" in one.opening


@pytest.mark.parametrize(("rows", "named"), [(29, True), (30, False)])
def test_groups_too_small_to_judge_are_named(rows: int, *, named: bool) -> None:
    codes = (np.arange(1_500) < rows).astype(np.int64)
    one = found(with_texts(np.full(1_500, 0.002), memberships=(Grouping("race", ("White", "Roma"), codes),)), SWAPS)
    assert one.verdict is Verdict.NO_VIOLATION
    told = [caveat.what for caveat in one.reasons if "Too few texts with exchanged words to judge" in caveat.what]
    assert [f"race Roma ({rows} texts)" in what for what in told] == [True] * named


def test_verdicts_never_take_back_what_a_smaller_alpha_said() -> None:
    """A group whose evidence lies between 0.01 and 0.05 made "no violation" at 0.01 insufficient at 0.025."""
    order, seen = {Verdict.INSUFFICIENT: 0, Verdict.NO_VIOLATION: 1, Verdict.VIOLATION: 1}, set()
    for seed in range(12):
        rng = np.random.default_rng(seed)
        codes = (np.arange(900) < 8).astype(np.int64)
        moved = np.where(codes, rng.random(900) < 0.5, rng.gamma(2, 0.004 + 0.002 * (seed % 3), 900))
        detail = with_texts(moved, memberships=(Grouping("race", ("White", "Roma"), codes),))
        said = [
            found(detail, TextSensitivityDecision(alpha=alpha)).verdict
            for alpha in (0.001, 0.01, 0.025, 0.05, 0.1, 0.3)
        ]
        assert [order[one] for one in said] == sorted(order[one] for one in said)
        assert len({*said} - {Verdict.INSUFFICIENT}) <= 1
        seen.update(said)
    assert {Verdict.INSUFFICIENT, Verdict.NO_VIOLATION} <= seen


def two_models(rng: np.random.Generator, apart: float, texts: int = 250) -> TextSensitivityDetail:
    """Two models whose measures, all alike, are skewed and go together; the first one's are larger by ``apart``."""
    detail = with_texts(np.full(texts, 0.01))
    shared, (own, other) = rng.gamma(1.5, 1.0, texts), rng.gamma(1.0, 1.0, (2, texts))
    audited, reference = (
        replace(detail.audited, measures=np.repeat(values[:, None], 6, axis=1), signed=values[:, None] * [1.0, 1.0])
        for values in (shared + own + apart, shared + other)
    )
    return replace(detail, audited=audited, reference=reference)


@pytest.mark.parametrize("repeats", [20, pytest.param(200, marks=pytest.mark.long)])
@pytest.mark.parametrize("measure", ["P1", "P2", "P3", "P4", "P5"])
def test_a_difference_of_two_models_at_the_tolerance_is_seldom_a_violation(measure: TextMeasure, repeats: int) -> None:
    decision = TextSensitivityDecision(judged="reference", measure=measure, delta=0.3)
    said = [
        found(two_models(np.random.default_rng((seed, MEASURES.index(measure))), 0.3), decision).verdict
        for seed in range(1_000, 1_000 + repeats)
    ]
    assert said.count(Verdict.VIOLATION) / repeats <= allowed(repeats)
    assert found(two_models(np.random.default_rng(0), 0.9), decision).verdict is Verdict.VIOLATION


@pytest.mark.parametrize("repeats", [20, pytest.param(400, marks=pytest.mark.long)])
def test_samples_that_are_nearly_constant_seldom_violate(repeats: int) -> None:
    """98% at 0.051 and 2% at 0: a mean of 0.04998, where the bootstrap's bound is that of a constant."""

    def draw(rng: np.random.Generator) -> TextSensitivityDetail:
        return with_texts(np.where(rng.random(50) < 0.02, 0.0, 0.051))

    assert verdicts(repeats, draw)[Verdict.VIOLATION] <= allowed(repeats)
