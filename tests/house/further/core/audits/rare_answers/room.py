"""What the rare-answers test runs, finds and says, with a try before the run, a chart and its table."""

import time
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from core.audits.rare_answers import KIND, RareAnswers, RareAnswersDecision

from core.base.errors import AuditError, Caveat
from core.base.tables import Fact, Table
from core.base.thresholds import FEWEST_ROWS
from core.claim_charts import CLAIM_CHART
from core.contracts.audit import Given, Pilot
from core.contracts.model import AbstractModel
from core.data.encoded import EncodedDataset
from core.figures import theme
from core.figures.chart import Chart, Drawing
from core.finding import Room
from core.inference.estimate import Estimate
from core.language.phrases import count, whole
from core.language.told import say
from core.one_estimate import OneEstimateFinding
from core.result import AuditResult

PEOPLE_TRIED = 500
_SHOWN = 10


@dataclass(frozen=True)
class RareAnswersDetail:
    """How often each answer is given.

    Attributes:
        answers: The answers, ascending, shape (k,).
        people: How many people get each, shape (k,), int.
    """

    answers: np.ndarray
    people: np.ndarray


@dataclass(frozen=True)
class RareAnswersPilot:
    """What a try says: people and time of the whole test, and the answers among those tried."""

    audited: int
    seconds: float
    answers: int


Result = AuditResult[RareAnswers, RareAnswersDetail, None]


def run(
    audit: RareAnswers, given: Given[AbstractModel, EncodedDataset]
) -> tuple[RareAnswersDetail, tuple[Caveat, ...]]:
    """Ask the model about everybody.

    Raises:
        AuditError: There are too few people.
    """
    if len(given.data) < FEWEST_ROWS:
        raise AuditError(
            say("There are {people}; this test needs {fewest}.", people=len(given.data), fewest=FEWEST_ROWS),
            where=given.model.name,
            advice=say("Bring more people."),
        )
    answers, people = np.unique(np.round(given.model.predict_proba(given.data)[:, 0], 2), return_counts=True)
    rare = count(int((people < audit.fewest).sum()), "answer")
    return RareAnswersDetail(answers, people), (Caveat("info", say("{rare} rare.", rare=rare)),)


def pilot(
    audit: RareAnswers, given: Given[AbstractModel, EncodedDataset], decision: RareAnswersDecision
) -> RareAnswersPilot:
    """Time the test of some people."""
    few, started = given.data.take(np.arange(min(PEOPLE_TRIED, len(given.data)))), time.perf_counter()
    detail, _ = run(audit, replace(given, data=few))
    seconds = (time.perf_counter() - started) * len(given.data) / len(few)
    return RareAnswersPilot(len(given.data), seconds, len(detail.answers))


class RareAnswersFinding(OneEstimateFinding[Result, RareAnswersDecision]):
    """What a rare-answers test found under decision settings; see the base class."""

    kind = KIND
    what = say("People with a rare answer")

    @cached_property
    def rare(self) -> np.ndarray:
        """Which answers are rare, shape (k,), bool."""
        return self.result.detail.people < self.result.audit.fewest

    @cached_property
    def inference(self) -> Estimate:
        """The share of people with a rare answer."""
        people = self.result.detail.people
        n, share = int(people.sum()), float(people[self.rare].sum() / people.sum())
        return Estimate(share, float(np.sqrt(share * (1 - share) / (n - 1))), n)


def _rows(finding: RareAnswersFinding) -> list[tuple[str, int]]:
    """Answers and their people, the rarest first: of chart and table alike."""
    detail = finding.result.detail
    order = np.argsort(detail.people, kind="stable")[: _SHOWN if finding.decision.apart else len(detail.people)]
    return [(f"{detail.answers[place]:g}", int(detail.people[place])) for place in order]


def draw(finding: RareAnswersFinding) -> Drawing:
    """A bar an answer; words and bars from the same rows."""
    rows = _rows(finding)
    figure = theme.blank(80 + 16 * len(rows))
    figure.add_bar(x=[people for _, people in rows], y=[answer for answer, _ in rows], orientation="h")
    figure.update_xaxes(title=say("people"))
    return Drawing(figure, "; ".join(f"{answer}: {count(people, 'person', 'people')}" for answer, people in rows))


def tables(finding: RareAnswersFinding) -> dict[str, Table]:
    """The numbers behind the chart, under its name."""
    rows = tuple((answer, whole(people)) for answer, people in _rows(finding))
    return {"answers": Table(say("How many people get each answer."), (say("Answer"), say("People")), rows)}


ROOM = Room(
    run=run,
    result=Result,
    finding=RareAnswersFinding,
    pilot=Pilot(pilot, RareAnswersPilot),
    similar=lambda finding: (Fact(say("Compared with"), say("everybody else")),),
    tables=tables,
    charts={
        "claim": CLAIM_CHART,
        "answers": Chart(say("Answers"), say("How many people get each answer, the rarest first."), draw),
    },
)
