"""What the sensitivity audit of columns assumes and what it cannot say, in plain words."""

from core.audits.column_sensitivity.reading import ColumnSensitivityReading
from core.plan import AuditPlan
from core.result import ColumnSensitivityResult
from core.words import percent


def limits(plan: AuditPlan, result: ColumnSensitivityResult, reading: ColumnSensitivityReading) -> tuple[str, ...]:
    """One plain sentence or two for each limit that applies to this audit."""
    carried = (
        (
            "Features that carry the attribute were shifted by the mean difference between the groups, the same for "
            "everybody. A difference need not come from the group itself, and need not be the same for all people; "
            "which differences should not count was chosen by the auditor.",
            "A shifted person need not exist: a feature may leave the range it has in the table.",
        )
        if result.detail.through
        else ()
    )
    several = (
        (
            "The verdict is about one protected attribute. Going through several until one gives the wanted verdict "
            "makes errors more frequent than stated; the table of attributes holds p-values adjusted for that.",
        )
        if len(result.detail.attributes) > 1
        else ()
    )
    return (
        "Only the columns named here were changed. A model may lean on others that go with a group, and this audit "
        "does not see it.",
        *carried,
        "The slope says how fast the answer begins to move, not how far it moves: a model may be flat where people "
        "stand and jump between the groups, or begin steeply and level off.",
        "The audited rows are taken to be an independent sample of the people the model is used on, and the model to "
        "have been trained on other rows. If either fails, the stated confidence does not hold.",
        f"The tolerance of {percent(reading.delta)} of the answer's probability was chosen by the reader; no law or "
        "standard sets it.",
        *several,
        f"An error rate of {reading.alpha:g} is meant for one test read once. Trying measures and tolerances until one "
        "gives the wanted verdict makes errors more frequent than stated.",
    )
