"""The report in words and tables, before any layout: aggregates only, never a row of the table."""

from dataclasses import dataclass

import numpy as np

from core import words
from core.errors import Notice
from core.files import FileRef
from core.glossary import Term, glossary
from core.inference.estimate import Verdict
from core.plan import AuditPlan
from core.report import limits
from core.report.numbers import GroupNumbers, Numbers, StatisticNumbers, SweepNumbers, collect
from core.report.record import files_of
from core.report.settings_table import SettingSection, setting_sections
from core.result import AuditResult

MOST_SWEEP_ROWS = 12
"""Stopping times in the table, about evenly spaced; the record holds all of them."""
NOT_GIVEN = "–"


@dataclass(frozen=True)
class Fact:
    """A label and what stands beside it."""

    label: str
    value: str


@dataclass(frozen=True)
class Table:
    """A table of texts.

    Attributes:
        caption: What it shows.
        header: Column headings; the first column names the rows.
        rows: Cells as text.
    """

    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Report:
    """Everything a report says, in the order in which it says it.

    Attributes:
        title: Names the model and the data.
        verdict: Decides the colour and the mark of the verdict card.
        headline: The verdict in a few words.
        explanation: The rest of the verdict's sentence.
        reasons: What speaks against taking it at its word.
        tested: What was tested and on whom.
        similar: Who counts as similar.
        probes: How well the protected attributes can be told from the features; None for a declared metric.
        statistics: Both tests.
        groups: Results per group.
        sweep: The reading's test at shorter searches.
        diagnostics: What tells whether the numbers can be trusted.
        limits: What the test assumes and cannot say, one plain sentence each.
        notices: What else a reader has to know.
        settings: Every setting.
        fingerprints: What identifies inputs and result.
        versions: Libraries, and how long the run took.
        command: How to repeat the audit.
        files: Uploaded files that the command needs.
        terms: The glossary entries of the symbols used.
    """

    title: str
    verdict: Verdict
    headline: str
    explanation: str
    reasons: tuple[Notice, ...]
    tested: tuple[Fact, ...]
    similar: tuple[Fact, ...]
    probes: Table | None
    statistics: Table
    groups: Table
    sweep: Table
    diagnostics: tuple[Fact, ...]
    limits: tuple[str, ...]
    notices: tuple[Notice, ...]
    settings: tuple[SettingSection, ...]
    fingerprints: tuple[Fact, ...]
    versions: tuple[Fact, ...]
    command: str
    files: tuple[FileRef, ...]
    terms: tuple[Term, ...]


def build(plan: AuditPlan, result: AuditResult) -> Report:
    """The report of ``result`` under the plan's reading."""
    numbers = collect(result, plan.reading)
    files = files_of(plan)
    headline = words.verdict_headline(result, plan.reading)
    explanation = numbers.sentence.removeprefix(f"{headline}: ")
    return Report(
        title=f"Individual fairness of {result.model.name}",
        verdict=numbers.verdict,
        headline=headline,
        explanation=explanation[:1].upper() + explanation[1:],
        reasons=numbers.of(plan.reading.statistic).reasons,
        tested=_tested(plan, result),
        similar=_similar(result),
        probes=_probes(result),
        statistics=_statistics(plan, numbers),
        groups=_groups(plan, numbers),
        sweep=_sweep(plan, next(s for s in numbers.sweeps if s.statistic == plan.reading.statistic)),
        diagnostics=_diagnostics(plan, result, numbers),
        limits=limits.limits(plan, result),
        notices=result.notices,
        settings=setting_sections(plan),
        fingerprints=_fingerprints(plan, result),
        versions=(
            *(Fact(name, version) for name, version in result.versions),
            Fact("Run time", f"{words.number(result.seconds)} seconds"),
        ),
        command=_command(files),
        files=files,
        terms=tuple(term for term in glossary() if term.symbol or term.topic == "verdict"),
    )


