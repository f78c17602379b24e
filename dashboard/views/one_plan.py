"""A page about one plan: the form that sets it up, the job that runs it, or what came out, by the id in the address."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic

import streamlit as st
from pydantic import ValidationError

from core.base.errors import EvenhandError, RecordError
from core.base.files import home
from core.language.reader import language
from core.language.told import Retelling, retold, say, unpacked
from core.records.codec import load_result
from core.records.workflow import AbstractWorkflow, P, R
from dashboard import deleting, main_button, waiting
from dashboard.jobs import queue as jobs
from dashboard.jobs.job import Job
from dashboard.messages import show_failure
from dashboard.pages import open_page
from dashboard.views.register import way
from dashboard.views.slides import way as slides


@dataclass(frozen=True)
class OnePlan(Retelling, Generic[P, R]):
    """What a page about one plan is made of.

    Attributes:
        workflow: What runs the plan; its key names the page, the job in the address and the result's folder.
        job: The kind of job that runs the plan.
        result: The type of what comes out.
        about: What people call the work, as files are named after it ("selection").
        unknown: What is said where the address names no such work.
        foreign: What is said, and advised, of one that another version made.
        this: The work with its article, as it is deleted ("this selection").
        title: The page's heading while it runs.
        phase: What it is doing before it says so itself.
        failed: The heading where it came to nothing.
        setup: Draws the form.
        show: Draws what came out, and right below its card what it is given last: the ways to slides and register.
        begin: Makes a draft of a plan and returns its name.
    """

    workflow: AbstractWorkflow[P, R]
    job: str
    result: type[R]
    about: str
    unknown: str
    foreign: tuple[str, str]
    this: str
    title: str
    phase: str
    failed: str
    setup: Callable[[], None]
    show: Callable[[P, R, Job, Callable[[], None]], None]
    begin: Callable[[P], str]

    @property
    def name(self) -> str:
        """The page's name."""
        return self.workflow.key

    def page(self) -> None:
        """Show the job named in the address as it stands, or the form."""
        main_button.begin(self.name)
        name = st.query_params.get(self.name, "")
        job = jobs.find(name) if name else None
        if job is None or job.kind != self.job:
            if name:
                st.info(self.unknown)
            self.setup()
            return
        plan = self.plan_of(job)
        if job.state == "done":
            self._show_result(job, plan)
            return
        st.title(self.title, anchor=False)
        if job.unfinished:
            waiting.watch(job, unpacked(job.phase) or self.phase)
            st.caption(say("You can close this page: the work goes on, and the address above finds it again."))
            return
        st.header(self.failed, anchor=False)
        if job.failure is not None:
            show_failure(job.failure)
        self._offer_again(job, plan)

    def _show_result(self, job: Job, plan: P) -> None:
        try:
            result = self.load(job, plan)
        except EvenhandError as error:
            show_failure(error)
            self._offer_again(job, plan, lost=True)
            return
        if not jobs.may_repeat(job):
            st.info(say("This page goes on from what was found, which a viewer of its project cannot. Read its entry."))
            way.offer(job)
            return

        def ways() -> None:
            slides.offer(self.name, job.id)
            way.offer(job)

        self.show(plan, result, job, ways)
        st.divider()
        self._offer_changes(job, plan)

    def load(self, job: Job, plan: P) -> R:
        """What a job found.

        Raises:
            EvenhandError: It was deleted, or is of another version.
        """
        with st.spinner(say("Opening the result")):
            result: R = _load(f"{self.name}-{plan.fingerprint}", job.id, language(), self.result)
        return result

    def plan_of(self, job: Job) -> P:
        """The plan that a job ran.

        Raises:
            RecordError: Another version of Evenhand made it.
        """
        try:
            return self.workflow.plan.model_validate(self.workflow.upgraded_plan(job.arguments["plan"]))
        except (KeyError, ValidationError, EvenhandError) as error:
            what, advice = map(retold, self.foreign)
            raise RecordError(what, where=job.id, advice=advice) from error

    def _offer_again(self, job: Job, plan: P, *, lost: bool = False) -> None:
        with st.container(horizontal=True, key=f"{self.name}_again"):
            if jobs.may_repeat(job) and st.button(
                say("Run it again"), key=f"{self.name}_rerun", type="primary", icon=":material/refresh:"
            ):
                if lost:
                    jobs.forget(job.id)
                asked = {**job.arguments, "plan": plan.model_dump(mode="json")}
                again = jobs.submit(self.job, asked, again=True, needs=job.needs)
                open_page(self.name, **{self.name: again.id})
            self._offer_changes(job, plan)

    def _offer_changes(self, job: Job, plan: P) -> None:
        if jobs.may_repeat(job) and st.button(
            say("Change the settings"), key=f"{self.name}_change", icon=":material/tune:"
        ):
            open_page(self.name, draft=self.begin(plan))
        if jobs.is_own(job):
            deleting.offer(say("Delete"), f"{self.name}_delete")
        if deleting.ask_about_run(job, self.this, f"{self.name}_delete"):
            open_page("home")


@st.cache_resource(max_entries=8, show_spinner=False)
def _load(folder: str, job: str, language: str, _kind: Any) -> Any:
    """The result in a folder, as the job of this id left it, its sentences in this language."""
    return load_result(home() / "results" / folder, _kind)
