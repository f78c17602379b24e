"""The top of a page with several tests: one sentence for all of them, and a table of what each says."""

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.base.errors import Caveat
from core.language.phrases import p_value
from core.language.told import say
from core.report.multiple_tests import Together
from core.result import AuditResult
from dashboard.text import literal
from dashboard.views.results.card import ICONS, Card


class Top:
    """The room for the card of the whole audit and the table, filled once the decision settings are known."""

    def __init__(self) -> None:
        self._card = Card(switch=True)
        self._table = st.container()

    @property
    def actions(self) -> DeltaGenerator:
        """Room for what can be done with the whole result."""
        return self._card.actions

    def fill(self, together: Together, results: tuple[AuditResult, ...], names: tuple[str, ...]) -> None:
        """Verdict of the audit, caveats that all tests share, and a row a test."""
        self._card.fill(
            together.verdict,
            together.headline,
            together.sentence,
            shared_caveats(results),
            say("Each test on its own, and adjusted for the others:"),
        )
        self._table.table(comparison(together, names), border="horizontal")


def shared_caveats(results: tuple[AuditResult, ...]) -> tuple[Caveat, ...]:
    """What every one of the results says, in the order of the first."""
    return tuple(caveat for caveat in results[0].caveats if all(caveat in result.caveats for result in results))


def comparison(together: Together, names: tuple[str, ...]) -> pd.DataFrame:
    """Verdict, p-value and adjusted p-value of each test, as Markdown."""
    columns = {
        say("Verdict"): [f"{ICONS[verdict]} **{literal(verdict.words)}**" for verdict in together.verdicts],
        say("p-value"): [_unbroken(one.p_value) for one in together.findings],
        say("Adjusted p-value"): [_unbroken(p) for p in together.adjusted],
    }
    return pd.DataFrame(columns, index=pd.Index(list(map(literal, names)), name=say("Test")))


def _unbroken(p: float) -> str:
    """A p-value as Markdown that stays on one line."""
    return literal(p_value(p)).replace(" ", "\u00a0")
