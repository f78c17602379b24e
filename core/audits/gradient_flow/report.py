"""The gradient-flow test in facts and tables, and what it assumes and cannot say."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from core.audits.gradient_flow.decision import heading_of, name_of
from core.audits.gradient_flow.estimates import Sweep
from core.audits.gradient_flow.pair import Change, answers, columns, has_twin, told
from core.audits.gradient_flow.settings import GradientFlow
from core.audits.gradient_flow.verdict import GradientFlowFinding
from core.audits.gradient_flow.wording import may_differ, under_other_metrics
from core.base.settings import name_of_choice
from core.base.tables import Case, Fact, Table
from core.caveats.assumptions import chosen_tolerance, independent_rows, read_once
from core.claims_shown import at_tolerance, each, lines_of
from core.claims_told import MOST_TIMES
from core.contracts.metric import AbstractLearnedMetric
from core.language.phrases import count, interval, number, p_value, percent, ratio, whole
from core.language.told import localized, retold, say
from core.metrics.extent import extent

EVIDENCE = {
    "comparable_pairs": say("Squared differences of pairs over those of random pairs, by direction (free from 0.5 on)"),
    "protected_status": say("Response that two networks share over what chance reaches, by direction"),
}
"""What the numbers that decide which directions are free are called, by the kind of metric."""

MOST_RATIOS = 6
MOST_SWEEP_ROWS = 12
"""Stopping times in the table, about evenly spaced; the record holds all of them."""


_MOST = 5
"""Columns told, those that changed most first."""


def similar(finding: GradientFlowFinding) -> tuple[Fact, ...]:
    """The fair metric and where it comes from."""
    metric = finding.result.metric
    learned = count(metric.learned_on, "row") if metric.learned_on else say("declared, not learned")
    return (
        Fact(say("Similar"), _similar(finding)),
        Fact(say("Fair metric"), retold(metric.name)),
        Fact(say("Learned from"), learned),
        Fact(
            say("Free directions"),
            say("{free} of {columns} encoded columns", free=len(metric.free), columns=len(metric.columns)),
        ),
        *_evidence(finding),
    )


def _similar(finding: GradientFlowFinding) -> str:
    """Who counts as similar, and who could exist, in a phrase."""
    if finding.detail.people is None:
        return _alike(finding)
    return say(
        "{people}; beside {some} of {n} people one was looked for who could exist, made up of values that go together "
        "in the table",
        people=_alike(finding),
        some=whole(finding.detail.people.number),
        n=whole(finding.n),
    )


def _alike(finding: GradientFlowFinding) -> str:
    if what := may_differ(finding):
        return say("people who differ mainly in {what}", what=what)
    return say("people between whom the fair metric sees little difference")


def _evidence(finding: GradientFlowFinding) -> tuple[Fact, ...]:
    """How strongly the rows speak for each direction that could be free, where they decide how many are."""
    metric, settings = finding.result.metric, finding.result.audit.metric
    meant = EVIDENCE.get(settings.kind)
    if meant is None or not len(metric.spectrum):
        return ()
    ratios = ", ".join(number(float(value)) for value in metric.spectrum[:MOST_RATIOS])
    return (Fact(retold(meant), ratios),)


def statistics(finding: GradientFlowFinding) -> Table:
    """Both statistics, a quantity a row."""
    delta, alpha, both = finding.decision.delta, finding.decision.alpha, finding.both
    claims = finding.parts["intervals"]
    known: dict[str, Any] = {"alpha": alpha, "rows": say("Rows"), "estimate": say("Estimate")}
    columns = [lines_of(claim, one.verdict, **known) for claim, one in zip(claims, both, strict=False)]
    for lines, one, adjusted in zip(columns, both, finding.adjusted, strict=True):
        lines[say("p-value, adjusted for both statistics (Holm)")] = p_value(adjusted, alpha=alpha)
        lines[say("Standard error")] = number(one.evidence.standard_error)
        smallest = say("Smallest ratio this many rows find four times in five")
        least = one.minimum_detectable
        lines[smallest] = (
            ratio(least, beside=delta) if least <= MOST_TIMES else say("none up to {most}", most=MOST_TIMES)
        )
    if (people := finding.detail.people) is not None:
        own, found = people.mistakes(), people.mistakes_found()
        for lines in columns:
            name = say("Misjudged of {some} tried, themselves and as the person found", some=whole(people.number))
            lines[name] = say("{own} and {found}", own=whole(own), found=whole(found))
    for lines, alone in zip(columns, finding.searched, strict=False):
        of_search = lines_of(alone, alone.verdict, **known)
        for name in list(of_search)[1:5]:
            lines[say("{number}, {how}", number=name, how=alone.who)] = of_search[name]
    caption = at_tolerance(say("Both statistics"), localized(f"{delta:g}"), alpha)
    heads = ("", *(heading_of(one.decision.statistic) for one in both))
    return Table(caption, heads, tuple((name, *(lines[name] for lines in columns)) for name in columns[0]))


def _given(told: str, finding: GradientFlowFinding) -> str:
    """Bounds that take a learned metric for the right one, said to do so, for those of the result are wider."""
    if finding.detail.relearned is None:
        return told
    return say("{interval}, given exactly this metric", interval=told)


def tables(finding: GradientFlowFinding) -> dict[str, Table]:
    """Groups and shorter searches."""
    caption = say(
        "{statistic} by group; all intervals hold together with {confidence} confidence",
        statistic=heading_of(finding.decision.statistic),
        confidence=percent(1 - finding.decision.alpha),
    )
    groups = each(finding.parts["groups"], alpha=finding.decision.alpha, rows=say("Rows"), caption=caption)
    return {"groups": groups, "sweep": _shorter(finding), **_varied(finding)}


def _varied(finding: GradientFlowFinding) -> dict[str, Table]:
    """What other values of single settings find, below their charts."""
    return {
        one.setting: each(
            finding.parts[one.setting],
            alpha=finding.decision.alpha,
            rows=say("Rows"),
            caption=say(
                "{statistic} under other values of one setting, on {rows}; each interval by itself",
                statistic=heading_of(finding.decision.statistic),
                rows=count(one.rows, "row"),
            ),
        )
        for one in finding.detail.repeated
    }


def diagnostics(finding: GradientFlowFinding) -> tuple[Fact, ...]:
    """The tail of the ratios, the steps of the search, and other metrics."""
    found = finding.checks
    largest = count(found.top_rows, "row with the largest ratio", "rows with the largest ratios")
    carried = say("{top_share} by {largest}", top_share=percent(round(found.top_share, 4)), largest=largest)
    doubt = say("doubtful") if found.tail_doubtful else say("no cause for doubt")
    moved = found.halving_lower_bound - found.halving_lower_bound_halved
    stability = number(found.stability)
    stable = (
        say("{stability} (unstable from 2 on)", stability=stability)
        if found.integrator == "euler"
        else say(
            "{stability} (unstable from 2 on; the exponential integrator does not depend on it)", stability=stability
        )
    )
    return (
        Fact(say("Share of the average loss ratio carried"), carried),
        Fact(say("Tail of the loss ratios (Hill estimate)"), number(found.tail_index)),
        Fact(say("Normal approximation of the loss ratio"), doubt),
        Fact(
            say("Bootstrap-t {alpha} interval of the loss ratio", alpha=percent(1 - finding.decision.alpha)),
            _given(interval(found.bootstrap_t_low, found.bootstrap_t_high), finding),
        ),
        Fact(
            say("Rows lifted to the smallest loss c"),
            say(
                "{floored_start} before the search, {floored_end} after it",
                floored_start=whole(found.floored_start),
                floored_end=whole(found.floored_end),
            ),
        ),
        Fact(say("Rows in which the search lost ground"), whole(found.lost_ground)),
        Fact(
            say("Halving the step size"),
            say(
                "moves the lower bound by {moved} on {halving_rows}, and loss ratios by {apart} on average",
                moved=number(moved),
                halving_rows=count(found.halving_rows, "row"),
                apart=percent(round(found.halving_apart, 4)),
            ),
        ),
        Fact(say("Stability number κ"), stable),
        Fact(say("Steps taken"), _steps(finding)),
        Fact(say("Metrics learned again from half of the rows"), under_other_metrics(finding)),
        Fact(say("Gradient evaluations per row"), whole(found.gradient_evaluations)),
    )


def _steps(finding: GradientFlowFinding) -> str:
    """How many steps were taken, and how each was computed."""
    found = finding.checks
    how = name_of_choice(GradientFlow, "integrator", found.integrator)
    if finding.detail.halving.times == 1:
        return say("{steps}: {how}", steps=whole(found.steps_taken), how=how)
    return say(
        "{steps}, {times} for each step asked for: {how}",
        steps=whole(found.steps_taken),
        times=whole(finding.detail.halving.times),
        how=how,
    )


def assumptions(finding: GradientFlowFinding) -> tuple[str, ...]:
    """One plain sentence or two for each limit that applies to this audit."""
    return (
        say(
            "The verdict holds for one definition of similar. Another fair metric is another question and "
            "may have another answer."
        ),
        say(
            "The search looks for similar people who are misjudged more; it need not find the worst. What it "
            "reports it has found, but a longer search may find more."
        ),
        independent_rows(finding.result.data.independent),
        _independence(finding),
        *_freed(finding),
        say(
            "The interval treats the average of the ratios as normally distributed. With many rows that is "
            "right; where a few rows carry much of the average it is doubtful. The diagnostics say which is "
            "the case here."
        ),
        chosen_tolerance(localized(f"{finding.decision.delta:g}"), finding.decision),
        say("The customary 1.25 is a screening convention derived from the four-fifths rule, not a legal threshold."),
        read_once(finding.decision.alpha, say("settings")),
        *_possible(finding),
        say(
            "A ratio compares losses: how far the model is from the recorded outcome. If the outcomes were "
            "themselves recorded with prejudice, this test does not see it."
        ),
    )


def _possible(finding: GradientFlowFinding) -> tuple[str, ...]:
    """How many possible people the verdict rests on, and where they were looked for."""
    people = finding.detail.people
    if people is None:
        return (say("The verdict rests on the search itself, whose ends are points to which no text belongs."),)
    return (
        say(
            "The search ends at points between people. Near those of {rows}, evenly spaced, the most misjudged person "
            "was looked for who could exist: each value occurs, none of them are never found together, and to the fair "
            "metric nobody real whom it tells apart is nearer. They show a violation by themselves; that there is none "
            "has to be shown by the search, too.",
            rows=count(people.number, "row"),
        ),
    )


def _independence(finding: GradientFlowFinding) -> str:
    """Whether the metric depends on the audited rows, and what that means for the stated confidence."""
    metric = finding.result.audit.metric
    if metric.learns_from_rows and not isinstance(metric, AbstractLearnedMetric):
        return say(
            "The fair metric was learned from pairs of people whom the settings call comparable. What else differs "
            "within a pair is taken for chance of the kind there is between any two people; so far as it is of "
            "another kind, the learned directions are off, however many pairs there are. {metric_error}",
            metric_error=_metric_error(finding),
        )
    if not isinstance(metric, AbstractLearnedMetric):
        return say(
            "The fair metric was declared or given with the settings, not learned from the audited rows at random."
        )
    if metric.learn_on == "audited rows":
        return say(
            "The fair metric was learned on the audited rows themselves, as in the paper. The theory asks "
            "for a metric that does not depend on them, so the stated confidence is approximate. {metric_error}",
            metric_error=_metric_error(finding),
        )
    return say(
        "The fair metric was learned from {rows} rows that were not audited. {metric_error}",
        rows=whole(finding.result.metric.learned_on),
        metric_error=_metric_error(finding),
    )


def _freed(finding: GradientFlowFinding) -> tuple[str, ...]:
    """How much a learned metric frees beside how much it may; nothing for a declared one."""
    result = finding.result
    if not result.metric.learned_on:
        return ()
    return (extent(result.metric, result.model.encoder, result.data.protected).told,)


def _metric_error(finding: GradientFlowFinding) -> str:
    """What the interval says of the error of a learned metric."""
    values = [one.value for one in finding.relearned_estimates]
    if not values:
        return say(
            "Other rows would have taught another, and by how much the result would then differ was not "
            "tried: all numbers are given exactly this metric, and no verdict is claimed."
        )
    return say(
        "Other rows would have taught another. It was learned again {times}, each time from half of "
        "these rows, and the {statistic} ran from {lowest} to {highest}. The interval and the verdict "
        "include this: they are wider than they would be were it known who counts as similar. How many "
        "directions may differ freely was decided once.",
        times=count(len(values), "time"),
        statistic=name_of(finding.decision.statistic),
        lowest=number(min(values)),
        highest=number(max(values)),
    )


def _shorter(finding: GradientFlowFinding) -> Table:
    sweep, delta = finding.sweep, finding.decision.delta
    rows = tuple(
        (
            whole(sweep.steps[i]),
            number(sweep.flow_time[i]),
            number(sweep.estimate[i]),
            ratio(sweep.lower_bound[i], beside=delta),
            ratio(sweep.upper_bound[i], beside=delta),
        )
        for i in _evenly_spaced(sweep)
    )
    header = (say("Steps T"), say("Flow time τ"), say("Estimate"), say("Lower bound"), say("Upper bound"))
    caption = say("{statistic} had the search stopped earlier", statistic=heading_of(finding.decision.statistic))
    return Table(caption, header, rows)


def _evenly_spaced(sweep: Sweep) -> list[int]:
    """Positions of the stopping times to show."""
    wanted = np.linspace(0, sweep.steps[-1], MOST_SWEEP_ROWS + 1)[1:]
    shown: list[int] = np.unique(np.abs(np.array(sweep.steps)[:, None] - wanted).argmin(axis=0)).tolist()
    return shown


def _changed(changed: Sequence[Change]) -> Iterator[tuple[str, ...]]:
    """The columns in which a twin differs, a row each; of many the first, and how many more there are."""
    more = len(changed) - _MOST
    told = changed if more == 1 else changed[:_MOST]
    yield from ((one.column, one.before, one.after, one.real) for one in told)
    if more > 1:
        yield say("{n} more columns", n=whole(more)), "", say("differ"), ""


def case(finding: GradientFlowFinding) -> Case | None:
    """The first of the pairs at the length of the search that is read; None where none was kept."""
    result, index = finding.result, finding.index
    pairs = result.detail.pairs
    if not len(pairs.rows):
        return None
    i = pairs.ranked(index, result.data.favourable)[0]
    whose: dict[str, Any] = {"personal": True, "record": int(pairs.rows[i]) + 1}
    if result.model.encoder.is_embedding:
        return Case(say("A text for which the search found much"), told(result, index, i), **whose)
    if not has_twin(pairs, index, i):
        return Case(say("A person for whom the search found much"), told(result, index, i), **whose)
    changed = [one for one in columns(result, index, i) if one.changed]
    real = say("Nearest real person (row {record})", record=whole(int(pairs.real_rows[index, i]) + 1))
    beside = Table(
        say("The loss is 0 where the model is sure of what is recorded of the person, and 0.69 at even odds."),
        (say("Column"), say("Person"), say("Possible twin"), real),
        (
            *_changed(changed),
            *answers(result, index, i),
        ),
    )
    return Case(say("A person, and a similar one misjudged more"), told(result, index, i), beside, **whose)
