"""Fair-dummies audits of simulated people: numbers, four classes and two, with as much of a violation as asked for."""

from dataclasses import dataclass
from typing import Any, Literal, cast

import numpy as np
import pandas as pd

from core.audits.equalized_odds import gap
from core.audits.equalized_odds.decision import EqualizedOddsDecision
from core.audits.equalized_odds.result import EqualizedOddsResult
from core.audits.equalized_odds.settings import Asks, EqualizedOdds
from core.audits.group_fairness.decision import GroupFairnessDecision
from core.audits.group_fairness.result import GroupFairnessResult
from core.audits.group_fairness.settings import GroupFairness
from core.base.files import FileRef, FileStore
from core.data.dataset import Dataset, Roles
from core.models.predictions import PredictionColumns
from core.plan import AuditPlan
from core.result import AuditResult
from core.run import run_audit
from core.sources.upload.uploaded import UploadedTable
from tests.builders import HOSTILE
from tests.made_once import made_once

Case = Literal["numbers", "four classes", "two classes"]
CASES: tuple[Case, ...] = ("numbers", "four classes", "two classes")
CLASSES: dict[Case, tuple[str, ...]] = {
    "numbers": (),
    "four classes": ("deny", "waiting list", "priority", "admit"),
    "two classes": ("no", "yes"),
}
SEXES = ("Female", "Male")
RACES = ("Asian", "Black", "White")


@dataclass(frozen=True)
class People:
    """A table of simulated people with a model's answers, its roles and where the answers lie."""

    frame: pd.DataFrame
    roles: Roles
    model: PredictionColumns


def make_people(
    case: Case = "numbers",
    *,
    violation: float = 1.0,
    rows: int = 1_500,
    attributes: int = 2,
    small: bool = False,
    continuous: bool = False,
    hostile: bool = False,
    untested: bool = False,
    seed: int = 0,
) -> People:
    """People and answers.

    Args:
        case: What the answers are: numbers, or probabilities of four or two classes.
        violation: How much worse women's answers are, in standard deviations of the answers' noise; 0 for none.
        rows: People n.
        attributes: Protected attributes, sex, or sex and race; race makes no difference.
        small: Whether twelve people are all there are of the first race.
        continuous: Whether age, a number, is a protected attribute too; it makes no difference.
        untested: Whether race follows from the outcome, a class, so that it cannot be tested.
        hostile: Columns, groups and classes that are markup.
        seed: Seed of the numbers.
    """
    rng = np.random.default_rng(seed)
    names = HOSTILE[:3] if hostile else ("sex", "race", "age")
    sexes = ("<i>Female</i>", "$M$ale") if hostile else SEXES
    classes = ("<i>deny</i>", "$M$", ":red[x]", "`admit`")[: len(CLASSES[case])] if hostile else CLASSES[case]
    women = rng.integers(2, size=rows) == 0
    race = rng.integers(1, 3, rows) if small else rng.integers(3, size=rows)
    if small:
        race[:12] = 0
    columns: dict[str, Any] = {
        names[0]: np.where(women, *sexes),
        names[1]: np.array(RACES)[race],
        names[2]: rng.normal(40.0, 10.0, rows).round(2),
        "income": rng.normal(40.0, 8.0, rows).round(1),
        "region": rng.choice(["East", "North", "West"], rows),
    }
    if classes:
        outcome = rng.choice(len(classes), rows, p=np.arange(2, len(classes) + 2) / sum(range(2, len(classes) + 2)))
        columns["outcome"] = np.array(classes)[outcome]
        if untested:
            columns[names[1]] = np.array(RACES)[outcome % len(RACES)]
        predicted = _probabilities(rng, outcome, len(classes), violation * women)
        kept = (len(classes) - 1,) if len(classes) == 2 else tuple(range(len(classes)))
        answers = {f"predicted {classes[k]}": predicted[:, k] for k in kept}
        model = PredictionColumns(
            columns=tuple(answers),
            holds="probability" if len(classes) == 2 else "class probabilities",
            classes=() if len(classes) == 2 else classes,
        )
    else:
        columns["outcome"] = rng.gamma(3.0, 10.0, rows)
        answers = {"predicted": columns["outcome"] + rng.normal(0, 6.0, rows) - 6.0 * violation * women}
        model = PredictionColumns(columns=("predicted",), holds="number")
    roles = Roles(
        outcome="outcome",
        outcome_type="classes" if classes else "number",
        favourable=classes[-1] if classes else "",
        protected=(*names[:attributes], *((names[2],) if continuous else ())),
        features=("income", "region"),
        predictions=tuple(answers),
    )
    return People(pd.DataFrame(columns | answers), roles, model)


def make_fair_dummies_result(
    case: Case = "numbers",
    *,
    asks: Asks = "equalized odds",
    dummies: int = 199,
    **shape: Any,
) -> EqualizedOddsResult:
    """A whole result of the equalized odds test, computed once for each number of draws of chance, which it remembers.

    Args:
        case: What the answers are.
        asks: The question.
        dummies: Fair dummies K.
        **shape: As for :func:`make_people`.
    """
    audit = EqualizedOdds(asks=asks, learner="linear", dummies=dummies)
    return cast(EqualizedOddsResult, _audited(case, audit, draws=gap.DRAWS, **shape))


def make_groups_result(case: Case = "numbers", **shape: Any) -> GroupFairnessResult:
    """A whole result of groups of the same people, computed once.

    Args:
        case: What the answers are.
        **shape: As for :func:`make_people`.
    """
    return cast(GroupFairnessResult, _audited(case, GroupFairness(), **shape))


@made_once
def _audited(case: Case, audit: EqualizedOdds | GroupFairness, *, draws: int = 0, **shape: Any) -> AuditResult:
    """A result; those that are asked with different ``draws`` are different objects."""
    people = make_people(case, **shape)
    dataset = Dataset.build(people.frame, people.roles)
    return run_audit(people.model.load(FileStore(), dataset), dataset, audit, seed=shape.get("seed", 0))


def make_fair_dummies_plan(result: EqualizedOddsResult | GroupFairnessResult, **changes: Any) -> AuditPlan:
    """The plan that could have given ``result``; ``changes`` replace its fields."""
    data, classes = result.data, result.model.classes
    columns = tuple(result.model.name.split(", "))
    plan = AuditPlan(
        data=UploadedTable(file=FileRef(name="people.csv", sha256="c" * 64, bytes=61_440)),
        roles=Roles(
            outcome=data.outcome,
            outcome_type="classes" if classes else "number",
            favourable=data.favourable,
            protected=data.protected,
            features=result.model.encoder.features,
            predictions=columns,
        ),
        model=PredictionColumns(columns=columns),
        audit=result.audit,
        seed=result.seed,
        decision=EqualizedOddsDecision() if isinstance(result.audit, EqualizedOdds) else GroupFairnessDecision(),
    )
    return plan.model_copy(update=changes)


def _probabilities(rng: np.random.Generator, outcome: np.ndarray, k: int, harm: np.ndarray) -> np.ndarray:
    """Probabilities that lean to the outcome; ``harm`` takes from the last class what it gives the first one."""
    scores = 2.0 * np.eye(k)[outcome] + rng.normal(0, 1.0, (len(outcome), k))
    scores[:, -1] -= harm
    scores[:, 0] += harm
    exponents = np.exp(scores)
    return np.asarray(exponents / exponents.sum(axis=1, keepdims=True))
