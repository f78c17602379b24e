"""The fair-dummies test as report, record and pages tell it."""

import math
from collections.abc import Callable

from core.audits.equalized_odds.decision import EqualizedOddsDecision
from core.audits.equalized_odds.report import figures
from core.audits.equalized_odds.report.figures import NOT_GIVEN, share_of
from core.audits.equalized_odds.report.limits import limits
from core.audits.equalized_odds.report.numbers import AttributeNumbers, EqualizedOddsNumbers, collect
from core.audits.equalized_odds.result import EqualizedOddsResult
from core.audits.equalized_odds.wording import question, resampled
from core.audits.groups.report import groups, subgroups
from core.phrases import count, number, p_value, percent, points
from core.plan import AuditPlan
from core.report.tables import Fact, Table
from core.report.telling import AbstractTelling


class EqualizedOddsTelling(AbstractTelling[EqualizedOddsResult, EqualizedOddsDecision, EqualizedOddsNumbers]):
    """See the base class."""

    numbers = EqualizedOddsNumbers
    name = "Groups given the outcome (fair-dummies test)"
    about = (
        "The test asks whether the model's answers depend on a protected attribute among people who have the same "
        "outcome. It draws everybody's group anew, so that groups and outcomes go together as before but the answers "
        "know nothing of the drawn groups, and looks whether the true groups explain the answers better than the drawn "
        "ones, the fair dummies, ever do."
    )
    citation = "Romano, Bates and Candès, “Achieving equalized odds by resampling sensitive attributes”, NeurIPS 2020"
    topics = ("dummies", "data")
    notion = "Group fairness"
    compared = "Who is compared"

    def collect(self, result: EqualizedOddsResult, decision: EqualizedOddsDecision) -> EqualizedOddsNumbers:
        """See the base class."""
        return collect(result, decision)

    def similar(self, result: EqualizedOddsResult) -> tuple[Fact, ...]:
        """The question, who is compared with whom, and in which groups."""
        detail = result.detail
        facts = [
            Fact("Asked", question(detail.asks)),
            Fact("Compared with each other", _compared(result)),
        ]
        for one in detail.attributes:
            tested = "a number; for tables cut into " if one.continuous else ""
            facts.append(Fact(f"Groups of {one.name}", f"{tested}{', '.join(one.groups)}"))
        return tuple(facts)

    def statistics(self, decision: EqualizedOddsDecision, numbers: EqualizedOddsNumbers) -> Table:
        """A column for each protected attribute."""
        confidence = percent(1 - decision.alpha)
        rows: tuple[tuple[str, Callable[[AttributeNumbers], str]], ...] = (
            ("p-value, adjusted for all attributes (Holm)", lambda one: p_value(one.adjusted_p, alpha=decision.alpha)),
            ("p-value", lambda one: p_value(one.p_value, alpha=decision.alpha)),
            ("Monte-Carlo standard error of the p-value", lambda one: number(one.p_error)),
            ("Largest difference, percentage points", lambda one: points(one.gap.value)),
            (
                f"Its {confidence} bounds, all together",
                lambda one: f"{points(one.gap.low)} to {points(one.gap.high)}",
            ),
            ("It lies among", lambda one: one.gap.where or NOT_GIVEN),
            ("What is counted there", lambda one: one.gap.counted or NOT_GIVEN),
            ("Larger share", lambda one: share_of(one.gap.first, one.gap.first_share)),
            ("Smaller share", lambda one: share_of(one.gap.second, one.gap.second_share)),
            ("Loss with people's own groups (t*)", lambda one: number(one.statistic)),
            ("Loss with drawn groups, mean", lambda one: number(one.null_mean)),
            ("Drawn anew (K)", lambda one: f"{one.dummies:,}"),
            ("Rows tested", lambda one: f"{one.tested:,}"),
        )
        caption = (
            f"{question(numbers.asks)} At tolerance δ = {points(decision.delta)} percentage points and error rate "
            f"α = {decision.alpha:g}; {count(numbers.n, 'person', 'people')}"
        )
        header = ("", *(one.attribute for one in numbers.attributes))
        return Table(caption, header, tuple((name, *map(told, numbers.attributes)) for name, told in rows))

    def tables(
        self, result: EqualizedOddsResult, decision: EqualizedOddsDecision, numbers: EqualizedOddsNumbers
    ) -> dict[str, Table]:
        """How each attribute was tested, and the tables of groups, subgroups and prediction sets."""
        return {
            **figures.tables(result.detail, decision),
            **groups.tables(result.detail, decision),
            **subgroups.tables(result.detail, decision),
            "fair dummies attributes": _attributes(numbers),
        }

    def diagnostics(
        self, result: EqualizedOddsResult, decision: EqualizedOddsDecision, numbers: EqualizedOddsNumbers
    ) -> tuple[Fact, ...]:
        """See the base class."""
        facts = []
        for one in numbers.attributes:
            if not one.tested:
                facts.append(Fact(one.attribute, "not tested, since people who are compared are all of one group"))
                continue
            facts.append(Fact(f"{one.attribute}: how groups were drawn anew", resampled(one.resampling)))
            if math.isfinite(one.other_p):
                facts.append(Fact(f"{one.attribute}: p-value if drawn the other way", p_value(one.other_p)))
            if math.isfinite(one.calibration_p):
                told = "contradicted by the rows" if one.calibration_p < 0.01 else "not contradicted by the rows"
                facts.append(
                    Fact(
                        f"{one.attribute}: who belongs to which group, as learned",
                        f"{told} (p-value {p_value(one.calibration_p)})",
                    )
                )
            facts.append(Fact(f"{one.attribute}: what looked for differences", found_by(one)))
        return tuple(facts)

    def limits(self, plan: AuditPlan, result: EqualizedOddsResult, decision: EqualizedOddsDecision) -> tuple[str, ...]:
        """See the base class."""
        return limits(plan, result, decision)


def found_by(one: AttributeNumbers) -> str:
    """What looked for differences, where it learned, and how much of the answers it explains."""
    return (
        f"{one.learner}, learned from {count(one.learned, 'row')} that were not tested; it explains "
        f"{percent(round(max(one.learner_r2, 0.0), 3))} of the variance on those that were"
    )


def _compared(result: EqualizedOddsResult) -> str:
    detail = result.detail
    if not detail.shared:
        return "everybody"
    if detail.strata.exact:
        return f"people with the same {detail.shared}: {', '.join(detail.strata.names)}"
    return (
        f"people with about the same {detail.shared}; tables and the largest difference cut it into "
        f"{len(detail.strata.names)} parts of about equally many people"
    )


def _attributes(numbers: EqualizedOddsNumbers) -> Table:
    rows = tuple(
        (
            one.attribute,
            ", ".join(f"{group} ({people:,})" for group, people in zip(one.groups, one.people, strict=True)),
            p_value(one.adjusted_p),
            f"{points(one.gap.value)} ({points(one.gap.low)} to {points(one.gap.high)})",
            f"{one.learned:,}",
            f"{one.tested:,}",
            f"{one.left_out:,}" + (f" ({count(one.single_strata, 'outcome')})" if one.single_strata else ""),
            f"{one.gap.too_small:,}",
        )
        for one in numbers.attributes
    )
    header = (
        "Attribute",
        "Groups (people)",
        "p-value, adjusted",
        "Largest difference, points",
        "Rows learned from",
        "Rows tested",
        "Rows left out: one group only",
        "Too small to judge",
    )
    return Table("The protected attributes and the rows behind their tests", header, rows)
