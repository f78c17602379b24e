"""The search repeated under other values of one setting: the metric turned, another weight, another penalty."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from core.audits.gradient_flow.result import Repeated
from core.audits.gradient_flow.settings import GradientFlow
from core.audits.gradient_flow.stability import check_stability, is_unstable
from core.audits.gradient_flow.tally import SearchedRows, Totals
from core.base.errors import MetricError
from core.contracts.metric import FittedMetric
from core.data.encoded import EncodedDataset
from core.inference.estimate import Estimate
from core.inference.moments import mean_from_sums, ratio_by_cluster, ratio_of_error_rates


@dataclass(frozen=True)
class Trial:
    """One search: a value of a setting, and what follows from it.

    Attributes:
        setting: The setting that has another value, by its name.
        at: The value.
        audit: The settings of this search.
        metric: Who is similar in it; None where the rows teach no metric under this value.
    """

    setting: str
    at: float
    audit: GradientFlow
    metric: FittedMetric | None


def searches(audit: GradientFlow) -> int:
    """About how many searches of a part of the rows are asked for, for the time they take."""
    asked = (audit.rotations, audit.other_weights, audit.other_penalties)
    return sum(len(set(values)) + 1 for values in asked if values)


def trials(
    audit: GradientFlow, metric: FittedMetric, learning: EncodedDataset | None, rng: np.random.Generator
) -> list[Trial]:
    """Every search asked for, the audit's own value of each setting among them.

    Raises:
        SettingsError: Steps would be unstable under a weight, and the metric allows no exponential ones.
    """
    return [
        *_turned(audit, metric, rng),
        *_weighed(audit, metric),
        *_penalised(audit, metric, learning, rng),
    ]


def _turned(audit: GradientFlow, metric: FittedMetric, rng: np.random.Generator) -> Iterator[Trial]:
    for angle in (0.0, *audit.rotations) if audit.rotations else ():
        yield Trial("rotations", angle, audit, metric.rotated(angle, rng))


def _weighed(audit: GradientFlow, metric: FittedMetric) -> Iterator[Trial]:
    """Where Euler steps would be unstable under any of the weights, all of them take exponential ones."""
    if not audit.other_weights:
        return
    weights = sorted({audit.regularisation, *audit.other_weights})
    found = [audit.model_copy(update={"regularisation": weight}) for weight in weights]
    largest = metric.largest_eigenvalue
    if audit.integrator == "euler" and is_unstable(found[-1], largest):
        if not metric.quadratic:
            check_stability(found[-1], largest, exponential=False)
        found = [one.model_copy(update={"integrator": "etd2rk"}) for one in found]
    for one in found:
        yield Trial("other_weights", one.regularisation, one, metric)


def _penalised(
    audit: GradientFlow, metric: FittedMetric, learning: EncodedDataset | None, rng: np.random.Generator
) -> Iterator[Trial]:
    if not audit.other_penalties or learning is None:
        return
    own = audit.metric.penalised_by
    for strength in sorted({own, *audit.other_penalties}):
        yield Trial(
            "other_penalties", strength, audit, metric if strength == own else _learned(audit, strength, learning, rng)
        )


def _learned(
    audit: GradientFlow, strength: float, learning: EncodedDataset, rng: np.random.Generator
) -> FittedMetric | None:
    try:
        return audit.metric.under_penalty(strength).fit(learning, rng)
    except MetricError:
        return None


def repeated(
    audit: GradientFlow, searched: list[tuple[Trial, Totals | None]], rows: SearchedRows
) -> tuple[Repeated, ...]:
    """What the searches of these rows found, setting by setting; None stands for a metric that could not be learned."""
    times = max((len(totals.sums["excess"]) for _, totals in searched if totals is not None), default=0)
    own = {"rotations": 0.0, "other_weights": audit.regularisation, "other_penalties": audit.metric.penalised_by}
    found = []
    for setting in dict.fromkeys(trial.setting for trial, _ in searched):
        some = [(trial.at, totals) for trial, totals in searched if trial.setting == setting]
        sums = [np.full((2, times, 3), np.nan) if one is None else numbers_of(one, len(rows.y)) for _, one in some]
        both = np.array(sums)
        at = np.array([at for at, _ in some])
        found.append(Repeated(setting, at, own[setting], len(rows.y), both[:, 0], both[:, 1]))
    return tuple(found)


def numbers_of(totals: Totals, n: int) -> np.ndarray:
    """Both statistics at each of m stopping times: value, standard error and its degrees of freedom; (2, m, 3)."""
    sums = {name: values.sum(axis=-1) for name, values in totals.sums.items()}
    found: list[list[Estimate]] = [[], []]
    for index in range(len(sums["excess"])):
        if totals.clusters is not None:
            of = totals.clusters[0]
            every = np.ones(of.cell.max() + 1, dtype=bool)
            rows, start = (of.over(one, every) for one in (of.rows, of.wrong_start))
            excess, end = (of.over(one[index], every) for one in (of.excess, of.wrong_end))
            loss, error = ratio_by_cluster(excess, rows, n), ratio_by_cluster(end, start, n)
            loss = replace(loss, value=1.0 + loss.value)
        else:
            loss = mean_from_sums(float(sums["excess"][index]), float(sums["excess_squares"][index]), n)
            error = ratio_of_error_rates(
                int(sums["wrong_end"][index]), int(sums["wrong_start"]), int(sums["wrong_both"][index]), n
            )
        found[0].append(loss)
        found[1].append(error)
    return np.array([[(one.value, one.standard_error, one.degrees) for one in side] for side in found])
