"""The verdict card: one plain sentence, what speaks against it, and both p-values."""

import streamlit as st

from core.errors import Notice
from core.inference.estimate import Verdict
from core.reading import Reading
from core.report.numbers import Numbers
from core.result import AuditResult
from core.words import p_value, verdict_headline
from dashboard.text import literal

_LOOKS = {
    Verdict.VIOLATION: (st.error, ":material/error:"),
    Verdict.NO_VIOLATION: (st.success, ":material/check_circle:"),
    Verdict.INSUFFICIENT: (st.info, ":material/help:"),
}
_ICONS = {"serious": ":material/report:", "warning": ":material/warning:", "info": ":material/info:"}


class Card:
    """The room on top of the page, taken before the reading is known and filled once it is."""

    def __init__(self) -> None:
        self._top = st.container()
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
            self._p_values = st.empty()
            st.toggle(
                "Show symbols",
                key="symbols",
                bind="query-params",
                help="Adds the paper's symbols (δ, α, T) to the names.",
            )
        self._folded = st.container()

    def fill(self, result: AuditResult, reading: Reading, numbers: Numbers) -> None:
        """Icon, colour and words; then serious notices in full, both p-values, and the other notices folded away."""
        box, icon = _LOOKS[numbers.verdict]
        headline = verdict_headline(result, reading)
        rest = numbers.sentence.removeprefix(headline).lstrip(": ")
        notices = tuple(dict.fromkeys((*numbers.of(reading.statistic).reasons, *result.notices)))
        with self._top:
            box(f"### {icon} {headline}\n{rest[:1].upper()}{rest[1:]}")
            for notice in notices:
                if notice.level == "serious":
                    st.warning(_said(notice), icon=_ICONS[notice.level])
        self._p_values.markdown(_p_values(numbers), width="content")
        others = [notice for notice in notices if notice.level != "serious"]
        if others:
            with self._folded, st.expander(f"Read with this in mind ({len(others)})"):
                for notice in others:
                    st.markdown(f"{_ICONS[notice.level]} {_said(notice)}")


def _said(notice: Notice) -> str:
    return f"**{literal(notice.what)}** {literal(notice.advice)}".strip()


def _p_values(numbers: Numbers) -> str:
    told = ", ".join(f"{found.statistic} **{literal(p_value(found.p_value))}**" for found in numbers.statistics)
    return f"p-values against the tolerance: {told}."
