"""The group whose people's answers move most in another group, told beside the verdict."""

import numpy as np

from core.audits.column_sensitivity.verdict import ColumnSensitivityFinding
from core.case import Case
from core.phrases import count, percent, points
from core.thresholds import FEWEST_ROWS


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
    told = (
        f"{count(flips.n, 'person', 'people')} with {one.attribute} = {group}: were each of them of another group and "
        f"otherwise the same, the model's answer would move by {points(means[group])} percentage points on average, "
        f"and {flips.count:,} of them ({percent(round(flips.value, 3))}) would be decided otherwise."
    )
    return Case("The group whose answers depend most on it", told)
