"""Ten people, whose rates can be counted by hand, and random ones."""

from dataclasses import replace
from itertools import product
from typing import Any, cast

import numpy as np

from core.audits.group_fairness.conformal import Coverage
from core.audits.group_fairness.decision import GroupFairnessDecision
from core.audits.group_fairness.result import GroupFairnessDetail
from core.audits.group_fairness.verdict import GroupFairnessFinding
from core.data.attribute import Attribute
from core.data.roles import GoodEnd
from core.models.answered import Answered
from tests.builders import HOSTILE
from tests.findings import NO_MODEL, NOBODY_LEFT_OUT
from tests.findings import found as found_of

SEXES = ("f", "m")
TEN = {
    "sex": "ffffmmmmmm",
    "region": "eewweeewww",
    "outcome": "++--+++---",
    "decision": "+-+-+++-+-",
}
"""Women: 2 of 4 favourable outcomes, 2 of 4 favourable decisions; men: 3 of 6 and 4 of 6."""


def make_detail(case: str, *, rows: int = 800, hostile: bool = False, decided: bool = False) -> GroupFairnessDetail:
    """Simulated people and their groups, without columns and prediction sets.

    Args:
        case: "two classes", the second favourable; "three classes", none favourable; or "numbers".
        rows: People; twelve of them are all there are of the first race.
        hostile: Columns, groups and classes that are markup.
        decided: Whether probabilities are 0 and 1.
    """
    k = {"numbers": 1, "two classes": 2, "three classes": 3}[case]
    rng = np.random.default_rng(0)
    sex, race = rng.integers(2, size=rows), np.where(np.arange(rows) < 12, 0, rng.integers(1, 3, rows))
    answers = rng.normal(0, 1, (rows, k)) + sex[:, None] * np.arange(k)
    outcome = answers[:, 0] + rng.normal(0, 1 + sex)
    if k > 1:
        outcome = np.where(rng.random(rows) < 0.6, answers.argmax(axis=1), rng.integers(k, size=rows)).astype(float)
        answers = np.exp(answers) / np.exp(answers).sum(axis=1, keepdims=True)
        answers = np.eye(k)[answers.argmax(axis=1)] if decided else answers
    names = HOSTILE[:2] if hostile else ("sex", "race")
    classes = () if k == 1 else ("<i>no</i>", "$M$", ":red[x]")[:k] if hostile else ("no", "yes", "later")[:k]
    return GroupFairnessDetail(
        classes=classes,
        favourable=1 if k == 2 else -1,
        outcome=outcome,
        answers=answers,
        attributes=(
            attribute(names[0], ("<i>Female</i>", "$M$ale") if hostile else ("Female", "Male"), sex),
            attribute(names[1], ("Asian", "Black", "White"), race),
        ),
        columns=(),
        coverage=cast(tuple[Coverage, ...], ()),
        seed=0,
    )


def finding_of(detail: GroupFairnessDetail, good_end: GoodEnd = "not said", **decision: Any) -> GroupFairnessFinding:
    """The finding of ``detail``, of which only groups are looked at."""
    favourable = detail.classes[detail.favourable] if detail.favourable >= 0 else ""
    known = {
        "data": replace(NOBODY_LEFT_OUT, favourable=favourable),
        "model": replace(NO_MODEL, classes=tuple(detail.classes)),
    }
    found: GroupFairnessFinding = found_of(detail, GroupFairnessDecision(**decision), good_end, **known)
    return found


def attribute(name: str, groups: tuple[str, ...], codes: np.ndarray) -> Attribute:
    return Attribute(name, groups, np.asarray(codes, dtype=np.int64), np.full(len(codes), np.nan))


def answered(
    outcome: np.ndarray,
    decision: np.ndarray,
    scores: np.ndarray | None = None,
    *,
    classes: tuple[str, ...] = ("no", "yes"),
    favourable: int = 1,
) -> Answered:
    """These decisions, indices of classes; of two classes with these probabilities of the second, if there are any."""
    answers = np.eye(len(classes))[decision] if scores is None else np.column_stack([1 - scores, scores])
    return Answered(classes, favourable, outcome.astype(np.float64), answers)


def ten_people(times: int) -> tuple[Answered, tuple[Attribute, ...]]:
    """Outcome and decision (1 is favourable) of the ten, and their sex and region, so many times over."""
    columns = {name: np.tile(np.array(list(marks)), times) for name, marks in TEN.items()}
    attributes = (
        attribute("sex", SEXES, columns["sex"] == "m"),
        attribute("region", ("e", "w"), columns["region"] == "w"),
    )
    return answered(columns["outcome"] == "+", (columns["decision"] == "+").astype(int)), attributes


def random_people(
    rows: int, classes: int, seed: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, tuple[Attribute, ...]]:
    """Outcome, decision, probability of the last class (of two, above a half if it is decided), two attributes."""
    rng = np.random.default_rng(seed)
    outcome = rng.integers(classes, size=rows)
    decision = np.where(rng.random(rows) < 0.6, outcome, rng.integers(classes, size=rows))
    score = 0.2 + 0.5 * (decision == classes - 1) + np.clip(rng.normal(0, 0.1, rows), -0.15, 0.15)
    sex, race = rng.integers(2, size=rows), rng.choice(3, rows, p=(0.6, 0.3, 0.1))
    return outcome, decision, score, (attribute("sex", SEXES, sex), attribute("race", ("a", "b", "c"), race))


def both(attributes: tuple[Attribute, ...]) -> np.ndarray:
    """Names of the groups of both attributes, as the program orders them."""
    pairs = list(product(attributes[0].groups, attributes[1].groups))
    return np.array(
        [
            "{}{}".format(*pairs[a * len(attributes[1].groups) + b])
            for a, b in zip(attributes[0].codes, attributes[1].codes, strict=True)
        ]
    )
