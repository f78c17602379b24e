"""What groups are compared in: the quantity a verdict rests on, of whom, and in which direction it harms."""

from dataclasses import dataclass

import numpy as np

from core.audits.group_fairness.decision import GroupFairnessDecision
from core.audits.group_fairness.result import GroupFairnessDetail
from core.base.errors import SettingsError
from core.language.told import say


@dataclass(frozen=True)
class Measure:
    """One quantity of n people; the larger it is, the better for them, where it has a good end.

    Attributes:
        name: ``true-positive rate``, ``selection rate``, ``predictive value``, ``recall``, ``class`` or ``mean error``.
        values: What is averaged, shape (n,), float64: 0 or 1, or a number.
        among: Of whom, shape (n,), bool.
        shares: Whether values are 0 or 1.
        one_sided: Whether a smaller value is a harm; without, it is only a difference.
        of: The class it is about; empty for numbers.
    """

    name: str
    values: np.ndarray
    among: np.ndarray
    shares: bool
    one_sided: bool
    of: str = ""

    @property
    def has_ratios(self) -> bool:
        """Whether ratios are judged beside differences: of shares of favourable answers."""
        return self.shares and self.one_sided and self.name != "predictive value"


def measures_of(detail: GroupFairnessDetail, decision: GroupFairnessDecision) -> tuple[Measure, ...]:
    """What the verdict rests on: one measure, or one for each class where none is favourable.

    Raises:
        SettingsError: The measure that is asked for needs an outcome or a favourable answer that the table has not.
    """
    wanted = decision.measure
    everybody = np.ones(len(detail.outcome), dtype=bool)
    if detail.numbers:
        _refuse(wanted != "default")
        error = detail.answers[:, 0] - detail.outcome
        sign = -1.0 if decision.good_end == "low" else 1.0
        return (Measure("mean error", sign * error, everybody, False, decision.good_end != "not said"),)
    if detail.favourable < 0:
        _refuse(wanted != "default")
        return tuple(
            Measure("recall" if detail.has_outcomes else "class", decided, among, True, False, name)
            for k, name in enumerate(detail.classes)
            for decided in [(detail.decisions == k).astype(np.float64)]
            for among in [detail.outcome == k if detail.has_outcomes else everybody]
        )
    favourable = detail.classes[detail.favourable]
    chosen, good = detail.decisions == detail.favourable, detail.outcome == detail.favourable
    name = wanted
    if name == "default":
        name = "true-positive rate" if detail.has_outcomes and detail.guess is None else "selection rate"
    if detail.guess is not None and name != "selection rate":
        raise SettingsError(
            say("How often a guess is right is known among all people only, so that favourable answers are compared."),
            where=say("setting 'What the verdict rests on'"),
            advice=say("Choose favourable answers among all, or leave out the attribute that is only guessed."),
        )
    _refuse(name != "selection rate" and not detail.has_outcomes)
    values, among = {
        "true-positive rate": (chosen, good),
        "selection rate": (chosen, everybody),
        "predictive value": (~good, ~chosen),
    }[name]
    return (Measure(name, values.astype(np.float64), among, True, True, favourable),)


def _refuse(impossible: bool) -> None:
    if impossible:
        raise SettingsError(
            say("What the verdict shall rest on needs an outcome and a favourable answer, which this table has not."),
            where=say("setting 'What the verdict rests on'"),
            advice=say("Choose the default for this table."),
        )
