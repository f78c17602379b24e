"""What a user has chosen so far, typed: the table, the roles of its columns, the model and the tests."""

from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import AfterValidator, Field, ValidationError, model_validator

from core.audits import KINDS, AuditDecision, AuditSettings
from core.base.errors import SettingsError
from core.base.settings import Settings
from core.contracts.audit import AbstractAudit
from core.contracts.decision import DecisionSettings
from core.data.labels import labelled_by
from core.data.roles import Annotations, GoodEnd, Label, Missing, OutcomeType, Roles
from core.language.phrases import quoted
from core.language.settings_words import what_is_wrong
from core.language.told import say, unpacked
from core.models import ModelSource
from core.plan import AuditPlan
from core.sources import DataSource
from core.study import Study
from core.workflows.proposing import default_settings

A = TypeVar("A", bound=AbstractAudit)
D = TypeVar("D", bound=DecisionSettings)
T = TypeVar("T")


class RolesChoice(Settings):
    """Roles as far as they are chosen; an empty name counts as none."""

    outcome: str | None = None
    outcome_type: OutcomeType = "classes"
    favourable: str | None = None
    good_end: GoodEnd = "not said"
    protected: tuple[str, ...] = ()
    text: str | None = None
    annotation: Annotations = ()
    belongs_to: str | None = None
    counts: str | None = None
    features: tuple[str, ...] = ()
    predictions: tuple[str, ...] = ()
    numeric: tuple[str, ...] = ()
    categorical: tuple[str, ...] = ()
    missing: Missing = "leave out"
    labels: tuple[Label, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _empty_is_none(cls, values: Any) -> Any:
        return {name: None if value == "" else value for name, value in values.items()}

    @property
    def problem(self) -> str:
        """What is still to be chosen, one sentence; empty when nothing is. With a text hardly anything has to be."""
        if self.text is None and (missing := self._missing):
            return missing
        try:
            self._build()
        except ValidationError as error:
            return f"{what_is_wrong(error.errors()[0])}."
        return ""

    @property
    def _missing(self) -> str:
        judged = self.outcome is not None or bool(self.predictions)
        if not judged and not self.features:
            return say(
                "Choose the outcome column, a column with decisions or predictions, or the features a model reads."
            )
        if judged and self.favourable is None and self.outcome_type == "classes":
            if self.outcome is None:
                return say("Choose which decision is good for the person.")
            return say("Choose which outcome is good for the person.")
        if not self.protected:
            return say("Choose at least one protected attribute.")
        if not self.features and not self.predictions:
            return say("Choose the features the model reads, or a prediction column.")
        return ""

    @property
    def judges_a_model(self) -> bool:
        """Whether there is neither an outcome nor a decision, so that only a model's own answers can be judged."""
        return self.outcome is None and self.text is None and not self.predictions

    def judged_like(self, before: Self) -> bool:
        """Whether tests that were chosen for other roles can be run as they are: by an outcome of the same type."""
        return (self.outcome_type, self.outcome is None) == (before.outcome_type, before.outcome is None)

    @property
    def columns(self) -> set[str]:
        """Every column that has a role."""
        one = (self.outcome, self.text, self.belongs_to, self.counts)
        many = (*self.annotation, *self.protected, *self.features, *self.predictions, *self.numeric, *self.categorical)
        return {name for name in (*one, *many) if name is not None}

    @property
    def roles(self) -> Roles | None:
        """The roles; None while something is still to be chosen."""
        if self.text is None and self._missing:
            return None
        try:
            return self._build()
        except ValidationError:
            return None

    def _build(self) -> Roles:
        return Roles(**{name: "" if value is None else value for name, value in dict(self).items()})


def kind_of(settings: type[AbstractAudit] | type[DecisionSettings]) -> str:
    """The kind of test that these settings or decision settings are of."""
    return str(settings.model_fields["kind"].default)


def _all_audits(chosen: dict[str, Any]) -> dict[str, Any]:
    return {kind: chosen.get(kind) or default_settings(kind) for kind in KINDS}


def _all_decisions(chosen: dict[str, Any]) -> dict[str, Any]:
    return {name: chosen.get(name) or kind.decision.model_validate({}) for name, kind in KINDS.items()}


def _known(kinds: tuple[str, ...]) -> tuple[str, ...]:
    if strange := set(kinds) - set(KINDS):
        raise ValueError(f"there is no test {', '.join(sorted(strange))}")
    return kinds


class Draft(Settings):
    """An audit on its way to a study: one or several tests of one model on one table.

    Attributes:
        data: The table.
        roles: What its columns are for, as far as that is chosen.
        roles_are: Whether roles are still to be proposed, were guessed without or with a question about the outcome
            that is not answered yet, or were said to be right.
        may_count: A column that may say how many people each row stands for, until somebody says whether it does.
        may_be_answers: Columns that may hold a model's answers, until somebody says whether they do.
        may_differ: Columns that may be protected, of which somebody said that they may make a difference.
        model: The model.
        tests: The kinds of the chosen tests. Nobody chose yet where there are none: some are proposed; or where all
            kinds are named, more than suit any model: those that suit this one are taken.
        audits: The settings of every test by its kind, chosen or not.
        decisions: The decision settings, likewise.
        missing: What a test still has to be told before it can run, one sentence that is packed, by its kind.
        seed: Seed of every random choice.
        after: The entry of the register that is repeated with new data; empty for none.
    """

    data: DataSource | None = None
    roles: RolesChoice = RolesChoice()
    roles_are: Literal["open", "guessed", "asking", "confirmed"] = "open"
    may_count: str = ""
    may_be_answers: tuple[str, ...] = ()
    may_differ: tuple[str, ...] = ()
    model: ModelSource | None = None
    tests: Annotated[tuple[str, ...], AfterValidator(_known)] = ()
    audits: Annotated[dict[str, Annotated[AuditSettings, Field(discriminator="kind")]], AfterValidator(_all_audits)] = (
        Field(default={}, validate_default=True)
    )
    decisions: Annotated[
        dict[str, Annotated[AuditDecision, Field(discriminator="kind")]], AfterValidator(_all_decisions)
    ] = Field(default={}, validate_default=True)
    missing: dict[str, str] = Field(default={})
    seed: int = 0
    after: str = ""

    @classmethod
    def of(cls, study: Study) -> Self:
        """A draft with the choices of a study; tests that are not in it have their defaults."""
        first = study.plans[0]
        return cls(
            data=first.data,
            roles=RolesChoice(**dict(first.roles)),
            roles_are="confirmed",
            model=first.model,
            tests=tuple(plan.audit.kind for plan in study.plans),
            seed=first.seed,
        ).having(*(plan.audit for plan in study.plans), *(plan.decision for plan in study.plans))

    @property
    def asks_for_outcome(self) -> bool:
        """Whether the guess is not sure of the outcome, and nobody has said yet which it is."""
        return self.roles_are == "asking" and self.roles.outcome is None and self.roles.text is None

    @property
    def asks_for_counts(self) -> bool:
        """Whether a column may count people, and nobody has said yet whether it does."""
        return self.may_count != "" and self.may_count not in self.roles.columns

    @property
    def asks_for_answers(self) -> tuple[str, ...]:
        """The columns that may hold a model's answers, of which nobody has said yet whether they do."""
        return tuple(name for name in self.may_be_answers if name in self.roles.features)

    @property
    def roles_problem(self) -> str:
        """What is still to be said of the columns, one sentence; empty when nothing is."""
        if self.asks_for_counts:
            return say("Say whether the column {name} counts people.", name=quoted(self.may_count))
        asked = say("Choose the outcome column, or say that there is none.") if self.asks_for_outcome else ""
        if not asked and self.asks_for_answers:
            asked = say("Say whether the column {name} holds a model's answers.", name=quoted(self.asks_for_answers[0]))
        return asked or self.roles.problem

    def title(self, kind: str) -> str:
        """What people call a test of this kind with its settings."""
        return self.audits[kind].called or KINDS[kind].title

    def settings(self, test: type[A]) -> A:
        """The settings of a test, by their type."""
        found: Any = self.audits[kind_of(test)]
        return found  # type: ignore[no-any-return]

    def decision(self, test: type[D]) -> D:
        """The decision settings of a test, by their type."""
        found: Any = self.decisions[kind_of(test)]
        return found  # type: ignore[no-any-return]

    def having(self, *chosen: AuditSettings | AuditDecision) -> Self:
        """The same with these settings and decision settings of tests."""
        audits = {one.kind: one for one in chosen if not isinstance(one, DecisionSettings)}
        decisions = {one.kind: one for one in chosen if isinstance(one, DecisionSettings)}
        return self.model_copy(update={"audits": self.audits | audits, "decisions": self.decisions | decisions})

    @property
    def chosen(self) -> tuple[str, ...]:
        """The chosen tests in the order in which they run."""
        return tuple(kind for kind in KINDS if kind in self.tests)

    @property
    def study(self) -> Study:
        """The chosen tests, ready to run.

        Raises:
            SettingsError: A step is not finished, or the settings do not fit each other.
        """
        if not self.tests:
            raise SettingsError(say("No test is chosen."), advice=say("Choose at least one in the step Tests."))
        return Study(plans=tuple(self.plan(kind) for kind in self.chosen))

    def plan(self, kind: str) -> AuditPlan:
        """The plan of one test, chosen or not.

        Raises:
            SettingsError: A step is not finished, or the settings do not fit each other.
        """
        roles = self.roles.roles
        if self.data is None or roles is None or self.model is None:
            raise SettingsError(say("A step is not finished."), advice=say("Go back to the step that is not ticked."))
        if kind in self.missing:
            raise SettingsError(unpacked(self.missing[kind]), advice=say("Go back to the step that is not ticked."))
        return AuditPlan(
            data=self.data,
            roles=roles,
            model=self.model,
            audit=self.audits[kind],
            seed=self.seed,
            decision=self.decisions[kind],
        )

    def told(self, tree: T) -> T:
        """What was found about the table, or chosen, as people read it: with the labels of its columns and values."""
        roles = self.roles.roles
        return tree if roles is None else labelled_by(tree, roles)

    @property
    def about_table(self) -> dict[str, Any]:
        """The table and its roles, as tasks take them, which know columns by the names in the table.

        Raises:
            SettingsError: They are not chosen yet.
        """
        if self.data is None or self.roles.roles is None:
            raise SettingsError(say("The table is not chosen yet."), advice=say("Go back to the first step."))
        roles = self.roles.roles.model_copy(update={"labels": ()})
        return {"source": self.data.model_dump(mode="json"), "roles": roles.model_dump(mode="json")}

    @property
    def about_model(self) -> dict[str, Any]:
        """The table, its roles and the model, as tasks take them.

        Raises:
            SettingsError: They are not chosen yet.
        """
        if self.model is None:
            raise SettingsError(say("The model is not chosen yet."), advice=say("Go back to the second step."))
        return self.about_table | {"model": self.model.model_dump(mode="json")}
