"""The engine of the equalized odds test: ask the model once, and test every protected attribute."""

from collections.abc import Iterator

import numpy as np

from core.audits.equalized_odds.levels import levels_of
from core.audits.equalized_odds.result import AttributeTest, EqualizedOddsDetail, Strata
from core.audits.equalized_odds.settings import EqualizedOdds
from core.audits.equalized_odds.testing import Question, examine_splits, untested
from core.base.errors import AuditError, Caveat, SettingsError
from core.base.progress import Progress, consecutive_parts, part_of
from core.contracts.audit import Given
from core.contracts.model import AbstractModel
from core.data.attribute import attribute_of
from core.data.dataset import Dataset, EncodedDataset
from core.inference.clusters import one_of_each
from core.language.phrases import all_at_once, count, listed, number, quoted, whole
from core.language.told import say
from core.models.answered import Answered, ask

FEW_VALUES = 20
"""A number of at most so many different values is taken value by value."""
OFTEN = 20
"""... if each of them has so many rows on average."""
MOST_ROWS = 10_000
"""Rows of each split where people are compared by a number: more take minutes, and splits see different ones."""
_MOST_PARTS = 10
_FEWEST_PARTS = 3
_ROWS_A_PART = 100


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
    if question.strata.exact and question.clusters is None and not answered.numbers:
        told_by = (codes for one in attributes for codes in one.told_by)
        answered, kinds = answered.in_kinds(question.strata.codes, *told_by)
        attributes, question = tuple(one.take(kinds) for one in attributes), question.take(kinds, answered.times)
    # The second and third stream are those of the group fairness test, which once was part of this one.
    split_rng, _, _, *own_rngs = rng.spawn(3 + len(attributes))
    needed = 1 if question.strata.exact and question.clusters is None else audit.splits
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
    together = [levels_of(one, splits[0][0], question.times).together for one in attributes]
    return detail, (*_caveats(detail, together), *_about_splits(detail, len(splits)))


def pose(audit: EqualizedOdds, answered: Answered, dataset: Dataset | None = None) -> Question:
    """What is asked, as a score and what it may depend on.

    Args:
        audit: The settings.
        answered: What the model said.
        dataset: Where the columns stand in which people are to be alike; needed only if there are such columns.

    Raises:
        SettingsError: People are to be alike in a column that is no feature, or that is protected.
    """
    answers, outcome, asked, clusters = answered.answers, answered.outcome, answered.asked, answered.clusters
    answer = answers[:, 0] if answered.numbers else answers[:, asked]
    happened = outcome if answered.numbers else (outcome == asked).astype(np.float64)
    if audit.asks == "demographic parity":
        everybody = Strata((say("everybody"),), np.zeros(len(outcome), dtype=np.int64), exact=True)
        people = everybody if dataset is None or not audit.given else alike_in(dataset, audit.given)
        return Question(answer, not answered.numbers, people, outcome, clusters)
    if audit.asks == "calibration":
        return Question(happened, not answered.numbers, strata_of(answer), answer, clusters)
    if answered.numbers:
        return Question(answer, False, strata_of(outcome), outcome, clusters)
    own = outcome.astype(np.int64)
    return Question(
        answers[np.arange(len(outcome)), own], True, Strata(answered.classes, own, exact=True), outcome, clusters
    )


def alike_in(dataset: Dataset, names: tuple[str, ...]) -> Strata:
    """People who agree in all of these columns, at least one, numbers in quantile bins.

    Raises:
        SettingsError: A column is no feature of the table, or is protected.
    """
    allowed = [name for name in dataset.roles.features if name not in dataset.roles.protected]
    if unknown := [name for name in names if name not in allowed]:
        raise SettingsError(
            say(
                "{columns} may not be what people are alike in: choose unprotected features.",
                columns=listed([*map(quoted, unknown)]),
            ),
            where=say("setting 'Compare only people alike in'"),
            advice=say("Choose among {columns}.", columns=listed([*map(quoted, allowed[:12])]))
            if allowed
            else say("Leave it empty."),
        )
    columns = [attribute_of(dataset, name) for name in names]
    found, codes = np.unique(np.stack([one.codes for one in columns], axis=1), axis=0, return_inverse=True)
    told = tuple(
        all_at_once([f"{one.name} = {one.groups[code]}" for one, code in zip(columns, row, strict=True)])
        for row in found
    )
    return Strata(told, codes.reshape(-1).astype(np.int64), exact=True)


def strata_of(values: np.ndarray) -> Strata:
    """Numbers value by value if there are few, each often; otherwise in parts of about equal size.

    Parts are tenths, fewer where a tenth has less than 100 rows: groups of fewer than 30 people in a part cannot be
    compared. With fewer than three, people of a part would hardly be alike.
    """
    distinct, codes = np.unique(values, return_inverse=True)
    if len(distinct) <= FEW_VALUES and len(distinct) * OFTEN <= len(values):
        return Strata(tuple(map(number, map(float, distinct))), codes.astype(np.int64), exact=True)
    parts = min(max(len(values) // _ROWS_A_PART, _FEWEST_PARTS), _MOST_PARTS)
    cuts = np.unique(np.quantile(values, np.arange(1, parts) / parts, method="inverted_cdf"))
    codes = np.unique(np.searchsorted(cuts, values), return_inverse=True)[1].astype(np.int64)
    ends = [(float(values[codes == code].min()), float(values[codes == code].max())) for code in range(codes.max() + 1)]
    return Strata(
        tuple(say("{low} to {high}", low=number(low), high=number(high)) for low, high in ends), codes, exact=False
    )


def rows_of(question: Question, audit: EqualizedOdds, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Positions of the rows to learn from and of those to test: everybody is both where strata are exact.

    Of rows that belong together a random one stands for all: those are independent, and any test of them is valid
    (within-cluster resampling; Hoffman, Sen and Weinberg 2001). Where people are compared by a number, at most 10,000
    random ones are divided.
    """
    rows = np.arange(len(question.score)) if question.clusters is None else one_of_each(question.clusters, rng)
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
                    name=repr(detail.classes[detail.asked]),
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
                        name=repr(one.name),
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
