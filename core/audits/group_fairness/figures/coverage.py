"""Prediction sets of each group: how many outcomes they cover, and their size (papers/fair-dummies.md, Fig. 5)."""

import math
from collections.abc import Callable

from core.audits.group_fairness.conformal import GroupSets
from core.audits.group_fairness.verdict import GroupFairnessFinding
from core.audits.group_fairness.wording_coverage import calibrated, covered_text, size_name, size_text
from core.audits.group_fairness.wording_groups import too_small
from core.base.thresholds import FEWEST_ROWS
from core.data.labels import condition
from core.figures import interval_rows, theme
from core.figures.chart import Drawing
from core.figures.interval_rows import Axis, Line, Row
from core.language.phrases import count, percent
from core.language.told import say

_MARKS = {False: (theme.BLUE, "diamond"), True: (theme.GREY, "circle-open")}
"""Sets calibrated in each group, and for everybody together."""


def applies(finding: GroupFairnessFinding) -> bool:
    """Whether there are prediction sets of anybody."""
    sets = finding.shown_sets
    return sets is not None and len(sets.codes) > 0


def applies_sizes(finding: GroupFairnessFinding) -> bool:
    """Whether any group has sets with a size."""
    sets = finding.shown_sets
    if sets is None:
        return False
    enough = sets.rows >= FEWEST_ROWS
    return any(enough[g] and sets.bounded(g, common=common) for g in range(len(sets.groups)) for common in _MARKS)


def draw(finding: GroupFairnessFinding) -> Drawing:
    """Share of people whose outcome is in their set, both ways of calibrating below each group, beside the target."""
    sets = finding.result.detail.coverage[finding.place]
    target = 100 * sets.level
    drawn = _rows(
        finding,
        lambda one, g, common: covered_text(sets, one, g, common=common),
        lambda one, g: (100 * one.covered[g], 100 * one.covered_low[g], 100 * one.covered_high[g]),
    )
    return interval_rows.draw(
        drawn,
        Axis(
            say("outcomes that are in the set, in %"),
            [Line(target, say("asked for: {share}", share=percent(sets.level)))],
        ),
        what=say(
            "Share of people whose outcome is in their prediction set, by group of {attribute}; {level} was asked for.",
            attribute=sets.attribute,
            level=percent(sets.level),
        ),
    )


def draw_sizes(finding: GroupFairnessFinding) -> Drawing:
    """Mean size of the sets, both ways of calibrating below each group."""
    sets, name = finding.result.detail.coverage[finding.place], size_name(finding.result.detail)
    drawn = _rows(
        finding,
        lambda one, g, common: size_text(sets, one, g, common=common),
        lambda one, g: (one.size[g], one.size_low[g], one.size_high[g]),
    )
    what = say("Prediction sets by {attribute}: {what}.", attribute=sets.attribute, what=name)
    return interval_rows.draw(drawn, Axis(name, [Line(0.0, "")]), what=what)


def _rows(
    finding: GroupFairnessFinding,
    words: Callable[[GroupSets, int, bool], str],
    ends: Callable[[GroupSets, int], tuple[float, float, float]],
) -> list[Row]:
    """Every group with each way of calibrating below its name; what a group too small would show is only told."""
    sets, drawn = finding.result.detail.coverage[finding.place], []
    for g, group in enumerate(condition(sets.attribute, value) for value in sets.groups):
        rows = int(sets.rows[g])
        people, enough = count(rows, "person", "people"), rows >= FEWEST_ROWS
        of_each = []
        for common, (colour, symbol) in _MARKS.items():
            one = finding.sets(finding.place, common=common)
            said = f"{calibrated(common=common)}: {words(one, g, common)}"
            shown = ends(one, g) if sets.bounded(g, common=common) else (math.nan,) * 3
            value, low, high = map(float, shown)
            of_each.append(Row(said, said, value, low, high, f"{group}, {said}", colour, symbol))
        head = f"<b>{theme.literal(group, theme.LONGEST_NAME)}</b>"
        if enough:
            drawn += [Row(f"{head}, {people}"), *of_each]
        else:
            alt = "; ".join(row.alt for row in of_each)
            drawn.append(Row(f"{head}: {too_small(rows)}", alt=alt))
    return drawn
