"""What is chosen so far about the candidates and the rule; the table and the test are in the session's own draft."""

from typing import Annotated, Literal

from pydantic import Field

from core.audits.transport.decision import TransportDecision
from core.audits.transport.settings import OwnCost, Space, Transport
from core.base.errors import SettingsError
from core.base.settings import Settings
from core.language.told import say
from core.models import ModelSource
from core.workflows.selection.settings import Candidates, LogisticPath, OwnModels, Parts, Rule, SelectionPlan
from dashboard import session
from dashboard.draft import Draft, RolesChoice


class SelectionDraft(Settings):
    """Candidates, parts and rule on their way to a plan.

    ``space`` says with whom people are compared, once somebody has chosen; until then what is proposed counts.
    """

    way: Literal["logistic_path", "own_models"] = "logistic_path"
    path: LogisticPath = LogisticPath()
    models: tuple[Annotated[ModelSource, Field(discriminator="kind")], ...] = ()
    parts: Parts = Parts()
    rule: Rule = Rule()
    space: Space | None = None
    proposed_space: Space = "observed"

    def problem(self, draft: Draft) -> str:
        """What is still to be chosen, one sentence; empty when nothing is."""
        if reason := problem_of_table(draft):
            return reason
        if self.way == "logistic_path" and not draft.roles.features:
            return say("Choose the features that the models may read.")
        if isinstance(draft.settings(Transport).similarity, OwnCost):
            return say("Each part of the rows has its own kinds of people, so a table of costs cannot serve them all.")
        if self.way == "own_models" and len(self.models) < 2:
            return say("Bring at least two models to choose from.")
        return ""

    def plan(self, draft: Draft) -> SelectionPlan:
        """The finished plan.

        Raises:
            SettingsError: Something is still to be chosen.
        """
        roles = draft.roles.roles
        if draft.data is None or roles is None or (problem := self.problem(draft)):
            raise SettingsError(self.problem(draft) or problem, advice=say("Go back to where it is missing."))
        candidates: Candidates = self.path if self.way == "logistic_path" else OwnModels(models=self.models)
        return SelectionPlan(
            data=draft.data,
            roles=roles,
            candidates=candidates,
            parts=self.parts,
            audit=draft.settings(Transport).model_copy(update={"space": self.space or self.proposed_space}),
            rule=self.rule,
            seed=draft.seed,
            decision=draft.decision(TransportDecision),
        )


def problem_of_table(draft: Draft) -> str:
    """Why candidates cannot be compared on this table with these roles, one sentence; empty when they can."""
    if draft.data is None or draft.roles_problem:
        return say("Choose a table first.") if draft.data is None else draft.roles_problem
    if draft.roles.outcome_type == "number":
        return say(
            "Choosing among models compares decisions by the transport test, which takes classes, and this "
            "outcome is a number; an audit with the equalized-odds test takes numbers."
        )
    if not (draft.roles.outcome and draft.roles.favourable and draft.roles.protected):
        return say("Choosing among models needs an outcome, its favourable value and a protected attribute.")
    return ""


def begin(plan: SelectionPlan) -> str:
    """A new draft with the choices of a plan; returns its name."""
    name = session.begin(
        Draft(
            data=plan.data,
            roles=RolesChoice(**dict(plan.roles)),
            tests=("transport",),
            seed=plan.seed,
        ).having(plan.audit, plan.decision)
    )
    kept = SelectionDraft(way=plan.candidates.kind, parts=plan.parts, rule=plan.rule, space=plan.audit.space)
    if isinstance(plan.candidates, LogisticPath):
        kept = kept.model_copy(update={"path": plan.candidates})
    else:
        kept = kept.model_copy(update={"models": plan.candidates.models})
    session.save_of_page("selection", kept)
    return name
