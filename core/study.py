"""Several tests of one model on one table, judged together."""

import hashlib
from operator import not_
from typing import Self

import numpy as np
from pydantic import model_validator

from core.audits import KINDS, AuditDecision
from core.base.errors import SettingsError
from core.base.settings import Settings, setting
from core.inference.several import holm
from core.language.told import say
from core.plan import AuditPlan

MOST_TESTS = 20
"""More tests at once leave each of them hardly any of the error rate."""


class Study(Settings):
    """The tests of an audit: plans that share table, roles and model.

    Each test has a result of its own, under its own fingerprint, so that adding one runs only that one.
    """

    plans: tuple[AuditPlan, ...] = setting(
        label=say("Tests"), help=say("One plan a test."), min_length=1, max_length=MOST_TESTS
    )
    chosen: tuple[AuditDecision, ...] = setting(
        (),
        label=say("Chosen before the run"),
        help=say("The decision settings of each test before it ran, where its result is read under others: a trial."),
        exclude_if=not_,
    )

    @model_validator(mode="after")
    def _same_model_and_table(self) -> Self:
        first = self.plans[0]
        for plan in self.plans[1:]:
            if (plan.data, plan.roles, plan.model) != (first.data, first.roles, first.model):
                raise SettingsError(
                    say("The tests of one audit share their table, its roles and the model."),
                    advice=say("Set up another audit for another table or model."),
                )
        if len({plan.result_fingerprint for plan in self.plans}) < len(self.plans):
            raise SettingsError(say("The same test is named twice."), advice=say("Name each test once."))
        if self.chosen and [one.kind for one in self.chosen] != [plan.audit.kind for plan in self.plans]:
            raise SettingsError(
                say("The decision settings chosen before the run are not one of each test."),
                advice=say("Name those of every test, in its order, or leave them all out."),
            )
        return self

    @property
    def names(self) -> tuple[str, ...]:
        """What people call each test, numbered where two are of one kind."""
        titles = [plan.audit.called or KINDS[plan.audit.kind].title for plan in self.plans]
        return tuple(
            title if titles.count(title) == 1 else f"{title} {titles[: place + 1].count(title)}"
            for place, title in enumerate(titles)
        )

    @property
    def keys(self) -> tuple[str, ...]:
        """What files call each test: its kind, with a number from the second of a kind on (``transport 2``)."""
        kinds = [plan.audit.kind for plan in self.plans]
        places = [kinds[: place + 1].count(kind) for place, kind in enumerate(kinds)]
        return tuple(kind if n == 1 else f"{kind} {n}" for kind, n in zip(kinds, places, strict=True))

    @property
    def subject(self) -> str:
        """SHA-256 of whose answers to whom are audited, whatever the test, the columns' roles and the reading."""
        first = self.plans[0]
        return hashlib.sha256(repr((first.data.content, first.model.content)).encode()).hexdigest()

    @property
    def result_fingerprint(self) -> str:
        """SHA-256 of everything that decides the results."""
        return Study(plans=tuple(plan.as_run for plan in self.plans)).fingerprint

    @property
    def ran(self) -> "Study":
        """The tests under the decision settings that were chosen before they ran."""
        return self._judged_by(self.chosen) if self.chosen else self

    def under(self, decisions: tuple[AuditDecision, ...]) -> "Study":
        """The tests under decision settings that are chosen before they run, one a plan; a trial stays one."""
        return self.read(decisions) if self.chosen else self._judged_by(decisions)

    def read(self, decisions: tuple[AuditDecision, ...]) -> "Study":
        """The tests under decision settings with which their results are read: a trial where others were chosen."""
        chosen = tuple(plan.decision for plan in self.ran.plans)
        read = self._judged_by(decisions)
        trial = any(now.differing(before) for now, before in zip(decisions, chosen, strict=True))
        return read.model_copy(update={"chosen": chosen}) if trial else read

    def _judged_by(self, decisions: tuple[AuditDecision, ...]) -> "Study":
        pairs = zip(self.plans, decisions, strict=True)
        return Study(plans=tuple(plan.model_copy(update={"decision": decision}) for plan, decision in pairs))


def adjusted(p_values: tuple[float, ...]) -> tuple[float, ...]:
    """Holm's adjusted p-values of a study's tests, in their order; a test without a p-value (NaN) is not counted."""
    return tuple(float(value) for value in holm(np.array(p_values, dtype=np.float64)))
