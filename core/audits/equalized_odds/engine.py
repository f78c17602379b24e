"""The engine of the equalized odds test: ask the model once, and test every protected attribute."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from core.audits.equalized_odds.levels import levels_of
from core.audits.equalized_odds.question import Question, pose
from core.audits.equalized_odds.result import AttributeTest, EqualizedOddsDetail
from core.audits.equalized_odds.settings import EqualizedOdds
from core.audits.equalized_odds.testing import examine_splits, untested
from core.base.errors import AuditError, Caveat
from core.base.progress import Progress, consecutive_parts, part_of
from core.contracts.audit import Given
from core.contracts.model import AbstractModel
from core.data.attribute import attribute_of
from core.data.encoded import EncodedDataset
from core.inference.clusters import one_of_each
from core.language.phrases import count, quoted, whole
from core.language.told import say
from core.models.answered import ask

MOST_ROWS = 10_000
"""Rows of each split where people are compared by a number: more take minutes, and splits see different ones."""


def run(
    audit: EqualizedOdds, given: Given[AbstractModel, EncodedDataset]
) -> tuple[EqualizedOddsDetail, tuple[Caveat, ...]]:
    """Ask the model about everybody and test whether its answers depend on any protected attribute.

    Raises:
        ModelError: An answer is not a finite number.
        AuditError: For no attribute any row can be tested.
        CancelledError: ``on_progress`` asked to stop.
    """
    model, data, rng, on_progress = given.model, given.data, given.rng, given.on_progress
    on_progress(Progress(0.0, say("Asking the model")))
    answered = ask(model, data)
    question = pose(audit, answered, data.dataset)
    attributes = tuple(attribute_of(data.dataset, name) for name in data.dataset.roles.protected)
    alone = answered.clusters is None
    if question.strata.exact and alone and not answered.numbers:
        told_by = (codes for one in attributes for codes in one.told_by)
        answered, kinds = answered.in_kinds(question.strata.codes, *told_by)
        attributes = tuple(one.take(kinds) for one in attributes)
        question = replace(question.take(kinds), sampling=answered.sampling)
    # The second and third stream are those of the group fairness test, which once was part of this one.
    split_rng, _, _, *own_rngs = rng.spawn(3 + len(attributes))
    needed = 1 if question.strata.exact and alone else audit.splits
    splits = [rows_of(question, audit, split_rng) for _ in range(needed)]
    parts = consecutive_parts(part_of(on_progress, 0.2, 1.0), [1] * len(attributes))
    tests: list[AttributeTest] = []
    problems: list[AuditError] = []
    for one, own, part in zip(attributes, own_rngs, parts, strict=True):
        try:
            tests.append(examine_splits(question, one, splits, audit, rng=own, on_progress=part))
        except AuditError as problem:
            problems.append(problem)
            tests.append(untested(one, question, splits[0], audit))
    if len(problems) == len(tests):
        raise problems[0]
    detail = EqualizedOddsDetail(
        **vars(answered),
        asks=audit.asks,
        attributes=attributes,
        strata=question.strata,
        tests=tuple(tests),
        given=audit.given if audit.asks == "demographic parity" else (),
    )
    together = [levels_of(one, splits[0][0], question.sampling.times).together for one in attributes]
    return detail, (*_caveats(detail, together), *_about_splits(detail, len(splits)))


def rows_of(question: Question, audit: EqualizedOdds, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Positions of the rows to learn from and of those to test: everybody is both where strata are exact.

    Of rows that belong together a random one stands for all: those are independent, and any test of them is valid
    (within-cluster resampling; Hoffman, Sen and Weinberg 2001). Where people are compared by a number, at most 10,000
    random ones are divided.
    """
    clusters = question.sampling.clusters
    rows = np.arange(len(question.score)) if clusters is None else one_of_each(clusters, rng)
    if question.strata.exact:
        return rows, rows
    if len(rows) > MOST_ROWS:
        rows = np.sort(rng.permutation(rows)[:MOST_ROWS])
    learning, tested = split(question.strata.codes[rows], audit.share, rng)
    return rows[learning], rows[tested]


def split(strata: np.ndarray, share: float, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Positions of the rows to learn from and of those to test, sorted; each stratum is divided alike."""
    order = np.lexsort((rng.random(len(strata)), strata))
    learns = np.diff(np.floor(np.arange(len(strata) + 1) * share + rng.random())) > 0
    return np.sort(order[learns]), np.sort(order[~learns])


def _caveats(detail: EqualizedOddsDetail, together: list[int]) -> tuple[Caveat, ...]:
    said = []
    if detail.classes and detail.favourable < 0 and detail.asks != "equalized odds":
        said.append(
            Caveat(
                "info",
                say(
                    "No outcome is favourable, so {name}, which is predicted most often, is the one that is asked "
                    "about.",
                    name=quoted(detail.classes[detail.asked]),
                ),
            )
        )
    for one, groups in zip(detail.attributes, together, strict=True):
        if groups:
            said.append(
                Caveat(
                    "info",
                    say(
                        "{n} groups of {name} are too small to look for differences in each; the test takes them "
                        "together.",
                        n=groups,
                        name=quoted(one.name),
                    ),
                    say("Merge small groups, or bring more rows."),
                )
            )
    return tuple(said)


def _about_splits(detail: EqualizedOddsDetail, splits: int) -> Iterator[Caveat]:
    """That the fair dummies look at some of the rows."""
    if not detail.strata.exact and len(detail.outcome) > MOST_ROWS:
        yield Caveat(
            "info",
            say(
                "The fair dummies look at {some} random rows of {all} in each of {splits}; means, gaps and their "
                "bounds rest on all rows.",
                some=whole(MOST_ROWS),
                all=whole(len(detail.outcome)),
                splits=count(splits, "random split"),
            ),
        )
