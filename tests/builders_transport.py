"""A synthetic transport test with the shape of a real one: deterministic, run through the real engine on a small table.

The table imitates the one of the paper's section 5.1: people with a known outcome, whose score also looks at race and
sex.
"""

from typing import Any, Literal, cast

import numpy as np
import pandas as pd

from core.audits.transport.decision import TransportDecision
from core.audits.transport.result import TransportResult
from core.audits.transport.settings import ByMetric, CellColumn, DifferOnlyIn, Transport
from core.base.files import FileStore
from core.data.dataset import Dataset, Roles
from core.metrics import Expert
from core.models import PredictionColumns
from core.plan import AuditPlan
from core.run import run_audit
from core.sources import Hiring
from tests.builders import HOSTILE
from tests.made_once import made_once

GROUPS = {
    "few": (("Black", "White"), ("Female", "Male")),
    "many": (("Asian", "Black", "Hispanic", "Native American", "White"), ("Female", "Male", "Not stated")),
    "hostile": (("<script>Black</script>", "$W$ *hite* :red[x]"), ("[Female](http://evil.example)", "=Male")),
}
NAMES = ("age", "priors", "charge", "race", "sex", "reoffended")
HOSTILE_NAMES = (*HOSTILE[:3], "<img src=x onerror=alert(1)>", "`sex` $s$", HOSTILE[3])


@made_once
def make_transport_result(
    *,
    rows: int = 1500,
    bias: float = 1.0,
    similarity: Literal["groups", "metric"] = "groups",
    groups: Literal["few", "many"] = "few",
    labels: Literal[2, 3] = 2,
    decisions: bool = False,
    mixed: bool = False,
    fine: bool = False,
    hostile: bool = False,
    draws: int = 400,
    seed: int = 0,
    **settings: Any,
) -> TransportResult:
    """A whole result.

    Args:
        rows: Audited people n.
        bias: How much the score looks at race and sex; 1 is a violation at delta = 0.0365, 0 is none.
        similarity: People may differ in race and sex only (costs 0 or forbidden), or in the rest too at a metric's
            cost, so that the budget counts.
        groups: Four protected groups, or fifteen.
        labels: Outcomes; three have decisions only.
        decisions: The model gives decisions, no probabilities, so there is the 0-1 loss only.
        mixed: The score reads age and priors more finely than the cells tell people apart.
        fine: Every age and number of priors is a kind of its own.
        hostile: Column names, groups and outcomes that are markup.
        draws: Bootstrap draws B.
        seed: Seed of the synthetic people.
        settings: Other settings of the audit.
    """
    names = HOSTILE_NAMES if hostile else NAMES
    frame, roles = make_people(
        rows, bias=bias, groups="hostile" if hostile else groups, labels=labels, mixed=mixed, names=names, seed=seed
    )
    dataset = Dataset.build(frame, roles)
    holds: Literal["labels", "probability"] = "labels" if decisions or labels == 3 else "probability"
    column = roles.predictions[0] if holds == "labels" else roles.predictions[1]
    model = PredictionColumns(columns=(column,), holds=holds).load(FileStore(), dataset)
    audit = make_transport_settings(similarity=similarity, fine=fine, names=names, draws=draws, **settings)
    return cast(TransportResult, run_audit(model, dataset, audit, seed=seed))


def make_transport_settings(
    *,
    similarity: Literal["groups", "metric"] = "groups",
    metric: Expert | None = None,
    fine: bool = False,
    names: tuple[str, ...] = NAMES,
    draws: int = 400,
    **settings: Any,
) -> Transport:
    """The settings of :func:`make_transport_result`; a metric of its own if there is one."""
    return Transport(
        similarity=DifferOnlyIn()
        if similarity == "groups"
        else ByMetric(metric=metric or Expert(free=(names[3], names[4]), weights=((names[2], 0.3),))),
        columns=(
            CellColumn(name=names[0], edges=() if fine else (25.0, 45.0)),
            CellColumn(name=names[1], edges=() if fine else (1.0, 4.0)),
            *(CellColumn(name=name) for name in names[2:5]),
        ),
        draws=draws,
        **settings,
    )


def make_transport_plan(**changes: Any) -> AuditPlan:
    """A plan that could have given :func:`make_transport_result`; ``changes`` replace its fields."""
    plan = AuditPlan(
        data=Hiring(),
        roles=make_people(30, names=NAMES)[1],
        model=PredictionColumns(columns=("risk",), holds="probability"),
        audit=make_transport_settings(),
        seed=0,
        decision=TransportDecision(),
    )
    return plan.model_copy(update=changes)


def make_people(
    rows: int,
    *,
    bias: float = 1.0,
    groups: Literal["few", "many", "hostile"] = "few",
    labels: Literal[2, 3] = 2,
    mixed: bool = False,
    names: tuple[str, ...] = NAMES,
    seed: int = 0,
) -> tuple[pd.DataFrame, Roles]:
    """The table and its roles; "decision" and "risk" are the model's answers, "risk" that of the good one."""
    rng = np.random.default_rng(seed)
    races, sexes = GROUPS[groups]
    race, sex = rng.integers(len(races), size=rows), rng.integers(len(sexes), size=rows)
    age = np.clip(18 + rng.gamma(2.0, 9.0, rows), 18, 75).astype(int)
    priors = np.minimum(rng.negative_binomial(1, 0.3, rows), 15)
    felony = rng.random(rows) < 0.6
    step = np.select([age < 25, age < 45], [0.75, 0.05], -0.85) + np.select(
        [priors < 1, priors < 4], [-0.75, 0.15], 1.1
    )
    fine = 1.1 - 0.045 * (age - 18) + 0.25 * (priors - 2.5)
    merit = (fine if mixed else step) + 0.45 * felony - 0.35
    values = ["no", "yes"] if labels == 2 else ["no", "perhaps", "yes"]
    if groups == "hostile":
        values = ["<b>no</b>", "$yes$ *or* <img src=x>"]
    truth = merit + rng.logistic(size=rows)
    answer = merit + bias * (0.35 * (race == len(races) // 2 - 1) + 0.22 * (sex == 1) - 0.25)
    cuts = [0.0] if labels == 2 else [-0.6, 0.6]
    frame = pd.DataFrame(
        {
            names[0]: age,
            names[1]: priors,
            names[2]: np.where(felony, "felony", "misdemeanour"),
            names[3]: np.array(races)[race],
            names[4]: np.array(sexes)[sex],
            names[5]: np.array(values)[np.digitize(truth, cuts)],
            "decision": np.array(values)[np.digitize(answer, cuts)],
            "risk": 1 / (1 + np.exp(answer)),
        }
    )
    return frame, Roles(
        outcome=names[5],
        favourable=values[0],
        protected=names[3:5],
        features=names[:5],
        predictions=("decision", "risk"),
    )
