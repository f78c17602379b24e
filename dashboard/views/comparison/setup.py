"""The form of a comparison: which finished audits of one table, under which names, and with which of them."""

from dataclasses import dataclass

import streamlit as st
from pydantic import ValidationError

from core.base.errors import RecordError, SettingsError
from core.base.settings import title_of
from core.language.phrases import whole
from core.language.told import say
from core.study import Study
from core.workflows.comparison.settings import MOST_MODELS, ComparedModel, ComparisonPlan, on_column, other_columns
from dashboard import forms, session
from dashboard.draft import Draft
from dashboard.jobs import queue as jobs
from dashboard.jobs.job import Job, study_of
from dashboard.pages import open_page
from dashboard.text import literal, named_turns

_LOOKED_AT = 200
"""The newest audits among which models are found."""


@dataclass(frozen=True)
class FinishedAudit:
    """An audit that can be compared.

    Attributes:
        id: Its job.
        study: Its tests.
    """

    id: str
    study: Study

    @property
    def model(self) -> str:
        """What its model is called."""
        return self.study.plans[0].model.title

    def goes_with(self, other: "FinishedAudit") -> bool:
        """Whether both are about one table in the same roles."""
        try:
            ComparisonPlan(
                models=(ComparedModel(name="a", study=self.study), ComparedModel(name="b", study=other.study))
            )
        except (ValidationError, SettingsError):
            return False
        return True


def show() -> None:
    """Choose audits of one table, name them, and put the comparison to work."""
    st.title(say("Compare models"), anchor=False)
    st.write(
        say(
            "Every model is audited by its own tests on the same rows. Then each is compared with one of them, the "
            "baseline, person by person: who is right more often, and who treats groups more alike. Choose among "
            "audits that are finished."
        )
    )
    finished = _finished(st.query_params.get("audit", ""))
    if not finished:
        st.info(say("There is no finished audit yet. Audit a model first; then it can be compared."))
        _offer_audit(None)
        return
    first = _choose_first(finished)
    others = [one for one in finished if one.id != first.id and first.goes_with(one)]
    if not others and not other_columns(first.study):
        st.info(
            say("No other model was audited on this table with the same roles yet. Audit another one, then come back.")
        )
        _offer_audit(first)
        return
    _choose(first, others)


def _finished(asked: str) -> list[FinishedAudit]:
    """This visitor's finished audits, the newest first, and the one that is asked for; none of another version."""
    found = jobs.recent(("audit",), _LOOKED_AT)
    if asked and asked not in {job.id for job in found} and (job := jobs.find(asked)) is not None:
        found = [job, *found]
    done = [job for job in found if job.state == "done" and job.kind == "audit"]
    studies = ((job.id, _study(job)) for job in done)
    return [FinishedAudit(name, study) for name, study in studies if study is not None]


def _study(job: Job) -> Study | None:
    try:
        return study_of(job)
    except RecordError:
        return None


def _choose_first(finished: list[FinishedAudit]) -> FinishedAudit:
    asked = st.query_params.get("audit", "")
    place = next((place for place, one in enumerate(finished) if one.id == asked), 0)
    return st.selectbox(
        title_of(ComparisonPlan.model_fields["baseline"]),
        finished,
        place,
        format_func=_told,
        key="comparison_first",
        help=say("The model with which the others are compared."),
    )


def _told(audit: FinishedAudit) -> str:
    return say("{model} on {data}", model=audit.model, data=audit.study.plans[0].data.title)


def _choose(first: FinishedAudit, others: list[FinishedAudit]) -> None:
    """The other models and their names; the button that compares them."""
    audited = _audited(first, others) if others else []
    columns = _columns(first, MOST_MODELS - 1 - len(audited))
    st.header(say("What they are called"), anchor=False)
    named = [(_name(one, place), one.study) for place, one in enumerate((first, *audited))]
    named += [(column, on_column(first.study, column)) for column in columns]
    plan = None
    if len(named) > 1:
        models = [{"name": name, "study": study} for name, study in named]
        plan = forms.draw(ComparisonPlan, {"models": models, "baseline": named[0][0]}, "comparison", fields=("alpha",))
    else:
        st.caption(say("Choose at least one other model."))
    if (
        st.button(
            say("Compare models") if plan is None else say("Compare {models} models", models=whole(len(named))),
            key="comparison_run",
            type="primary",
            icon=":material/compare_arrows:",
            disabled=plan is None,
        )
        and plan is not None
    ):
        asked = {"plan": plan.model_dump(mode="json"), "source": plan.data.model_dump(mode="json")}
        open_page("comparison", comparison=jobs.submit("compare", asked, again=True).id)


def _audited(first: FinishedAudit, others: list[FinishedAudit]) -> list[FinishedAudit]:
    return st.multiselect(
        say("Other models"),
        others,
        _one_each(first, others),
        max_selections=MOST_MODELS - 1,
        format_func=_told,
        key=f"comparison_others_{first.id}",
    )


def _columns(first: FinishedAudit, most: int) -> list[str]:
    """Columns of the table with answers of models that were not audited yet."""
    offered = other_columns(first.study)
    if not offered or most < 1:
        return []
    return st.multiselect(
        say("Columns with the answers of other models"),
        offered,
        max_selections=most,
        format_func=named_turns,
        key=f"comparison_columns_{first.id}",
        help=say("The tests that answers suffice for are run on each of them; a model goes by its column's name."),
    )


def _one_each(first: FinishedAudit, others: list[FinishedAudit]) -> list[FinishedAudit]:
    """The newest audit of each other model."""
    newest = {one.study.plans[0].model.fingerprint: one for one in reversed(others)}
    newest.pop(first.study.plans[0].model.fingerprint, None)
    return list(reversed(newest.values()))[: MOST_MODELS - 1]


def _name(audit: FinishedAudit, place: int) -> str:
    return st.text_input(
        say("Name of model {n}: {model}", n=place + 1, model=literal(audit.model, 60)),
        audit.model[:80],
        max_chars=80,
        key=f"comparison_name_{audit.id}",
    ).strip()


def _offer_audit(first: FinishedAudit | None) -> None:
    """The way to an audit: of another model on the same table, or of anything."""
    if st.button(say("Audit a model"), key="comparison_audit", type="primary", icon=":material/play_arrow:"):
        if first is None:
            open_page("data", draft=session.begin())
        open_page("model", draft=session.begin(Draft.of(first.study).model_copy(update={"model": None})))


def begin(plan: ComparisonPlan) -> str:
    """A draft with the table of a comparison, so that another model can be audited on it; returns its name."""
    return session.begin(Draft.of(plan.models[plan.place_of_baseline].study))
