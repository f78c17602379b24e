"""The sensitivity audit as report, record and pages tell it."""

import math

from core.audits.text_sensitivity.decision import Measure, TextSensitivityDecision
from core.audits.text_sensitivity.report.limits import limits
from core.audits.text_sensitivity.report.numbers import JudgedNumbers, TextSensitivityNumbers, collect
from core.audits.text_sensitivity.result import TextSensitivityDetail, TextSensitivityResult
from core.audits.text_sensitivity.wording import flips_sentence, list_name, status_sentence, value_interval, value_text
from core.phrases import count, interval, number, p_value, percent, precision, ratio, share_interval
from core.plan import AuditPlan
from core.report.tables import Fact, Table
from core.report.telling import AbstractTelling
from core.settings import name_of_choice

NOT_GIVEN = "–"
_MODELS = {"audited": "Audited model", "second": "Second model"}
_NATS = 3
"""Decimals of a mutual information."""


class TextSensitivityTelling(AbstractTelling[TextSensitivityResult, TextSensitivityDecision, TextSensitivityNumbers]):
    """See the base class."""

    numbers = TextSensitivityNumbers
    name = "Words that carry protected information (prediction sensitivity)"
    about = (
        "The audit asks how far a text classifier's answer leans on words that tell a person's group. It exchanges "
        "words that name a group for their counterparts and looks how far the answer moves, and it measures how fast "
        "the answer reacts to each word, weighted by how much the word gives the group away."
    )
    citation = (
        "Krishna, Gupta, Verma, Dhamala, Pruksachatkun and Chang, “Measuring fairness of text classifiers via "
        "prediction sensitivity”, ACL 2022"
    )
    topics = ("text_sensitivity", "data")

    def collect(self, result: TextSensitivityResult, decision: TextSensitivityDecision) -> TextSensitivityNumbers:
        """See the base class."""
        return collect(result, decision)

    def similar(self, result: TextSensitivityResult) -> tuple[Fact, ...]:
        """Which words count, and where that is known from."""
        detail, audit = result.detail, result.audit
        status = detail.status
        edits = f"; {count(len(audit.edits), 'counterpart')} written by hand" if audit.edits else ""
        return (
            Fact("Similar", f"a text and the same text with its {list_name(result)} exchanged{edits}"),
            Fact("Texts measured", _measured(result)),
            Fact(
                "Texts with such words",
                f"{detail.listed_texts:,} of {len(detail.label):,}; a word could be exchanged in "
                f"{detail.exchanged_texts:,}",
            ),
            Fact("Words that give the group away", _status_told(detail)),
            Fact("Protected status model", status.name if status is not None else "none"),
        )

    def statistics(self, decision: TextSensitivityDecision, numbers: TextSensitivityNumbers) -> Table:
        """See the base class."""
        return _statistics(decision, numbers)

    def tables(
        self, result: TextSensitivityResult, decision: TextSensitivityDecision, numbers: TextSensitivityNumbers
    ) -> dict[str, Table]:
        """Measures, groups, flips, the status model, words, and what people found biased."""
        told = {"sensitivity interval": _measures(decision, numbers), "sensitivity flips": _flips(decision, numbers)}
        if numbers.groups:
            told["sensitivity groups"] = _groups(decision, numbers)
        if numbers.words:
            told["sensitivity words"] = _words(numbers)
        if numbers.status:
            told["sensitivity status"] = _status(result.detail, numbers)
        if numbers.annotations:
            told["sensitivity annotations"] = _annotations(decision, numbers)
        return told

    def diagnostics(
        self, result: TextSensitivityResult, decision: TextSensitivityDecision, numbers: TextSensitivityNumbers
    ) -> tuple[Fact, ...]:
        """See the base class."""
        return _diagnostics(result.detail, decision, numbers)

    def limits(
        self, plan: AuditPlan, result: TextSensitivityResult, decision: TextSensitivityDecision
    ) -> tuple[str, ...]:
        """See the base class."""
        return limits(plan, result, decision)


def _measured(result: TextSensitivityResult) -> str:
    measured, rows = len(result.detail.label), result.data.rows_audited
    kept = f" of {rows:,}; the protected status model learned from others" if measured < rows else ""
    return f"{measured:,}{kept}"


def _status_told(detail: TextSensitivityDetail) -> str:
    if detail.status is None:
        return "only the words of the list"
    laid = {
        "coordinates": "coordinate by coordinate, since both models read the same tokens",
        "words": "word by word, since the two models read texts in different pieces",
    }.get(detail.matched, "")
    return f"by a model of {detail.status.attribute or 'the group'}" + (f", {laid}" if laid else "")