def _tested(plan: AuditPlan, result: AuditResult) -> tuple[Fact, ...]:
    data, model = result.data, result.model
    imputed = ", ".join(f"{words.count(cells, 'cell')} of {name}" for name, cells in data.cells_imputed)
    return (
        Fact("Model", f"{model.name} ({model.kind})"),
        Fact("Data", plan.data.title),
        Fact("Rows in the table", f"{data.rows_read:,}"),
        Fact("Left out for missing values", words.count(data.rows_left_out, "row")),
        Fact("Missing values filled in", imputed or "none"),
        Fact("Audited", words.count(data.rows_audited, "row")),
        Fact("Outcome", f"{data.outcome}; {data.favourable} is the favourable value"),
        Fact("Protected attributes", ", ".join(data.protected)),
        Fact(
            "Accuracy on the audited rows",
            f"{words.percent(round(model.accuracy, 3))}; always answering the most frequent outcome reaches "
            f"{words.percent(round(model.majority_share, 3))}",
        ),
        Fact("Balanced accuracy", words.percent(round(model.balanced_accuracy, 3))),
    )


def _similar(result: AuditResult) -> tuple[Fact, ...]:
    metric = result.metric
    learned = f"{words.count(metric.learned_on, 'row')}" if metric.learned_on else "declared, not learned"
    return (
        Fact("Fair metric", metric.name),
        Fact("Learned from", learned),
        Fact("Free directions", f"{len(metric.free)} of {len(metric.columns)} encoded columns"),
    )


def _probes(result: AuditResult) -> Table | None:
    if not result.metric.probes:
        return None
    rows = tuple(
        (
            probe.attribute,
            f"{probe.auc:.3f}",
            f"{probe.auc_low:.3f} to {probe.auc_high:.3f}",
            f"{probe.held_out.sum():,}",
        )
        for probe in result.metric.probes
    )
    header = ("Protected attribute", "Area under the curve", "95% interval", "Rows never seen")
    return Table("How well the features give each protected attribute away (0.5 is guessing)", header, rows)


def _statistics(plan: AuditPlan, numbers: Numbers) -> Table:
    confidence = words.percent(1 - plan.reading.alpha)
    first, second = numbers.statistics
    lines = (
        ("Verdict", *(found.verdict.value for found in numbers.statistics)),
        ("Estimate", *(words.number(found.estimate, _decimals(found)) for found in numbers.statistics)),
        (f"{confidence} interval, two-sided", *map(_interval_text, numbers.statistics)),
        (
            f"Lower bound, {confidence}, one-sided (T_n)",
            *(_bound(found, plan, upper=False) for found in (first, second)),
        ),
        (f"Upper bound, {confidence}, one-sided", *(_bound(found, plan, upper=True) for found in (first, second))),
        ("p-value", *(words.p_value(found.p_value, alpha=plan.reading.alpha) for found in numbers.statistics)),
        ("Standard error", *(words.number(found.standard_error) for found in numbers.statistics)),
        ("Rows n", *(f"{found.n:,}" for found in numbers.statistics)),
        (
            "Smallest ratio this many rows find four times in five",
            *(words.ratio(found.minimum_detectable, beside=plan.reading.delta) for found in numbers.statistics),
        ),
    )
    caption = f"Both tests at tolerance δ = {plan.reading.delta:g} and error rate α = {plan.reading.alpha:g}"
    return Table(caption, ("", "Loss ratio", "Error-rate ratio"), lines)


def _bound(found: StatisticNumbers, plan: AuditPlan, *, upper: bool) -> str:
    bound = found.upper_bound if upper else found.lower_bound
    return words.ratio(bound, beside=plan.reading.delta, decimals=_decimals(found))


def _decimals(found: StatisticNumbers) -> int | None:
    return words.precision(found.interval_low, found.interval_high)


def _interval_text(found: StatisticNumbers) -> str:
    if found.undefined:
        return words.number(found.estimate)
    return words.interval(found.interval_low, found.interval_high)


