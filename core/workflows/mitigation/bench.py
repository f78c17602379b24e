"""Where the models of a mitigation are tried: rows parted at random, and what every model shows on them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from core.audits.equalized_odds.evidence import Joined
from core.audits.equalized_odds.gap import MeasuredGap
from core.audits.equalized_odds.question import pose, strata_of
from core.audits.equalized_odds.settings import EqualizedOdds
from core.audits.equalized_odds.testing import examine
from core.audits.group_fairness.conformal import calibrate
from core.audits.group_fairness.settings import GroupFairness
from core.base.errors import DataError, MetricError
from core.base.files import FileRef, FileStore
from core.base.progress import OnProgress, Progress
from core.contracts.metric import FittedMetric
from core.data.attribute import Attribute, attribute_of
from core.data.clusters import in_parts
from core.data.dataset import Dataset
from core.data.encoded import EncodedDataset
from core.data.encoder import Encoder
from core.inference.clusters import one_of_each
from core.language.phrases import whole
from core.language.told import say
from core.metrics.extent import fitted_for_a_test
from core.models.answered import Answered
from core.workflows.mitigation.prepared import PreparedRows
from core.workflows.mitigation.result import BASELINE, PARTS, TriedModel, name_of_part
from core.workflows.mitigation.settings import MitigationPlan
from core.workflows.rows import check_part, learned_encoder

if TYPE_CHECKING:
    from core.workflows.mitigation.networks import Answering
    from core.workflows.mitigation.thresholds import GroupThresholds


def prepare(plan: MitigationPlan, dataset: Dataset) -> Bench:
    """Part the rows at random, in the plan's proportions, and prepare their columns.

    Models are tried on one row of each cluster, drawn at random, since rows that belong together are not independent.

    Raises:
        DataError: A part has fewer than 30 rows, or lacks a class or all but one group.
    """
    shares = (plan.parts.training, plan.parts.holdout, plan.parts.test)
    rng, clusters = np.random.default_rng(plan.seed), dataset.clusters
    parts = in_parts(len(dataset), shares, rng, clusters)
    if clusters is not None:
        parts[1:] = [part[one_of_each(clusters[part], rng)] for part in parts[1:]]
    attribute = attribute_of(dataset, plan.protected)
    classes = dataset.labels
    outcome = dataset.label_codes(classes) if classes else dataset.numbers
    training = dataset.take(parts[0])
    _check(parts, attribute, dataset)
    encoder = learned_encoder(training, dataset)
    x = encoder.transform(dataset.frame)
    kinds = len(classes), len(attribute.groups)
    rows = tuple(
        PreparedRows(
            *(x[part], outcome[part], attribute.codes[part], *kinds),
            values=attribute.values[part] if attribute.continuous else None,
        )
        for part in parts
    )
    return Bench(rows, parts, dataset, attribute, encoder)


def bench_of(plan: MitigationPlan, files: FileStore) -> Bench:
    """The plan's table, parted and prepared.

    Raises:
        EvenhandError: The table cannot be read, or as :func:`prepare`.
    """
    return prepare(plan, Dataset.build(plan.data.load(files), plan.roles).written_out().reading(plan.roles.features))


@dataclass(frozen=True)
class Bench:
    """Where every model is tried: on the same rows, with the same dummies.

    Attributes:
        rows: PreparedRows for training, held out and for the test.
        places: Their positions in the table.
        dataset: The table.
        attribute: The protected attribute of everybody.
        encoder: How the table becomes columns.
    """

    rows: tuple[PreparedRows, ...]
    places: list[np.ndarray]
    dataset: Dataset
    attribute: Attribute
    encoder: Encoder

    @property
    def classes(self) -> tuple[str, ...]:
        """The outcome's classes; empty where it is a number."""
        return self.dataset.labels

    @property
    def counts(self) -> np.ndarray:
        """People in each part, everybody and each group, shape (3, 1 + g)."""
        each = [np.bincount(part.codes, minlength=part.groups) for part in self.rows]
        return np.column_stack([[len(part) for part in self.rows], each])

    @property
    def exact(self) -> bool:
        """Whether the test permutes groups among people with the same outcome."""
        return bool(self.classes) or strata_of(self.unseen.y).exact

    @cached_property
    def unseen(self) -> PreparedRows:
        """The rows held out and then those for the test."""
        _, holdout, test = self.rows
        x, y, codes = (np.concatenate([getattr(one, name) for one in (holdout, test)]) for name in ("x", "y", "codes"))
        return replace(test, x=x, y=y, codes=codes)

    @property
    def order(self) -> np.ndarray:
        """Places of the unseen rows in the order of the table, shape (n,)."""
        return np.argsort(np.concatenate(self.places[1:]))

    @property
    def unseen_table(self) -> Dataset:
        """The unseen rows as they stand in the table."""
        return self.dataset.take(np.sort(np.concatenate(self.places[1:])))

    @property
    def _judged(self) -> Attribute:
        """The protected attribute of the rows held out and then those for the test."""
        at, one = np.concatenate(self.places[1:]), self.attribute
        return Attribute(one.name, one.groups, one.codes[at], one.values[at])

    def metric(self, plan: MitigationPlan) -> FittedMetric | None:
        """Who counts as similar, as the training rows teach it; None for a method that does not ask.

        Raises:
            MetricError: It cannot be learned from these rows, frees nearly everything, or is no quadratic form.
        """
        if not plan.compares_similar:
            return None
        rows, training = self.rows[0], self.dataset.take(self.places[0])
        codes = rows.y if self.classes else np.full(len(rows), -1)
        data = EncodedDataset(training, self.encoder, rows.x, codes, self.classes)
        metric = fitted_for_a_test(plan.metric, data, np.random.default_rng([plan.seed, 3]))
        if not metric.quadratic:
            raise MetricError(
                say("{metric} is no quadratic form, which this method needs.", metric=metric.name),
                advice=say("Choose another fair metric, or another method."),
            )
        return metric

    def tried(
        self,
        model: Answering | GroupThresholds,
        strength: float,
        plan: MitigationPlan,
        files: FileStore,
        on_progress: OnProgress,
        *,
        method: str = "",
    ) -> TriedModel:
        """A model's errors in every part, its fair-dummies test, its largest gap and its prediction sets.

        The test is made on the rows for the test; given an outcome that is a number it learns from the rows held out
        where to look for differences (Algorithm 2). The gap, which learns nothing, is that of both. Prediction sets are
        calibrated on a random half of both and judged on the other. Where people of a stratum have one outcome, a
        difference may be shown by test or gap: the test's r̂ predicts a mean, and is blind to others.
        """
        on_progress(Progress(0.0, say("Trying the models")))
        outcome, attribute = self.unseen.y, self._judged
        trained, answers = (self._given(model, rows, plan.seed) for rows in (self.rows[0], self.unseen))
        held = len(self.rows[1])
        audit = EqualizedOdds(dummies=plan.dummies)
        question = pose(audit, Answered(self.classes, -1, outcome.astype(np.float64), answers))
        positions = np.arange(len(outcome))
        test = examine(
            question,
            attribute,
            (positions[:held], positions[held:]),
            audit,
            rng=np.random.default_rng([plan.seed, 1]),
            on_progress=lambda told: on_progress(Progress(told.done, say("Trying the models"))),
        )
        size = MeasuredGap.of(answers, question.strata.codes, attribute.codes)
        exact = question.strata.exact
        evidence = Joined(size, test.p_value) if exact else Joined(size, only_above=True)
        sets = calibrate(
            answers,
            outcome.astype(np.float64),
            attribute,
            GroupFairness().coverage,
            np.random.default_rng([plan.seed, 2]),
        )
        each = (trained, answers[:held], answers[held:])
        losses = [self._losses(one, part) for one, part in zip(each, self.rows, strict=True)]
        mine = [sets.codes == group for group in range(len(attribute.groups))]
        file, why_not = _written(model, self, f"{method} {strength:g}".strip() if method else BASELINE, files)
        return TriedModel(
            method=method,
            strength=strength,
            losses=np.array([_by_group(one, part) for one, part in zip(losses, self.rows, strict=True)]),
            each=losses[2],
            p_value=evidence.p_value(0.0) if exact else test.p_value,
            p_error=(2 if exact else 1) * test.p_error,
            gap=size.at(evidence.lower_bound(plan.alpha), evidence.upper_bound(plan.alpha)),
            constant=bool((np.ptp(answers[held:], axis=0) == 0).all()),
            coverage=np.array([sets.covered[one].mean() if one.any() else math.nan for one in mine]),
            sizes=np.array([sets.sizes[one].mean() if one.any() else math.nan for one in mine]),
            model=file,
            why_not=why_not,
            answers=answers,
        )

    def _given(self, model: Answering | GroupThresholds, rows: PreparedRows, seed: int) -> np.ndarray:
        """What people are answered, shape (n, k), or (n, 1) for numbers; where an answer is drawn, what was drawn."""
        from core.workflows.mitigation.fitting import answers_about
        from core.workflows.mitigation.reductions import Lottery
        from core.workflows.mitigation.thresholds import GroupThresholds

        answers = answers_about(model, rows).reshape(len(rows), -1)
        if not isinstance(model, Lottery | GroupThresholds):
            return answers
        drawn = np.random.default_rng([seed, 4]).random((len(rows), 1)) > answers.cumsum(axis=1)[:, :-1]
        return np.asarray(np.eye(answers.shape[1])[drawn.sum(axis=1)])

    def _losses(self, answers: np.ndarray, rows: PreparedRows) -> np.ndarray:
        """Whether each answer is wrong, or its squared error; shape (n,), float64."""
        if self.classes:
            return np.asarray(answers.argmax(axis=1) != rows.y, dtype=np.float64)
        return np.asarray((answers[:, 0] - rows.y) ** 2)


