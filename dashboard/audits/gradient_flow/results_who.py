"""Who: every group, and people beside a possible twin and the nearest real person."""

import pandas as pd
import streamlit as st

from core.audits.gradient_flow.figures import changes
from core.audits.gradient_flow.pair import Change, answers, columns, has_twin, more, told
from core.audits.gradient_flow.result import WorstPairs
from core.audits.gradient_flow.verdict import GradientFlowFinding
from core.figures.theme import MOST_ROWS
from core.group_answers import answered
from core.language.phrases import count, whole
from core.language.told import retold, say
from core.plan import AuditPlan
from dashboard.pager import previous_and_next
from dashboard.text import literal
from dashboard.views.results.chart import show_chart
from dashboard.views.results.person import Person, offer_for
from dashboard.views.results.tables import show_folded
from dashboard.views.results.widgets import widget_key

MOST_CHANGES = 12
"""Changes of a pair shown at once, the largest first; the others are folded away, not left out."""

_OF_COLUMNS = say(
    "The twin is made up, but could exist: its values lie within what the table holds, and any two of them go together "
    "there. The model was asked about this very person; points between people accuse nobody."
)
_OF_TEXTS = say(
    "The search ends at a point in the model's own embedding, which no text belongs to. Beside each text stands the "
    "one of the table that is nearest to it."
)


def show(plan: AuditPlan, finding: GradientFlowFinding) -> None:
    """The whole tab."""
    show_chart(finding, "groups")
    if (counted := answered(finding.result)) is not None:
        show_folded([counted], "")
    st.header(say("People, and similar ones who are misjudged more"), anchor=False)
    st.caption(retold(_OF_TEXTS if finding.result.model.encoder.is_embedding else _OF_COLUMNS))
    _pairs(plan, finding)
    if show_chart(finding, "changes", folded=True) and len(finding.result.model.encoder.features) > MOST_ROWS:
        show_folded([changes.table(finding)], "")


def _pairs(plan: AuditPlan, finding: GradientFlowFinding) -> None:
    result, index, key = finding.result, finding.index, widget_key("pair", plan)
    pairs = result.detail.pairs
    total = len(pairs.rows)
    if total == 0:
        st.info(say("No pair was kept for this audit."), icon=":material/info:")
        return
    now = min(st.session_state.get(key, 0), total - 1)
    with st.container(horizontal=True, vertical_alignment="center"):
        previous_and_next(key, now, total - 1)
        st.markdown(say("Pair **{now}** of {total}", now=now + 1, total=total))
    i = pairs.ranked(index, result.data.favourable)[now]
    st.markdown(literal(told(result, index, i)))
    real = say("Nearest real person (row {record})", record=whole(int(pairs.real_rows[index, i]) + 1))
    if result.model.encoder.is_embedding:
        _texts(finding, i, real)
        offer_for(_person(plan, finding, i))
        return
    if has_twin(pairs, index, i):
        st.caption(literal(more(result, index, i)))
    rows = columns(result, index, i)
    changed = [row for row in rows if row.changed]
    st.table(
        _side_by_side(changed[:MOST_CHANGES], answers(result, index, i), real), border="horizontal", hide_index=True
    )
    others = [row for row in rows if not row.changed and row.real != row.before]
    for few, title in (
        (changed[MOST_CHANGES:], count(len(changed[MOST_CHANGES:]), "smaller change")),
        (others, say("In what else the nearest real person differs ({n})", n=len(others))),
    ):
        if few:
            with st.expander(title):
                st.table(_side_by_side(few, (), real), border="horizontal", hide_index=True)
    offer_for(_person(plan, finding, i))


def _person(plan: AuditPlan, finding: GradientFlowFinding, i: int) -> Person:
    """The person of a pair, to be changed, beginning with what makes the twin where no label stands for a value."""
    pairs, place = finding.result.detail.pairs, finding.index * len(finding.result.detail.pairs.rows) + i
    unnamed = finding.result.model.encoder.is_embedding or plan.roles.labels
    names = () if unnamed else tuple(pairs.after.columns)
    begin = tuple((name, pairs.after[name].iloc[place]) for name in names if _differs(pairs, name, i, place))
    record = int(pairs.rows[i]) + 1
    return Person(plan, finding.result, f"{widget_key('pair', plan)}-{record}", record, begin)


def _differs(pairs: WorstPairs, name: str, i: int, place: int) -> bool:
    return bool(pairs.after[name].iloc[place] != pairs.before[name].iloc[i])


def _texts(finding: GradientFlowFinding, i: int, real: str) -> None:
    """A text, the real one nearest to the end of its search, and what the model says of both."""
    pairs, index = finding.result.detail.pairs, finding.index
    texts = (pairs.before.iloc[i, 0], pairs.real.iloc[index * len(pairs.rows) + i, 0])
    for column, head, text in zip(st.columns(2), (say("Text"), real), texts, strict=True):
        with column:
            st.markdown(f"**{literal(head)}**")
            st.text(text)
    told = [(name, person, nearest) for name, person, _, nearest in answers(finding.result, index, i)]
    names, *rest = zip(*told, strict=True)
    table = {"": map(literal, names), say("Text"): map(literal, rest[0]), literal(real): map(literal, rest[1])}
    st.table(pd.DataFrame({head: list(cells) for head, cells in table.items()}), border="horizontal", hide_index=True)


def _side_by_side(rows: list[Change], below: tuple[tuple[str, ...], ...], real: str) -> pd.DataFrame:
    """Columns a line, then what the model says of the three."""
    cells = [(literal(row.column, 60), literal(row.before, 60), _twin(row), literal(row.real, 60)) for row in rows]
    cells += [
        (literal(name), literal(person), f"**{literal(twin)}**", literal(nearest))
        for name, person, twin, nearest in below
    ]
    return pd.DataFrame(cells, columns=[say("Column"), say("Person"), say("Possible twin"), literal(real)])


def _twin(row: Change) -> str:
    """The twin's value, with what changed."""
    value = literal(row.after, 60)
    return f"**{value}** {literal(row.words)}" if row.changed else value