def _groups(plan: AuditPlan, numbers: Numbers) -> Table:
    confidence = words.percent(1 - plan.reading.alpha)
    caption = (
        f"{plan.reading.statistic.capitalize()} by group; all intervals hold together with {confidence} confidence"
    )
    header = ("Group", "Attribute", "Rows", "Estimate", "Interval", "Verdict")
    return Table(caption, header, tuple(_group(found) for found in numbers.groups))


def _group(found: GroupNumbers) -> tuple[str, ...]:
    head = (found.group, found.attribute, f"{found.n:,}")
    if found.estimate != found.estimate:
        return (*head, NOT_GIVEN, NOT_GIVEN, f"{found.verdict.value} (too few rows to judge)")
    return (
        *head,
        words.number(found.estimate),
        words.interval(found.low, found.high),
        found.verdict.value,
    )


def _sweep(plan: AuditPlan, sweep: SweepNumbers) -> Table:
    wanted = np.linspace(0, sweep.steps[-1], MOST_SWEEP_ROWS + 1)[1:]
    shown = np.unique(np.abs(np.array(sweep.steps)[:, None] - wanted).argmin(axis=0)).tolist()
    rows = tuple(
        (
            f"{sweep.steps[i]:,}",
            words.number(sweep.flow_time[i]),
            words.number(sweep.estimate[i]),
            words.ratio(sweep.lower_bound[i], beside=plan.reading.delta),
            words.ratio(sweep.upper_bound[i], beside=plan.reading.delta),
        )
        for i in shown
    )
    header = ("Steps T", "Flow time τ", "Estimate", "Lower bound", "Upper bound")
    return Table(f"{plan.reading.statistic.capitalize()} had the search stopped earlier", header, rows)


def _diagnostics(plan: AuditPlan, result: AuditResult, numbers: Numbers) -> tuple[Fact, ...]:
    found = numbers.diagnostics
    largest = words.count(found.top_rows, "row with the largest ratio", "rows with the largest ratios")
    carried = f"{words.percent(round(found.top_share, 4))} by {largest}"
    doubt = "doubtful" if found.tail_doubtful else "no cause for doubt"
    moved = found.halving_lower_bound - found.halving_lower_bound_halved
    unused = "" if plan.audit.integrator == "euler" else "; the exponential integrator does not depend on it"
    return (
        Fact("Share of the average loss ratio carried", carried),
        Fact("Tail of the loss ratios (Hill estimate)", words.number(found.tail_index)),
        Fact("Normal approximation of the loss ratio", doubt),
        Fact(
            f"Bootstrap-t {words.percent(1 - plan.reading.alpha)} interval of the loss ratio",
            words.interval(found.bootstrap_t_low, found.bootstrap_t_high),
        ),
        Fact(
            "Rows lifted to the smallest loss c",
            f"{found.floored_start:,} before the search, {found.floored_end:,} after it",
        ),
        Fact("Rows in which the search lost ground", f"{found.lost_ground:,}"),
        Fact(
            "Halving the step size",
            f"moves the lower bound by {words.number(moved)} on {words.count(found.halving_rows, 'row')}",
        ),
        Fact("Stability number κ", f"{words.number(found.stability)} (unstable from 2 on{unused})"),
        Fact("Metrics learned from resampled rows", words.resampled(result, plan.reading)),
        Fact("Gradient evaluations per row", f"{found.gradient_evaluations:,}"),
    )


def _fingerprints(plan: AuditPlan, result: AuditResult) -> tuple[Fact, ...]:
    return (
        Fact("Rows and roles", result.data.fingerprint),
        Fact("Model", result.model.fingerprint),
        Fact("Everything that decides the result", plan.result_fingerprint),
        *(Fact(f"File {ref.name}", ref.sha256) for ref in files_of(plan)),
        Fact("Seed", str(result.seed)),
    )


def _command(files: tuple[FileRef, ...]) -> str:
    given = " ".join(f"--file FILE_{number}" for number in range(1, len(files) + 1))
    return f"python -m core run record.json --out repeated {given}".strip()