def _statistics(decision: TextSensitivityDecision, numbers: TextSensitivityNumbers) -> Table:
    confidence, measure = percent(1 - decision.alpha), numbers.measure
    factor, unit = _unit(measure)
    low, high = factor * numbers.interval_low, factor * numbers.interval_high
    decimals = None if numbers.undefined else precision(low, high)

    def bound(value: float) -> str:
        return f"{ratio(factor * value, beside=factor * decision.delta, decimals=decimals)}{unit}"

    what = "Mean share of probability that moves" if decision.judged == "swaps" else f"Mean difference of {measure}"
    lines = (
        ("Verdict", numbers.verdict.value),
        (what, f"{number(factor * numbers.estimate, decimals)}{unit}"),
        (
            f"{confidence} interval, two-sided",
            "not defined"
            if numbers.undefined
            else value_interval(measure, numbers.interval_low, numbers.interval_high),
        ),
        (f"Lower bound, {confidence}, one-sided", bound(numbers.lower_bound)),
        (f"Upper bound, {confidence}, one-sided", bound(numbers.upper_bound)),
        ("p-value", p_value(numbers.p_value, alpha=decision.alpha)),
        ("Texts n", f"{numbers.n:,}"),
    )
    caption = f"The test at tolerance δ = {decision.delta:g} and error rate α = {decision.alpha:g}"
    return Table(caption, ("", name_of_choice(TextSensitivityDecision, "judged", decision.judged)), lines)


def _measures(decision: TextSensitivityDecision, numbers: TextSensitivityNumbers) -> Table:
    confidence = percent(1 - decision.alpha)
    own = [one for one in numbers.means if one.model == "audited"]
    second = {one.measure: one for one in numbers.means if one.model == "second"}
    ratios = {one.measure: one for one in numbers.ratios}
    rows = []
    for one in own:
        other, times = second.get(one.measure), ratios.get(one.measure)
        cells = [_measure_name(one.measure, decision), f"{one.texts:,}"]
        for mean in (one, *([other] if other is not None else [])):
            cells += (
                [NOT_GIVEN, mean.undefined]
                if mean.undefined
                else [value_text(mean.measure, mean.mean), value_interval(mean.measure, mean.low, mean.high)]
            )
        if times is not None:
            signed = decision.signed and one.measure in ("P3", "P5")
            cells.append(
                NOT_GIVEN if times.undefined or signed else f"{number(times.ratio)} ({interval(times.low, times.high)})"
            )
        rows.append(tuple(cells))
    header: tuple[str, ...] = ("Measure", "Texts", "Audited model, mean", f"{confidence} interval")
    if second:
        header = (*header, "Second model, mean", f"{confidence} interval of the second", "Times as sensitive")
    return Table("Every measure, averaged over the texts it applies to", header, tuple(rows))


def _groups(decision: TextSensitivityDecision, numbers: TextSensitivityNumbers) -> Table:
    rows = tuple(
        (
            f"{one.attribute}: {one.group}",
            _measure_name(one.measure, decision),
            f"{one.texts:,}",
            value_text(one.measure, one.mean) if math.isfinite(one.mean) else NOT_GIVEN,
            value_interval(one.measure, one.low, one.high) if math.isfinite(one.low) else "too few texts to judge",
        )
        for one in numbers.groups
    )
    header = ("Group", "Measure", "Texts", "Mean", f"{percent(1 - decision.alpha)} interval, all groups together")
    return Table("The audited model by group", header, rows)


def _flips(decision: TextSensitivityDecision, numbers: TextSensitivityNumbers) -> Table:
    rows = tuple(
        (
            _MODELS[one.model],
            f"{one.changed:,}",
            f"{one.texts:,}",
            percent(one.changed / one.texts) if one.texts else NOT_GIVEN,
            share_interval(one.low, one.high) if one.texts else NOT_GIVEN,
        )
        for one in numbers.flips
    )
    header = (
        "Model",
        "Texts that change",
        "Texts with exchanged words",
        "Share",
        f"{percent(1 - decision.alpha)} interval",
    )
    return Table("Texts whose predicted class changes when words are exchanged", header, rows)


def _words(numbers: TextSensitivityNumbers) -> Table:
    rows = tuple(
        (
            one.word,
            f"{one.texts:,}",
            percent(round(one.task, 3)),
            percent(round(one.status, 3)) if math.isfinite(one.status) else NOT_GIVEN,
            "yes" if one.listed else "no",
        )
        for one in numbers.words
    )
    header = ("Word", "Texts", "Share of the model's reaction", "Share of what gives the group away", "In the list")
    return Table("The words the model reacts to most, of those in at least five texts", header, rows)


