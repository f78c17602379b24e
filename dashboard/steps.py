"""The five steps to an audit: what each is called, and why it is not finished yet."""

from collections.abc import Callable
from dataclasses import dataclass

from core.audits import KINDS
from core.language.told import Retelling, say, unpacked
from dashboard.audits import ROOMS
from dashboard.draft import Draft

SIMILAR = "similar"
"""The step that some tests give a name of their own."""


@dataclass(frozen=True)
class Step(Retelling):
    """A step.

    Attributes:
        name: Its place in the address.
        title: What people call it.
        problem: Why it is not finished, one sentence; empty when it is.
        with_texts: What people call it where texts are tested; empty if the same.
    """

    name: str
    title: str
    problem: Callable[[Draft], str]
    with_texts: str = ""

    def called(self, draft: Draft) -> str:
        """What people call it in this audit."""
        own = {ROOMS[kind].step for kind in draft.tests}
        if self.name == SIMILAR and len(own) == 1 and "" not in own:
            return own.pop()
        texts = draft.roles.text is not None or any(KINDS[kind].reads == "texts" for kind in draft.tests)
        return self.with_texts if self.with_texts and texts else self.title


def _data(draft: Draft) -> str:
    return say("Choose a table first.") if draft.data is None else draft.roles_problem


def _model(draft: Draft) -> str:
    return "" if draft.model is not None else say("Choose a model, or a column with its predictions.")


def _tests(draft: Draft) -> str:
    return "" if draft.tests else say("Choose at least one test.")


def _similar(draft: Draft) -> str:
    return " ".join(unpacked(draft.missing[kind]) for kind in draft.chosen if kind in draft.missing)


STEPS = (
    Step("data", say("Data and roles"), _data),
    Step("model", say("Model or predictions"), _model),
    Step("tests", say("Tests"), _tests),
    Step(SIMILAR, say("Similar people"), _similar, with_texts=say("Similar people or words")),
    Step("review", say("Review and run"), lambda draft: ""),
)


def first_problem(draft: Draft, before: str) -> tuple[Step, str] | None:
    """The first unfinished step before the one named, with its reason; None if all are finished."""
    for step in STEPS:
        if step.name == before:
            return None
        if problem := step.problem(draft):
            return step, problem
    return None
