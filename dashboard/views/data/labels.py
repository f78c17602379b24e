"""Readable labels for columns and values, which are optional."""

import streamlit as st

from core.claims_told import happened
from core.data.labels import SAYS_NOTHING, as_said, labelled, whom
from core.data.roles import LONGEST_LABEL, Label, what_clashes
from core.language.phrases import upper_first
from core.language.told import say
from dashboard import forms
from dashboard.draft import RolesChoice
from dashboard.tables import TableSummary
from dashboard.text import literal

_MOST_VALUES = 12
"""Values of a column that are listed; a column of more has none to be read one by one."""
_MOST_AT_ONCE = 6
"""Values of a protected attribute up to which it has its fields at once, since headlines name them."""
_IN_A_ROW = 3
"""Fields beside each other."""


def coded(choice: RolesChoice, summary: TableSummary) -> tuple[str, ...]:
    """The columns that sentences are about and whose values do not say by themselves who somebody is, or what happened.

    Those are numbers and single letters, and of a protected column also yes and no: "afam = yes". In a table that has
    such a column so are the yes and no of its outcome.
    """
    people = [name for name in dict.fromkeys(choice.protected) if _is_coded(summary, name, plainly=True)]
    outcome = [name for name in (choice.outcome,) if name and _is_coded(summary, name, plainly=bool(people))]
    return (*people, *outcome)


def _is_coded(summary: TableSummary, name: str, *, plainly: bool) -> bool:
    """Whether a column has values that are codes, or ``plainly`` also yes and no."""
    values = _values(name, summary)
    silent = [len(value) < 2 or value.lstrip("-").isdigit() for value in values]
    plain = [plainly and value.lower() in SAYS_NOTHING for value in values]
    return bool(values) and all(one or other for one, other in zip(silent, plain, strict=True))


def show(choice: RolesChoice, summary: TableSummary) -> tuple[Label, ...]:
    """The labels as the fields say; those of before while they clash.

    Every column of codes has its fields at once, and whatever headlines name: the outcome and the protected attributes.
    """
    asked = coded(choice, summary)
    single = [choice.outcome, *choice.protected, *choice.predictions, *choice.features, choice.belongs_to]
    few = [name for name in choice.protected if 1 < len(_values(name, summary)) <= _MOST_AT_ONCE]
    columns = [name for name in dict.fromkeys(single) if name]
    shown = tuple(dict.fromkeys((*(asked or columns[:1]), *few)))
    others = [name for name in columns if name not in shown]
    if not shown:
        return choice.labels
    with st.expander(say("Readable labels"), icon=":material/label:", expanded=bool(asked)):
        question = st.container()
        st.caption(
            say(
                "Does a column or a value have a name that only insiders understand? Write beside it what everybody "
                "reads instead, on every page, in charts, reports and slides. The label of a value stands alone, so "
                "call people as a headline does: “Black applicants”. Records keep the table's names as well."
            )
        )
        known = {(one.column, one.value): one.label for one in choice.labels}
        own: dict[tuple[str, str], str] = {}
        for column in shown:
            own |= _ask_about(column, summary, known)
        other = None
        if others:
            other = st.selectbox(
                say("Another column to label"),
                others,
                index=None,
                key=forms.key_of("roles.labelled"),
                placeholder=say("Choose a column"),
            )
        if other:
            own |= _ask_about(other, summary, known)
        found = tuple(
            Label(column=of, value=value, label=label) for (of, value), label in (known | own).items() if label
        )
        if asked:
            unnamed = set(asked) - {one.column for one in found}
            question.info(_preview(choice, summary, asked, found, unnamed=bool(unnamed)), icon=":material/help:")
        for one in found:
            if one.column not in (*shown, other):
                name = f"{one.column} = {one.value}" if one.value else one.column
                st.caption(say("{name} is called {label}", name=f"**{literal(name, 60)}**", label=literal(one.label)))
        if clash := what_clashes(found):
            st.error(f"{literal(clash)}.", icon=":material/error:")
            return choice.labels
    return found


def _preview(
    choice: RolesChoice, summary: TableSummary, asked: tuple[str, ...], labels: tuple[Label, ...], *, unnamed: bool
) -> str:
    """A headline as it reads with these labels, and the request for better ones where a column has none."""
    outcome = choice.outcome if choice.outcome and choice.outcome_type == "classes" else None
    several = [name for name in (*asked, *choice.protected) if name != outcome and len(_values(name, summary)) > 1]
    groups = next(iter(several), None)
    if groups is None:
        told = f"{outcome} = {_values(str(outcome), summary)[-1]}"
    else:
        first, *_, last = [whom(f"{groups} = {value}") for value in reversed(_values(groups, summary))]
        bad = [one for one in _values(outcome, summary) if one != choice.favourable] if outcome else []
        known = {"who": first, "others": last}
        answer = as_said(f"{outcome} = {bad[0]}") if bad else ""
        good = next((one.label for one in labels if (one.column, one.value) == (outcome, choice.favourable)), "")
        told = (
            say(
                "{who} get the prediction {answer} more often than {others} {where}",
                answer=answer,
                where=happened(good or choice.favourable),
                **known,
            )
            if bad and choice.favourable
            else say("{who} get the prediction {answer} more often than {others}", answer=answer, **known)
            if bad
            else say("{who} get the worse answer more often than {others}", **known)
        )
    read = literal(upper_first(labelled(told, labels, outcome or "", summary.names)))
    if not unnamed:
        return say("Headlines will read like this: “{sentence}”.", sentence=read)
    return say(
        "Headlines will read like this: “{sentence}”. Does everybody understand it? Labels written below change it.",
        sentence=read,
    )


def _ask_about(column: str, summary: TableSummary, known: dict[tuple[str, str], str]) -> dict[tuple[str, str], str]:
    """The labels of a column and its values, beside each other, as its fields say."""
    written, asked = {}, ("", *_values(column, summary))
    for first in range(0, len(asked), _IN_A_ROW):
        for place, value in zip(st.columns(_IN_A_ROW), asked[first : first + _IN_A_ROW], strict=False):
            with place:
                written[column, value] = _ask(column, value, known)
    return written


def _ask(column: str, value: str, known: dict[tuple[str, str], str]) -> str:
    label = st.text_input(
        say("Label of {name}", name=literal(f"{column} = {value}" if value else column)),
        known.get((column, value), ""),
        key=forms.key_of(f"roles.labels.{column}.{value}"),
        max_chars=LONGEST_LABEL,
    )
    return label.strip()


def _values(name: str, summary: TableSummary) -> list[str]:
    """The values of a column that holds few."""
    column = summary.column(name)
    return sorted(column.values) if not column.quantity and column.distinct <= _MOST_VALUES else []
