"""The transport test as report, record and pages tell it."""

from core.audits.transport.decision import TransportDecision
from core.audits.transport.report.limits import limits
from core.audits.transport.report.numbers import TransportNumbers, collect
from core.audits.transport.result import TransportResult
from core.audits.transport.settings import ByMetric, CellColumn, DifferOnlyIn
from core.audits.transport.ways import METHODS, ways_at_once
from core.audits.transport.wording import MEASURES, mixed_sentence, people_text, price_sentence, proof_text
from core.phrases import count, interval, number, p_value, percent, precision, ratio
from core.plan import AuditPlan
from core.report.tables import Fact, Table
from core.report.telling import AbstractTelling
from core.settings import name_of_choice


class TransportTelling(AbstractTelling[TransportResult, TransportDecision, TransportNumbers]):
    """See the base class."""

    numbers = TransportNumbers
    name = "Comparison of similar people (transport test, FaiTH)"
    about = (
        "The test compares people with similar people in the table whose true outcome is the same. It asks by how much "
        "the model's mean loss would rise if everybody were judged like the similar people on whom the model does "
        "worst, as far as the budget allows. A rise of 0 means that similar people are judged alike."
    )
    citation = "Xue, Yurochkin and Sun, “Auditing ML models for individual bias and unfairness”, AISTATS 2020"
    topics = ("transport", "data")

    def collect(self, result: TransportResult, decision: TransportDecision) -> TransportNumbers:
        """See the base class."""
        return collect(result, decision)

    def similar(self, result: TransportResult) -> tuple[Fact, ...]:
        """See the base class."""
        audit, detail = result.audit, result.detail
        return (
            Fact("Similar", _similarity(result)),
            Fact(*_columns_told(result)),
            Fact("Kinds of people", f"{len(detail.cells):,}, the true outcome being part of the kind"),
            Fact("Compared with", name_of_choice(type(audit), "space", audit.space).lower()),
            Fact(
                "Forbidden comparisons",
                ", ".join(f"{one.attribute}: {one.origin} with {one.target}" for one in audit.forbidden) or "none",
            ),
        )

    def statistics(self, decision: TransportDecision, numbers: TransportNumbers) -> Table:
        """See the base class."""
        return _statistics(decision, numbers)

    def tables(
        self, result: TransportResult, decision: TransportDecision, numbers: TransportNumbers
    ) -> dict[str, Table]:
        """Flows between groups, and every way to the interval."""
        if numbers.undefined:
            return {}
        rows = tuple((one.origin, one.target, people_text(one.people)) for one in numbers.flows)
        return {
            "transport flows": Table("People moved between groups", ("From", "To", "People"), rows),
            "transport interval": _methods(result, decision),
        }

    def diagnostics(
        self, result: TransportResult, decision: TransportDecision, numbers: TransportNumbers
    ) -> tuple[Fact, ...]:
        """See the base class."""
        if numbers.undefined:
            return ()
        measure = MEASURES[decision.loss]
        lower, upper = (number(measure.factor * error) for error in (numbers.lower_error, numbers.upper_error))
        errors = f"{lower}{measure.unit} of the lower bound, {upper}{measure.unit} of the upper"
        return (
            Fact("Monte-Carlo standard error", f"{errors} ({result.detail.draws:,} draws)"),
            Fact("No worse way to move people", proof_text(numbers.certificate)),
            *_kinds(result, decision, numbers),
            Fact("Budget", price_sentence(result, decision)),
            Fact("Largest comparisons", " ".join(numbers.sentences) or "nobody is moved"),
        )

    def limits(self, plan: AuditPlan, result: TransportResult, decision: TransportDecision) -> tuple[str, ...]:
        """See the base class."""
        return limits(plan, result, decision)


