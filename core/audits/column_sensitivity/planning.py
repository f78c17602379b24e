"""Before a sensitivity test of columns: which features differ between groups, how long it takes, what it can find."""

import time
from dataclasses import dataclass

import numpy as np

from core.audits.column_sensitivity.decision import ColumnSensitivityDecision
from core.audits.column_sensitivity.engine import GroupChange, measure, split
from core.audits.column_sensitivity.settings import ColumnSensitivity
from core.base.progress import ignore_progress
from core.base.thresholds import FEWEST_ROWS
from core.contracts.audit import Given
from core.contracts.model import AbstractModel
from core.data.cells import is_number_column
from core.data.clusters import some_of
from core.data.dataset import Dataset
from core.data.encoded import EncodedDataset
from core.data.quality.giving_away import giving_away, undeclared
from core.inference.clusters import spread_of_one
from core.inference.power import detectable_excess, rows_needed

PILOT_PEOPLE = 2_000

_WARM_UP = 10
"""People measured before the clock starts, since what is done for the first time also loads libraries."""


@dataclass(frozen=True)
class CarrierMeans:
    """Means of features in the groups of one protected attribute.

    Attributes:
        attribute: Its name.
        read: Whether the model reads it.
        groups: Its g values.
        rows: Rows of each group, shape (g,), int.
        means: Mean of each feature in each group, original units, shape (g, m).
        told_by: The features that tell the attribute almost without error, so that they may stand for it.
    """

    attribute: str
    read: bool
    groups: tuple[str, ...]
    rows: np.ndarray
    means: np.ndarray
    told_by: tuple[str, ...]


@dataclass(frozen=True)
class CarriersLook:
    """The features that may carry a protected attribute: those that hold numbers and are read by the model.

    Attributes:
        features: Their m names.
        spreads: Standard deviation of each over all rows, original units, shape (m,).
        attributes: Their means by group, one entry for each protected attribute.
        categories: Features that the model reads and that cannot change with a group, as categories have no mean.
    """

    features: tuple[str, ...]
    spreads: np.ndarray
    attributes: tuple[CarrierMeans, ...]
    categories: tuple[str, ...]


@dataclass(frozen=True)
class ColumnSensitivityPilot:
    """What a test of some random people says about the whole test; one entry for each attribute that changes.

    Attributes:
        people: People tried.
        audited: People that the whole test measures.
        seconds: Estimated time of the whole test.
        attributes: Their names.
        change: What one person's change of the answer contributes to the error of the mean, by attribute: its standard
            deviation, or more where rows that belong together are alike.
        slope: The same of the slope; NaN if the model has no gradients.
    """

    people: int
    audited: int
    seconds: float
    attributes: tuple[str, ...]
    change: np.ndarray
    slope: np.ndarray

    def detectable(self, decision: ColumnSensitivityDecision, power: float) -> float:
        """The smallest true mean that will be found in violation with this probability; NaN if not known."""
        error = self._spread(decision) / self.audited**0.5
        return decision.delta + detectable_excess(error, self._level(decision), power)

    def rows_needed(self, decision: ColumnSensitivityDecision, excess: float, power: float) -> int:
        """People needed to find a true mean so far above the tolerance with this probability; at least 30."""
        return max(FEWEST_ROWS, rows_needed(excess, self._spread(decision), self._level(decision), power))

    def _spread(self, decision: ColumnSensitivityDecision) -> float:
        """Of the attribute that is hardest to judge."""
        return float((self.change if decision.measure == "change" else self.slope).max())

    def _level(self, decision: ColumnSensitivityDecision) -> float:
        """All attributes share the error rate."""
        return decision.alpha / len(self.attributes)


def look_at_carriers(model: AbstractModel, dataset: Dataset) -> CarriersLook:
    """How the features that may carry a protected attribute differ between its groups."""
    frame, protected = dataset.frame, dataset.roles.protected
    features = carriers(model, dataset)
    columns = frame[list(features)].to_numpy(dtype=np.float64)
    tell = undeclared(giving_away(dataset, features), features)
    found = []
    for attribute in protected:
        codes, groups = dataset.groups(attribute)
        found.append(
            CarrierMeans(
                attribute,
                attribute in model.reads,
                groups,
                np.bincount(codes, minlength=len(groups)),
                np.array([columns[codes == group].mean(axis=0) for group in range(len(groups))]),
                tuple(one.features[0] for one in tell if one.attribute == attribute),
            )
        )
    categories = tuple(name for name in model.reads if name in frame and name not in (*features, *protected))
    return CarriersLook(features, columns.std(axis=0), tuple(found), categories)


def carriers(model: AbstractModel, dataset: Dataset) -> tuple[str, ...]:
    """Features that hold numbers, are read by the model and are no protected attribute themselves."""
    frame, protected = dataset.frame, dataset.roles.protected
    return tuple(
        name for name in model.reads if name in frame and name not in protected and is_number_column(frame[name])
    )


def suited(audit: ColumnSensitivity, model: AbstractModel, dataset: Dataset) -> ColumnSensitivity:
    """The settings in which every feature that may carry an attribute does; of a model that they do not suit, none."""
    return audit.model_copy(update={"through": carriers(model, dataset)})


def pilot(
    audit: ColumnSensitivity, given: Given[AbstractModel, EncodedDataset], decision: ColumnSensitivityDecision
) -> ColumnSensitivityPilot:
    """Test some random people, with the changes learned from as many rows as the whole test learns from.

    Raises:
        SettingsError: A feature that is to carry an attribute holds no numbers.
        AuditError: Too few rows are left, a group is too small to learn from, or the model fails on changed rows.
    """
    model, data = given.model, given.data
    learning, measured = split(audit, data, given.rng)
    chosen = np.sort(some_of(len(measured), PILOT_PEOPLE, given.rng, measured.clusters))
    attributes = tuple(name for name in data.dataset.roles.protected if audit.through or name in model.reads)
    changes = [GroupChange.learned(attribute, audit.through, learning, data) for attribute in attributes]
    for change in changes:
        measure(model, measured.take(chosen[:_WARM_UP]), change, ignore_progress)
    started = time.perf_counter()
    scores = [measure(model, measured.take(chosen), change, ignore_progress) for change in changes]
    seconds = time.perf_counter() - started
    clusters = None if measured.clusters is None else measured.clusters[chosen]
    return ColumnSensitivityPilot(
        people=len(chosen),
        audited=len(measured),
        seconds=seconds * len(measured) / len(chosen),
        attributes=attributes,
        change=np.array([spread_of_one(one.change, clusters) for one in scores]),
        slope=np.array([spread_of_one(one.slope, clusters) for one in scores]),
    )