def _status(detail: TextSensitivityDetail, numbers: TextSensitivityNumbers) -> Table:
    attribute = detail.status.attribute if detail.status is not None else ""
    rows = tuple(
        (
            one.group,
            f"{one.texts:,}",
            percent(round(one.accuracy, 3)) if one.texts else NOT_GIVEN,
            share_interval(one.low, one.high) if one.texts else "no text to judge it by",
        )
        for one in numbers.status
    )
    header = (attribute or "Group", "Texts never seen", "Recognised", "95% interval")
    return Table("How well the protected status model recognises each group", header, rows)


def _annotations(decision: TextSensitivityDecision, numbers: TextSensitivityNumbers) -> Table:
    confidence = percent(1 - decision.alpha)
    rows = tuple(_annotation(one, decision) for one in numbers.annotations)
    header = (
        "Measure",
        "Judged texts",
        "Correlation",
        f"{confidence} interval of the correlation",
        "Correlates better than CF, p-value",
        "Mutual information (nats)",
        f"{confidence} interval of the information",
        "Tells more than CF, p-value",
    )
    caption = "How the measures go with what people found biased; p-values by paired bootstrap, adjusted (Holm)"
    return Table(caption, header, rows)


def _annotation(one: JudgedNumbers, decision: TextSensitivityDecision) -> tuple[str, ...]:
    name = _measure_name(one.measure, decision)
    if one.undefined:
        return (name, f"{one.texts:,}", NOT_GIVEN, one.undefined, *([NOT_GIVEN] * 4))
    return (
        name,
        f"{one.texts:,}",
        number(one.correlation, 2),
        interval(one.correlation_low, one.correlation_high),
        p_value(one.correlation_p) if math.isfinite(one.correlation_p) else NOT_GIVEN,
        number(one.information, _NATS),
        f"{number(one.information_low, _NATS)} to {number(one.information_high, _NATS)}",
        p_value(one.information_p) if math.isfinite(one.information_p) else NOT_GIVEN,
    )


def _diagnostics(
    detail: TextSensitivityDetail, decision: TextSensitivityDecision, numbers: TextSensitivityNumbers
) -> tuple[Fact, ...]:
    facts = []
    if not numbers.undefined:
        factor, unit = _unit(numbers.measure)
        lower, upper = (f"{number(factor * error)}{unit}" for error in (numbers.lower_error, numbers.upper_error))
        facts.append(
            Fact(
                "Monte-Carlo standard error",
                f"{lower} of the lower bound, {upper} of the upper ({detail.draws:,} draws)",
            )
        )
    facts += [
        Fact("Protected status model", status_sentence(detail)),
        Fact("Predicted class", flips_sentence(detail, decision.alpha)),
    ]
    if numbers.cut_texts:
        facts.append(
            Fact(
                "Texts longer than the model reads",
                f"{numbers.cut_texts:,} of {numbers.texts:,}; {count(numbers.cut_words, 'word')} not read",
            )
        )
    facts.append(Fact("Measure and the model's confidence", _confidence(detail, decision)))
    facts += [
        Fact(
            f"Largest difference between groups of {one.attribute} ({one.measure})",
            f"{one.first} above {one.second} by {value_text(one.measure, one.difference)} "
            f"({value_interval(one.measure, one.low, one.high)}; p-value that all groups are alike "
            f"{p_value(one.p_value)})",
        )
        for one in numbers.differences
    ]
    return tuple(facts)


def _confidence(detail: TextSensitivityDetail, decision: TextSensitivityDecision) -> str:
    found = detail.with_confidence(decision.measure, decision.signed)
    mean = f"the model is {percent(round(float(detail.audited.confidence.mean()), 3))} sure on average"
    if not math.isfinite(found.value):
        return f"how they go together cannot be said from {count(found.n, 'text')}; {mean}"
    falls = "falls" if found.value < 0 else "rises"
    return (
        f"{decision.measure} {falls} with confidence (rank correlation {number(found.value, 2)}, 95% interval "
        f"{number(found.low, 2)} to {number(found.high, 2)}); {mean}"
    )


def _measure_name(measure: Measure, decision: TextSensitivityDecision) -> str:
    name = name_of_choice(TextSensitivityDecision, "measure", measure)
    return f"{name}, signed" if decision.signed and measure in ("P3", "P5") else name


def _unit(measure: Measure) -> tuple[float, str]:
    return (100.0, "%") if measure == "CF" else (1.0, "")