def _kinds(result: TransportResult, decision: TransportDecision, numbers: TransportNumbers) -> tuple[Fact, ...]:
    asked = result.detail.asked
    if asked is None:
        return (
            Fact("People who are the only one of their kind", percent(round(numbers.cells.alone, 3))),
            Fact("People who can be compared across groups", percent(round(numbers.cells.comparable, 3))),
            Fact("Kinds with different losses", mixed_sentence(result, decision)),
        )
    return (
        Fact("Protected attributes changed when asking", ", ".join(asked.read) or "none that the model reads"),
        Fact("Not read by the model", ", ".join(asked.unread) or "none of them"),
        Fact("Kinds with different losses", "none: everybody was asked about with all that the model reads"),
    )


def _columns_told(result: TransportResult) -> tuple[str, str]:
    columns = ", ".join(map(_column, result.detail.cells.columns))
    if result.detail.asked is None:
        return "Columns that tell people apart", columns
    return "Columns shown", f"{columns}; people are told apart by all that the model reads, unbinned"


def _similarity(result: TransportResult) -> str:
    chosen = result.audit.similarity
    if isinstance(chosen, DifferOnlyIn):
        return f"people who differ only in {', '.join(chosen.columns or result.detail.cells.protected)}"
    if isinstance(chosen, ByMetric):
        name = result.metric.name if result.metric is not None else "fair metric"
        return f"the nearer by the fair metric, the cheaper to compare ({name})"
    return f"by the uploaded cost matrix {chosen.file.name}"


def _column(column: CellColumn) -> str:
    if column.edges:
        return f"{column.name} in {count(len(column.edges) + 1, 'bin')}"
    return f"{column.name} with {count(len(column.merged), 'value')} merged" if column.merged else column.name


def _statistics(decision: TransportDecision, numbers: TransportNumbers) -> Table:
    confidence, measure = percent(1 - decision.alpha), MEASURES[decision.loss]
    scale, delta = measure.factor, measure.factor * decision.delta
    low, high = scale * numbers.interval_low, scale * numbers.interval_high
    decimals = None if numbers.undefined else precision(low, high)

    def bound(value: float) -> str:
        return ratio(scale * value, beside=delta, decimals=decimals)

    lines = (
        ("Verdict", numbers.verdict.value),
        (f"Estimate, {measure.axis}", number(scale * numbers.estimate, decimals)),
        (f"{confidence} interval, two-sided", "not defined" if numbers.undefined else interval(low, high)),
        (f"Lower bound, {confidence}, one-sided", bound(numbers.lower_bound)),
        (f"Upper bound, {confidence}, one-sided", bound(numbers.upper_bound)),
        ("p-value", p_value(numbers.p_value, alpha=decision.alpha)),
        ("People n", f"{numbers.n:,}"),
    )
    caption = f"The test at tolerance δ = {decision.delta:g} and error rate α = {decision.alpha:g}"
    return Table(caption, ("", measure.name.removeprefix("the ").capitalize()), lines)


def _methods(result: TransportResult, decision: TransportDecision) -> Table:
    confidence, measure = percent(1 - decision.alpha), MEASURES[decision.loss]
    rows = []
    at_once = ways_at_once(result.detail, decision.method)
    for method in METHODS:
        if method not in at_once:
            later = f"not computed: it takes minutes with {count(len(result.detail.cells), 'kind')} of people"
            rows.append((name_of_choice(TransportDecision, "method", method), later, "", ""))
            continue
        found = result.detail.estimate(decision.model_copy(update={"method": method}))
        ends = found.two_sided(decision.alpha)
        rows.append(
            (
                name_of_choice(TransportDecision, "method", method),
                interval(measure.factor * ends.low, measure.factor * ends.high),
                ratio(measure.factor * found.lower_bound(decision.alpha), beside=measure.factor * decision.delta),
                p_value(found.p_value(decision.delta), alpha=decision.alpha),
            )
        )
    header = ("Way to the interval", f"{confidence} interval", "Lower bound", "p-value")
    return Table(f"Every way to the interval, {measure.axis}", header, tuple(rows))
