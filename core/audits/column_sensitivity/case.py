"""The group whose people's answers move most in another group, told beside the verdict."""

import numpy as np

from core.audits.column_sensitivity.verdict import ColumnSensitivityFinding
from core.base.tables import Case
from core.base.thresholds import FEWEST_ROWS
from core.language.phrases import count, percent, points, whole
from core.language.told import say


def case(finding: ColumnSensitivityFinding) -> Case | None:
    """The group of the attribute shown whose answers change most; None where no group is large enough."""
    one = finding.scores
    means = {
        group: float(one.change[one.codes == g].mean())
        for g, group in enumerate(one.groups)
        if np.count_nonzero(one.codes == g) >= FEWEST_ROWS
    }
    if not means:
        return None
    group = max(means, key=means.__getitem__)
    flips = one.flips_of(one.groups.index(group))
    told = say(
        "{people} with {attribute} = {group}: were each of them of another group and otherwise the same, the "
        "model's answer would move by {mean} percentage points on average, and {count} of them "
        "({share}) would be decided otherwise.",
        people=count(flips.n, "person", "people"),
        attribute=one.attribute,
        group=group,
        mean=points(means[group]),
        count=whole(flips.count),
        share=percent(round(flips.value, 3)),
    )
    return Case(say("The group whose answers depend most on it"), told)
