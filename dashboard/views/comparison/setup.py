"""The form of a comparison: which finished audits of one table, under which names, and with which of them."""

from dataclasses import dataclass
from typing import NoReturn

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
from dashboard.jobs.answers import unpack
from dashboard.jobs.job import Job, Needs, study_of
from dashboard.needed import show_memory, too_large
from dashboard.pages import open_page
from dashboard.tables import TableSummary
from dashboard.text import literal, named_turns
from dashboard.waiting import answer

_LOOKED_AT = 200
"""The newest audits among which models are found."""
_BYTES_OF_AN_ANSWER = 80
"""What a model's answer about a row takes while models are compared (``benchmarks/test_memory_told.py``)."""


@dataclass(frozen=True)
class FinishedAudit:
    """An audit that can be compared.

    Attributes:
        id: Its job.
        study: Its tests.
        memory: Bytes that it was told to take; 0 where nobody knows.
        submitted: When it was asked for, seconds since 1970.
    """

    id: str
    study: Study
    memory: int = 0
    submitted: float = 0.0

    @property
    def model(self) -> str:
        """What its model is called."""
        return self.study.plans[0].model.title

    @property
    def fingerprint(self) -> str:
        """Which model it is."""
        return self.study.plans[0].model.fingerprint

    @property
    def called(self) -> str:
        """The same in short, as a comparison calls it unless somebody gives it another name."""
        return self.study.plans[0].model.short_title

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
    audits = finished(st.query_params.get("audit", ""))
    if not audits:
        st.info(say("There is no finished audit yet. Audit a model first; then it can be compared."))
        _offer_audit(None)
        return
    first = _choose_first(audits)
    others = _others(first, audits)
    if not others and not other_columns(first.study):
        st.info(
            say("No other model was audited on this table with the same roles yet. Audit another one, then come back.")
        )
        _offer_audit(first)
        return
    _choose(first, others)


def finished(asked: str = "") -> list[FinishedAudit]:
    """This visitor's finished audits, the newest first, and the one that is asked for; none of another version."""
    found = jobs.recent(("audit",), _LOOKED_AT)
    if asked and asked not in {job.id for job in found} and (job := jobs.find(asked)) is not None:
        found = [job, *found]
    done = [job for job in found if job.state == "done" and job.kind == "audit"]
    studies = ((job, _study(job)) for job in done)
    return [
        FinishedAudit(job.id, study, job.needs.memory, job.submitted) for job, study in studies if study is not None
    ]


def _study(job: Job) -> Study | None:
    try:
        return study_of(job)
    except RecordError:
        return None


def _choose_first(finished: list[FinishedAudit]) -> FinishedAudit:
    """The baseline: at first the model that was audited before the others that go with the audit asked for."""
    asked = _asked(finished)
    known = (asked, *_others(asked, finished))
    model = min(known, key=lambda one: one.submitted).fingerprint
    return st.selectbox(
        title_of(ComparisonPlan.model_fields["baseline"]),
        finished,
        finished.index(next(one for one in known if one.fingerprint == model)),
        format_func=_told,
        key="comparison_first",
        help=say(
            "The model with which the others are compared. At first it is the one that was audited before the others."
        ),
    )


def _asked(finished: list[FinishedAudit]) -> FinishedAudit:
    """The audit that the address names, else the newest."""
    named = st.query_params.get("audit", "")
    return next((one for one in finished if one.id == named), finished[0])


def _others(first: FinishedAudit, finished: list[FinishedAudit]) -> list[FinishedAudit]:
    """The audits that can stand beside one, the one asked for before others."""
    asked = _asked(finished)
    found = [one for one in finished if one.id != first.id and first.goes_with(one)]
    return sorted(found, key=lambda one: one.id != asked.id)


def _told(audit: FinishedAudit) -> str:
    return say("{model} on {data}", model=audit.model, data=audit.study.plans[0].data.title)


def _choose(first: FinishedAudit, others: list[FinishedAudit]) -> None:
    """The other models and their names; the button that compares them."""
    audited = _audited(first, others) if others else []
    columns = _columns(first, MOST_MODELS - 1 - len(audited))
    st.header(say("What they are called"), anchor=False)
    chosen = (first, *audited)
    short = [one.called for one in chosen]
    named = [
        (_name(one, place, one.called if short.count(one.called) == 1 else one.model), one.study)
        for place, one in enumerate(chosen)
    ]
    named += [(column, on_column(first.study, column)) for column in columns]
    plan, needs, reason = None, Needs(), ""
    if len(named) > 1:
        models = [{"name": name, "study": study} for name, study in named]
        plan = forms.draw(ComparisonPlan, {"models": models, "baseline": named[0][0]}, "comparison", fields=("alpha",))
        reason, needs = _expect(chosen, len(named))
    else:
        st.caption(say("Choose at least one other model."))
    if reason:
        st.info(literal(reason), icon=":material/memory:")
    if (
        st.button(
            say("Compare models") if plan is None else say("Compare {models} models", models=whole(len(named))),
            key="comparison_run",
            type="primary",
            icon=":material/compare_arrows:",
            disabled=plan is None or bool(reason),
        )
        and plan is not None
    ):
        start(plan, needs)


def start(plan: ComparisonPlan, needs: Needs) -> NoReturn:
    """Put a comparison to work, and leave this page for its own."""
    asked = {"plan": plan.model_dump(mode="json"), "source": plan.data.model_dump(mode="json")}
    open_page("comparison", comparison=jobs.submit("compare", asked, again=True, needs=needs).id)


def _expect(audits: tuple[FinishedAudit, ...], models: int) -> tuple[str, Needs]:
    """Why the comparison cannot be run, and what it will take: as much as its largest audit, and all answers.

    The tests of a column of answers take no more than those of the model on whose table they are put.
    """
    found = [one.memory or _tried(one.study) for one in audits]
    source = audits[0].study.plans[0].data.model_dump(mode="json")
    read = answer("read_table", {"source": source}, say("Reading the table"))
    if read is None or not all(found):
        return say("The tests have to be tried on a few rows first."), Needs()
    needs = Needs(memory=max(found) + _BYTES_OF_AN_ANSWER * models * unpack(read["summary"], TableSummary).rows)
    with st.container(horizontal=True, key="estimate_comparison"):
        show_memory(needs, say("As much as the largest of the audits that are compared, and every answer."))
    return too_large(needs), needs


def _tried(study: Study) -> int:
    """Bytes that an audit takes of which nobody said it before; 0 while that is not known."""
    memory = []
    for plan in study.plans:
        written = plan.model_dump(mode="json")
        asked = {name: written[name] for name in ("roles", "model", "audit", "decision", "seed")}
        tried = answer("pilot", asked | {"source": written["data"]}, say("Trying the test on a few rows"))
        memory.append(0 if tried is None else int(tried["memory"]))
    return max(memory) if all(memory) else 0


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
    newest = {one.fingerprint: one for one in reversed(others)}
    newest.pop(first.fingerprint, None)
    return list(reversed(newest.values()))[: MOST_MODELS - 1]


def _name(audit: FinishedAudit, place: int, called: str) -> str:
    return st.text_input(
        say("Name of model {n}: {model}", n=place + 1, model=literal(audit.model, 60)),
        called[:80],
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
