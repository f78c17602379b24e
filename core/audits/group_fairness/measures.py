"""What groups are compared in: the quantity a verdict rests on, of whom, and in which direction it harms."""

from dataclasses import dataclass

import numpy as np

from core.audits.group_fairness.decision import GroupFairnessDecision
from core.audits.group_fairness.result import GroupFairnessDetail
from core.base.errors import SettingsError
from core.data.roles import GoodEnd
from core.language.told import say


@dataclass(frozen=True)
class Measure:
    """One quantity of n people, which may have an end that harms them.

    Attributes:
        name: ``true-positive rate``, ``selection rate``, ``predictive value``, ``recall``, ``class`` or ``mean error``.
        values: What is averaged, shape (n,), float64: 0 or 1, or a number.
        among: Of whom, shape (n,), bool.
        shares: Whether values are 0 or 1.
        one_sided: Whether one direction is a harm, a smaller value; without, it is only a difference.
        of: The class it is about; empty for numbers.
        more_harms: Whether the harm is a larger value instead.
    """

    name: str
    values: np.ndarray
    among: np.ndarray
    shares: bool
    one_sided: bool
    of: str = ""
    more_harms: bool = False

    @property
    def has_ratios(self) -> bool:
        """Whether ratios are judged beside differences: of shares of favourable answers."""
        return self.shares and self.one_sided and self.name != "predictive value"


def measures_of(detail: GroupFairnessDetail, decision: GroupFairnessDecision, good: GoodEnd) -> tuple[Measure, ...]:
    """What the verdict rests on: one measure, or one for each class where none is favourable.

    Args:
        detail: What was asked and answered.
        decision: What the verdict shall rest on.
        good: Which end of numbers is good for people.

    Raises:
        SettingsError: The measure that is asked for needs an outcome or a favourable answer that the table has not.
    """
    wanted = decision.measure
    everybody = np.ones(len(detail.outcome), dtype=bool)
    if detail.numbers:
        _refuse(wanted != "default")
        error = detail.answers[:, 0] - detail.outcome
        return (Measure("mean error", error, everybody, False, good != "not said", more_harms=good == "low"),)
    if detail.favourable < 0:
        _refuse(wanted != "default")
        return tuple(
            Measure("recall" if detail.has_outcomes else "class", decided, among, True, False, name)
            for k, name in enumerate(detail.classes)
            for decided in [(detail.decisions == k).astype(np.float64)]
            for among in [detail.outcome == k if detail.has_outcomes else everybody]
        )
    favourable = detail.classes[detail.favourable]
    chosen, deserving = detail.decisions == detail.favourable, detail.outcome == detail.favourable
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
        "true-positive rate": (chosen, deserving),
        "selection rate": (chosen, everybody),
        "predictive value": (~deserving, ~chosen),
    }[name]
    return (Measure(name, values.astype(np.float64), among, True, True, favourable),)


def _refuse(impossible: bool) -> None:
    if impossible:
        raise SettingsError(
            say("What the verdict shall rest on needs an outcome and a favourable answer, which this table has not."),
            where=say("setting 'What the verdict rests on'"),
            advice=say("Choose the default for this table."),
        )
