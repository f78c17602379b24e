"""What a reader of a comparison has to know."""

from collections.abc import Iterator

import numpy as np

from core.base.errors import Caveat
from core.base.thresholds import FEWEST_ROWS
from core.data.attribute import Attribute
from core.language.phrases import count, listed, quoted
from core.language.told import say
from core.workflows.mitigation.result import TriedModel
from core.workflows.mitigation.settings import OF_GROUPS, MitigationPlan, name_of_method, name_of_model


def findings(
    plan: MitigationPlan, attribute: Attribute, rows: np.ndarray, fits: tuple[TriedModel, ...]
) -> Iterator[Caveat]:
    """Caveats about the comparison.

    Args:
        plan: What was run.
        attribute: The protected attribute.
        rows: People in each part, everybody and each group, shape (3, 1 + g).
        fits: The baseline, then the fairer ones.
    """
    counts = zip(attribute.groups, rows[2, 1:], strict=True)
    small = [f"{name} ({people})" for name, people in counts if people < FEWEST_ROWS]
    if small:
        yield Caveat(
            "serious",
            say(
                "Insufficient evidence about {groups} with fewer than {fewest} people in the test part: {names}.",
                groups=count(len(small), "group"),
                fewest=FEWEST_ROWS,
                names=", ".join(small[:5]),
            ),
            say("Bring more rows, or merge small groups."),
        )
    constant = [name_of_model(fit.method, fit.strength) for fit in fits if fit.constant and not fit.is_baseline]
    if constant:
        yield Caveat(
            "serious",
            say(
                "Everybody gets the same answer from the models with {strengths}: that is equal treatment because "
                "nothing is told apart.",
                strengths=", ".join(constant),
            ),
            say("Choose a smaller λ."),
        )
    if plan.roles.belongs_to:
        yield Caveat(
            "info",
            say(
                "Of the rows of each {belongs_to}, one counts where models are tried, drawn at random, since "
                "rows that belong together are not independent.",
                belongs_to=quoted(plan.roles.belongs_to),
            ),
        )
    if plan.protected in plan.roles.features:
        yield Caveat(
            "warning",
            say(
                "The models read the protected attribute {protected}, which is a feature too.",
                protected=repr(plan.protected),
            ),
        )
    else:
        yield Caveat(
            "info",
            say(
                "No model here reads {protected}, the baseline included: a model that does may differ from it.",
                protected=repr(plan.protected),
            ),
        )
    binned = [name_of_method(method.kind) for method in plan.methods if isinstance(method, OF_GROUPS)]
    if attribute.continuous and binned:
        yield Caveat(
            "info",
            say(
                "{protected} is a number. {methods}: fitted to {groups} bins of it. The test and other methods look at "
                "the number itself.",
                protected=repr(plan.protected),
                methods=listed(binned),
                groups=len(attribute.groups),
            ),
        )
    if any(fit.method == "reductions" for fit in fits) and plan.roles.outcome_type == "number":
        yield Caveat(
            "warning",
            say(
                "For numbers, reductions keep the error of every group below a bound. That is not equalized "
                "odds, and the test need not find it."
            ),
            say("Choose fair dummies where equalized odds is wanted."),
        )
    yield Caveat(
        "info",
        say(
            "All models were tried on the same rows. Whoever chooses one by these numbers should audit it on "
            "others: a large p-value shows no fairness, and the largest of several is large by luck as well."
        ),
    )
