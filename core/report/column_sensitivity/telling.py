"""The sensitivity audit of columns as report, record and pages tell it."""

import math

from core.audits.column_sensitivity.reading import ColumnSensitivityReading
from core.dataset import MINIMUM_ROWS
from core.plan import AuditPlan
from core.report.column_sensitivity.limits import limits
from core.report.column_sensitivity.numbers import ColumnSensitivityNumbers, collect
from core.report.tables import Fact, Table
from core.report.telling import AbstractTelling
from core.result import ColumnSensitivityResult
from core.settings import name_of_choice
from core.words import count, number, p_value, percent, precision, ratio, share_interval, share_text
from core.words_column_sensitivity import changed_columns, flips_sentence

NOT_GIVEN = "–"


class ColumnSensitivityTelling(
    AbstractTelling[ColumnSensitivityResult, ColumnSensitivityReading, ColumnSensitivityNumbers]
):
    """See the base class."""

    numbers = ColumnSensitivityNumbers
    name = "The same person in another group (prediction sensitivity of columns)"
    about = (
        "The audit puts every person into every other group of a protected attribute and looks how far the model's "
        "answer moves. The attribute's own column changes, and with it the features that are said to carry it, by the "
        "mean difference between the groups. It also measures how steeply the answer begins to move."
    )
    citation = (
        "Krishna, Gupta, Verma, Dhamala, Pruksachatkun and Chang, “Measuring fairness of text classifiers via "
        "prediction sensitivity”, ACL 2022, Appendix A"
    )
    topics = ("columns", "data")

    def collect(self, result: ColumnSensitivityResult, reading: ColumnSensitivityReading) -> ColumnSensitivityNumbers:
        """See the base class."""
        return collect(result, reading)

    def similar(self, result: ColumnSensitivityResult) -> tuple[Fact, ...]:
        """Who is put where, what changes with that, and where it is known from."""
        detail = result.detail
        names = ", ".join(one.attribute for one in detail.attributes)
        facts = [Fact("Similar", f"the same person in every other group of {names}")]
        facts += [Fact(f"What changes with {one.attribute}", changed_columns(result, one)) for one in detail.attributes]
        if detail.learned_on:
            facts.append(
                Fact("Differences learned from", f"{count(detail.learned_on, 'row')}, which were not measured")
            )
        facts.append(Fact("People measured", f"{len(detail.attributes[0].codes):,}"))
        return tuple(facts)

    def statistics(self, reading: ColumnSensitivityReading, numbers: ColumnSensitivityNumbers) -> Table:
        """See the base class."""
        confidence = percent(1 - reading.alpha)
        ends = numbers.interval_low, numbers.interval_high
        decimals = None if numbers.undefined else precision(100 * ends[0], 100 * ends[1])

        def bound(value: float) -> str:
            if numbers.undefined:
                return "not defined"
            return f"{ratio(100 * value, beside=100 * reading.delta, decimals=decimals)}%"

        lines = (
            ("Verdict", numbers.verdict.value),
            (
                "Mean share of probability that moves",
                "not defined" if numbers.undefined else share_text(numbers.estimate, decimals),
            ),
            (f"{confidence} interval, two-sided", "not defined" if numbers.undefined else share_interval(*ends)),
            (f"Lower bound, {confidence}, one-sided", bound(numbers.lower_bound)),
            (f"Upper bound, {confidence}, one-sided", bound(numbers.upper_bound)),
            ("p-value", p_value(numbers.p_value, alpha=reading.alpha)),
            ("People n", f"{numbers.n:,}"),
        )
        caption = (
            f"The test of {numbers.attribute} at tolerance δ = {reading.delta:g} and error rate α = {reading.alpha:g}"
        )
        return Table(caption, ("", name_of_choice(ColumnSensitivityReading, "measure", reading.measure)), lines)

    def tables(
        self, result: ColumnSensitivityResult, reading: ColumnSensitivityReading, numbers: ColumnSensitivityNumbers
    ) -> dict[str, Table]:
        """Every attribute, the groups of the read one, and the columns that change with it."""
        told = {"column sensitivity interval": _attributes(reading, numbers)}
        if numbers.groups:
            told["column sensitivity groups"] = _groups(reading, numbers)
        if numbers.shifts:
            told["column sensitivity shifts"] = _shifts(numbers)
        return told

    def diagnostics(
        self, result: ColumnSensitivityResult, reading: ColumnSensitivityReading, numbers: ColumnSensitivityNumbers
    ) -> tuple[Fact, ...]:
        """See the base class."""
        facts = [Fact("Predicted outcome", flips_sentence(result.detail.of(reading), reading.alpha))]
        if not numbers.undefined:
            lower, upper = share_text(numbers.lower_error), share_text(numbers.upper_error)
            drawn = f"{lower} of the lower bound, {upper} of the upper ({result.detail.draws:,} draws)"
            facts.append(Fact("Monte-Carlo standard error", drawn))
        if math.isfinite(numbers.groups_p):
            facts.append(Fact("p-value that all groups move alike", p_value(numbers.groups_p)))
        return tuple(facts)

    def limits(
        self, plan: AuditPlan, result: ColumnSensitivityResult, reading: ColumnSensitivityReading
    ) -> tuple[str, ...]:
        """See the base class."""
        return limits(plan, result, reading)


def _attributes(reading: ColumnSensitivityReading, numbers: ColumnSensitivityNumbers) -> Table:
    confidence = percent(1 - reading.alpha)
    rows = tuple(
        (
            one.attribute,
            "yes" if one.read else "no",
            share_text(one.change),
            share_interval(one.change_low, one.change_high),
            p_value(one.adjusted_p),
            share_text(one.slope) if math.isfinite(one.slope) else NOT_GIVEN,
            share_interval(one.slope_low, one.slope_high) if math.isfinite(one.slope) else "no gradients",
            f"{one.flipped:,} ({share_interval(one.flipped_low, one.flipped_high)})",
        )
        for one in numbers.attributes
    )
    header = (
        "Attribute",
        "Read by the model",
        "Mean change",
        f"{confidence} interval of the change",
        "p-value, adjusted",
        "Mean slope",
        f"{confidence} interval of the slope",
        "Decided otherwise",
    )
    return Table("The protected attributes that were changed; p-values of the change, adjusted (Holm)", header, rows)


def _groups(reading: ColumnSensitivityReading, numbers: ColumnSensitivityNumbers) -> Table:
    rows = tuple(
        (
            one.group,
            f"{one.people:,}",
            share_text(one.mean) if one.people else NOT_GIVEN,
            share_interval(one.low, one.high) if one.people >= MINIMUM_ROWS else "too few people",
        )
        for one in numbers.groups
    )
    header = (numbers.attribute, "People", "Mean", f"{percent(1 - reading.alpha)} interval")
    name = name_of_choice(ColumnSensitivityReading, "measure", reading.measure)
    return Table(f"{name} by people's own group; the intervals hold together", header, rows)


def _shifts(numbers: ColumnSensitivityNumbers) -> Table:
    rows = tuple(
        (one.column, one.group, f"{one.shift:+.0%}" if one.indicator else _signed(one.shift)) for one in numbers.shifts
    )
    caption = "What changes on average when everybody else is put into a group; columns of yes and no in shares"
    return Table(caption, ("Column", f"Put into {numbers.attribute}", "Mean change"), rows)


def _signed(value: float) -> str:
    return f"{'−' if value < 0 else '+'}{number(abs(value))}"