def _written(
    model: Answering | GroupThresholds, bench: Bench, name: str, files: FileStore
) -> tuple[FileRef | None, str]:
    from core.models.formats.safetensors.source import mlp_bytes
    from core.workflows.mitigation.networks import Fitted
    from core.workflows.mitigation.reductions import Lottery
    from core.workflows.mitigation.thresholds import GroupThresholds

    if isinstance(model, Lottery):
        return None, say("It draws one of several models for every answer, which no model file can hold.")
    if isinstance(model, GroupThresholds):
        return None, say("It reads each person's group and draws some answers, which no model file can hold.")
    if not isinstance(model, Fitted):
        return None, say("Its answers depend on who else is asked, which no model file can hold.")
    content = mlp_bytes(model.module, encoder=bench.encoder, classes=bench.classes)
    return files.put(content, f"{name.replace(' ', '-')}.safetensors"), ""


def _by_group(values: np.ndarray, rows: PreparedRows) -> np.ndarray:
    """Mean of everybody and of each group, shape (1 + g,); NaN without people."""
    each = [values[rows.codes == group] for group in range(rows.groups)]
    return np.array([values.mean(), *(one.mean() if len(one) else math.nan for one in each)])


def _check(parts: list[np.ndarray], attribute: Attribute, dataset: Dataset) -> None:
    for name, part in zip(PARTS, parts, strict=True):
        called = repr(str(name_of_part(name)))
        check_part(say("part {name}", name=called), part, dataset)
        if len(np.unique(attribute.codes[part])) < 2:
            raise DataError(
                say("All rows of the part {name} are of one group.", name=called),
                where=say(
                    "column {name}; {part} of {all} rows are for this part",
                    name=repr(attribute.name),
                    part=whole(len(part)),
                    all=whole(len(dataset)),
                ),
                advice=say("Bring more rows of other groups, or choose another attribute or seed."),
            )
