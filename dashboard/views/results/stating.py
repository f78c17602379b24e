"""What people state about an audit, where its result is looked at: kept in its entry of the register."""

import datetime
from collections.abc import Callable
from dataclasses import dataclass, replace

import streamlit as st

from core.base.errors import EvenhandError
from core.caveats.assumptions import SIGNED_TOLERANCE
from core.contracts.decision import DecisionSettings
from core.language.phrases import count
from core.language.told import retold, say
from core.register.entry import Entry, Status
from core.register.others import ended_worse
from core.register.register import Register
from core.report.multiple_tests import Together
from core.report.signature import SignedBy
from core.report.stated import differing, signable
from core.report.statement import LONGEST_TEXT, Statement, missing
from core.study import Study
from dashboard.jobs import queue as jobs
from dashboard.messages import say_over, show_failure
from dashboard.pages import open_page
from dashboard.text import literal
from dashboard.views.register import reviewing, way, words
from dashboard.views.register import stating as register_stating
from dashboard.visitor import people_sign_in, visitor

_HERE = "statement_here"
_NOT_ENTERED = say(
    "This audit is not in your register, so that what you state is kept until you close this page. "
    "Save report and record before."
)


def _begun(job: str) -> Statement:
    """What the register will state of an audit that is not entered yet: the day on which it ran."""
    ran = jobs.find(job)
    made = None if ran is None else ran.finished or ran.submitted
    return Statement(date=None if made is None else datetime.date.fromtimestamp(made))


@dataclass(frozen=True)
class Stating:
    """The statement of one audit, and where it is kept.

    Attributes:
        statement: What is stated; None where nothing is.
        entry: The audit's entry of the register; None where this visitor has none, or it cannot be read now.
        may_state: Whether the visitor's role in its project lets them state something.
        elsewhere: The signature of another visitor's entry of the same run; None where this visitor has an entry, or
            nobody signed.
    """

    statement: Statement | None
    entry: Entry | None
    may_state: bool = True
    elsewhere: SignedBy | None = None

    @classmethod
    def of(cls, job: str) -> "Stating":
        """What is stated of the audit that a job ran."""
        try:
            register = Register()
            entry = register.of_run(job, visitor()) if job else None
            may = entry is None or "state" in register.rights(entry.id, visitor())
            others = entry is None and bool(job) and not people_sign_in()
            signed = register.signature_elsewhere(job) if others else None
        except EvenhandError:
            entry, may, signed = None, True, None
        here: dict[str, Statement] = st.session_state.get(_HERE, {})
        return cls(here.get(job) if entry is None else entry.statement, entry, may, signed)

    @property
    def frozen(self) -> bool:
        """Whether nothing can be stated: it was signed, or the visitor's role does not let them."""
        if not self.may_state or self.elsewhere is not None:
            return True
        return self.entry is not None and self.entry.status in (Status.SIGNED, Status.WITHDRAWN)

    def signature_of(self, study: Study) -> SignedBy | None:
        """Who signed the audit, and whether what is read here is what they signed; None where nobody did."""
        signed = self.elsewhere
        if self.entry is not None and self.entry.signature is not None and self.entry.status is not Status.WITHDRAWN:
            sha256, others = self.entry.documents.get("record", ""), words.others_ended_worse(self.entry)
            signed = replace(self.entry.signature, sha256=sha256, others=others)
        return None if signed is None else replace(signed, differs=differing(study))

    @staticmethod
    def ended_worse(study: Study, together: Together) -> str:
        """That other audits of the same model on the same rows ended worse; empty where none did, and of a trial."""
        if together.trial:
            return ""
        of = together.findings[0].result
        same = {"subject": study.subject, "rows": of.data.fingerprint, "model": of.model.fingerprint}
        try:
            return ended_worse(Register(), [visitor()], together.verdict.value, **same)
        except EvenhandError:
            return ""

    def show_signed(self) -> None:
        """Whether the audit was signed, and by whom."""
        if self.elsewhere is not None:
            st.info(literal(" ".join(self.elsewhere.told)), icon=":material/signature:")
        entry = self.entry
        if entry is None or entry.signature is None:
            return
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"{words.status(entry)} · {reviewing.who_signed(entry)}")
            if st.button(say("What was signed"), key="to_signed", type="tertiary", icon=":material/arrow_forward:"):
                open_page("register", entry=entry.id)

    def offer_to_sign(self, job: str) -> None:
        """The way to review and signature, beside the report; none where :meth:`show_signed` shows one."""
        ran = jobs.find(job)
        if ran is not None and self.elsewhere is None and (self.entry is None or self.entry.signature is None):
            way.offer(ran)

    def show(self, job: str, study: Study) -> None:
        """The form, and what is still missing before the report may be signed; nothing where somebody else signed."""
        if self.elsewhere is not None:
            return
        of = signable(study, violation=self.entry is not None and self.entry.summary.violation)
        stated = self.statement or _begun(job)
        lacking = len(missing(stated, of))
        title = say("Statement for the report")
        if lacking and not self.frozen:
            title += f" · {say('{fields} to fill in before it is signed', fields=count(lacking, 'field'))}"
        panel = st.expander(
            title,
            key="statement_panel",
            icon=":material/edit_note:",
            on_change="rerun",
        )
        if not panel.open:
            return
        with panel:
            st.caption(
                say(
                    "Who audited what, and why: it stands in report and record as you write it, and changes no "
                    "number. What you leave empty is marked in the report."
                )
            )
            if self.entry is not None:
                register_stating.show(Register(), self.entry, may=self.may_state)
                return
            st.caption(retold(_NOT_ENTERED))
            said, _ = register_stating.ask(stated, f"here.{job}", of)
            if said is not None:
                self._keep(job, said)
                st.rerun()

    def reason_of(self, job: str, study: Study, place: int = 0) -> Callable[[DecisionSettings], None]:
        """Draws a field for the reason for a test's tolerance, to stand where the tolerance is chosen.

        What is signed is the tolerance that was chosen before the run, so that a reason is given for no other.
        """
        tests, test = study.keys if len(study.keys) > 1 else (), study.keys[place]

        def ask(decision: DecisionSettings) -> None:
            kept = self.statement or Statement()
            if self.frozen:
                return
            if not decision.tolerates_like(study.plans[place].decision):
                st.caption(retold(SIGNED_TOLERANCE))
                return
            key = f"reason_{job}_{test}_{kept.fingerprint}"
            before = kept.tolerance_reasons.get(test, "") if tests else kept.tolerance_reason
            said = st.text_input(
                say("Why is a difference up to this tolerance acceptable?"),
                before,
                key=key,
                max_chars=LONGEST_TEXT,
                placeholder=kept.tolerance_reason or say("Asked before the report is signed"),
                help=say(
                    "Stands in the report beside the tolerance, which the auditor chooses by it, also where Evenhand "
                    "proposes it. It changes no number."
                ),
            )
            if said != before:
                own = {one: kept.tolerance_reasons.get(one, "") for one in tests} | {test: said}
                changed = {"tolerance_reasons": own} if tests else {"tolerance_reason": said}
                try:
                    self._keep(job, kept.model_copy(update=changed))
                except EvenhandError as error:
                    show_failure(error)
                    return
                say_over(say("The reason for the tolerance was saved."))
                st.rerun()

        return ask

    def _keep(self, job: str, said: Statement) -> None:
        if self.entry is None:
            st.session_state[_HERE] = {**st.session_state.get(_HERE, {}), job: said}
        else:
            Register().change(self.entry.id, visitor(), statement=said)
