"""The conditional independence test of one attribute, on arrays (papers/fair-dummies.md, Algorithm 2).

Whatever is asked, it is: does the score depend on the attribute, given the strata? Where people of a stratum have the
very same value, :mod:`core.audits.equalized_odds.permuting` says; the rest is for numbers. r̂ predicts the score from a
part that is common to all groups and from what the attribute adds. What the attribute adds is learned from rows that
are not tested; the common part comes from the scores themselves, without the groups, which any valid test may use. Then
small errors of P(A | Z) cancel to first order: they only meet what is left of the score (Shah and Peters 2020, section
3.1), however badly the learner fits.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from core.audits.equalized_odds.calibrating import DRAWS
from core.audits.equalized_odds.densities import CELLS, cells_of
from core.audits.equalized_odds.exchanging import Exchange
from core.audits.equalized_odds.learners import NAMES, learn
from core.audits.equalized_odds.levels import AttributeLevels, levels_of
from core.audits.equalized_odds.permuting import LEARNER, ROUNDING, explained, permutation_test
from core.audits.equalized_odds.question import Question
from core.audits.equalized_odds.resampling import in_units
from core.audits.equalized_odds.result import AttributeTest
from core.audits.equalized_odds.settings import FEWEST_DUMMIES, EqualizedOdds, Learner
from core.audits.equalized_odds.smoothing import smooth_part
from core.base.errors import AuditError
from core.base.progress import OnProgress, consecutive_parts, ignore_progress
from core.data.attribute import Attribute
from core.inference.p_values import mean_normal_score
from core.language.phrases import quoted
from core.language.told import say

CLIP = 1e-3
"""Predicted probabilities lie at least so far from 0 and 1, so that no loss is infinite."""
FEWEST_ARRANGEMENTS = 20
"""A stratum whose groups can be exchanged in fewer ways cannot be significant at 0.05 alone."""


def examine(
    question: Question,
    attribute: Attribute,
    split: tuple[np.ndarray, np.ndarray],
    audit: EqualizedOdds,
    *,
    rng: np.random.Generator,
    on_progress: OnProgress = ignore_progress,
) -> AttributeTest:
    """Test one attribute.

    Args:
        question: What is asked.
        attribute: The protected attribute.
        split: Positions of the rows to learn from, unused where strata are exact, and of the rows to test.
        audit: Learner, number of dummies and the way to draw them.
        rng: Source of every random choice.
        on_progress: Told how far it is; may raise to stop it.

    Raises:
        AuditError: No stratum has people of two groups among the rows to test.
    """
    exact, (learning, tested) = question.strata.exact, split
    levels = levels_of(attribute, tested if exact else learning, question.sampling.times)
    tested, left_out, single, tiny = _comparable(question, levels, tested)
    if not len(tested):
        raise AuditError(
            say(
                "No row can be tested for {name}: among the rows to test, people who are compared with each "
                "other are all of one group.",
                name=quoted(attribute.name),
            ),
            where=say("column {name}", name=quoted(attribute.name)),
            advice=say("Bring rows of other groups with the same outcomes, or leave the attribute out."),
        )
    found = partial(
        AttributeTest,
        by_split=np.zeros((0, 2)),
        attribute=attribute.name,
        tested=question.people(tested),
        left_out=left_out,
        single_strata=single,
        tiny_strata=tiny,
    )
    if exact:
        asked, known = question.take(tested), levels.of(tested)
        permutations = permutation_test(asked, known, audit.dummies, rng=rng, on_progress=on_progress)
        return found(
            statistic=permutations.statistic,
            null=permutations.null,
            learned=question.people(tested),
            learner=LEARNER,
            learner_r2=permutations.explained,
            resampling="permutation",
            calibration=None,
            other_null=np.zeros(0),
        )
    among = Exchange.learned(question.given, levels, learning, tested)
    seed = int(rng.integers(2**31))
    predicted = _predictions(question, levels, among, (learning, tested), (audit.learner, seed))
    losses = _losses(question.score[tested], predicted, probability=question.probability)
    losses, unit = in_units(losses, least=ROUNDING**2 * float(np.abs(question.score[tested]).max()) ** 2)
    codes = levels.codes[tested]
    own = np.arange(len(tested)), codes
    calibration = among.calibration(rng)
    nulls = among.nulls(losses, audit.dummies, rng=rng, on_progress=on_progress)
    null = nulls.pop(audit.resampling)
    (other,) = nulls.values()
    scale = unit / len(tested)
    return found(
        statistic=float(losses[own].sum() * scale),
        null=null * scale,
        learned=len(learning),
        learner=NAMES[audit.learner],
        learner_r2=explained(question.score[tested], float(((question.score[tested] - predicted[own]) ** 2).sum())),
        resampling=audit.resampling,
        calibration=calibration,
        other_null=other * scale,
    )


def examine_splits(
    question: Question,
    attribute: Attribute,
    splits: Sequence[tuple[np.ndarray, np.ndarray]],
    audit: EqualizedOdds,
    *,
    rng: np.random.Generator,
    on_progress: OnProgress = ignore_progress,
) -> AttributeTest:
    """Test one attribute with several splits into rows to learn from and rows to test; see :func:`examine`.

    The draws are shared among the splits. p-values of the calibration are joined as those of the test are.
    """
    if len(splits) == 1:
        return examine(question, attribute, splits[0], audit, rng=rng, on_progress=on_progress)
    shared = audit.model_copy(update={"dummies": max(FEWEST_DUMMIES, (audit.dummies + 1) // len(splits) - 1)})
    tests = [
        examine(question, attribute, one, shared, rng=own, on_progress=part)
        for one, own, part in zip(
            splits, rng.spawn(len(splits)), consecutive_parts(on_progress, [1] * len(splits)), strict=True
        )
    ]
    by_split = np.array([(test.p_value, test.other_p_value) for test in tests])
    doubts = [test.calibration.p_value for test in tests if test.calibration is not None]
    calibration = tests[0].calibration
    if calibration is not None and len(doubts) > 1:
        p_value, _ = mean_normal_score(np.array(doubts), finest=1 / (DRAWS + 1))
        calibration = replace(calibration, p_value=p_value)
    return replace(tests[0], by_split=by_split, calibration=calibration)


def untested(
    attribute: Attribute, question: Question, split: tuple[np.ndarray, np.ndarray], audit: EqualizedOdds
) -> AttributeTest:
    """What is kept of an attribute for which no row can be tested; arguments as for :func:`examine`."""
    return AttributeTest(
        attribute=attribute.name,
        statistic=math.nan,
        null=np.zeros(0),
        learned=question.people(split[0]),
        tested=0,
        left_out=question.people(split[1]),
        single_strata=0,
        tiny_strata=0,
        learner=NAMES[audit.learner],
        learner_r2=math.nan,
        resampling="permutation",
        calibration=None,
        other_null=np.zeros(0),
        by_split=np.zeros((0, 2)),
    )


def _comparable(question: Question, levels: AttributeLevels, tested: np.ndarray) -> tuple[np.ndarray, int, int, int]:
    """Rows of strata with several levels; people left out; strata with one level; strata with few arrangements.

    Where strata are not exact, values are exchanged across them, so that they are all one.
    """
    strata = question.strata
    codes = strata.codes[tested] if strata.exact else np.zeros(len(tested), dtype=np.int64)
    rows = np.zeros((codes.max(initial=-1) + 1, len(levels)), dtype=np.int64)
    np.add.at(rows, (codes, levels.codes[tested]), question.everybody[tested])
    kinds = (rows > 0).sum(axis=1)
    several = kinds > 1
    few = [
        math.lgamma(one.sum() + 1) - sum(map(math.lgamma, one + 1.0)) < math.log(FEWEST_ARRANGEMENTS) for one in rows
    ]
    kept = several[codes]
    return (
        tested[kept],
        question.people(tested[~kept]),
        int((kinds == 1).sum()),
        int((several & np.array(few, dtype=bool)).sum()),
    )


def _predictions(
    question: Question,
    levels: AttributeLevels,
    among: Exchange,
    halves: tuple[np.ndarray, np.ndarray],
    learner: tuple[Learner, int],
) -> np.ndarray:
    """r̂ of every tested row with every level, shape (t, l); learned from the first half, tested on the second."""
    score, codes, (learning, tested) = question.score, levels.codes, halves
    given, reference = question.given, np.sort(question.given[learning])
    points, seen = (_normal_scores(given[rows], reference)[:, None] for rows in (tested, learning))
    rows = np.concatenate(halves)
    common = np.split(smooth_part(score[rows], given[rows], among.heaps[rows]), [len(learning)])
    predict = learn(learner[0], levels.columns[codes[learning]], seen, score[learning] - common[0], learner[1])
    added = np.stack([predict(np.repeat(one[None], len(points), axis=0), points) for one in levels.columns], axis=1)
    added -= (among.chances * added).sum(axis=1, keepdims=True)
    return np.asarray(common[1][:, None] + added)


def _normal_scores(given: np.ndarray, reference: np.ndarray) -> np.ndarray:
    from scipy.special import ndtri

    return np.asarray(ndtri((cells_of(given, reference) + 0.5) / CELLS))


def _losses(score: np.ndarray, predicted: np.ndarray, *, probability: bool) -> np.ndarray:
    """T(score, r̂), shape (t, l): squared error (section 3), or cross-entropy for probabilities."""
    if not probability:
        return np.asarray((score[:, None] - predicted) ** 2)
    held = np.clip(predicted, CLIP, 1 - CLIP)
    return np.asarray(-(score[:, None] * np.log(held) + (1 - score[:, None]) * np.log1p(-held)))
