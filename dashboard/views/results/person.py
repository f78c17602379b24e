"""Change a person of the table: what the model answers, how similar both are, and how its error changes, at once.

What is typed stands in the session and in a job of this visitor's, never in the address, a report, slides or a record.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from core.contracts.audit import AbstractAudit
from core.data.possible import Values
from core.language.phrases import distance, number, percent, several, whole
from core.language.told import retold, say
from core.models.edited import LONGEST_TEXT, Edited
from core.models.endpoint.settings import endpoints_in
from core.plan import AuditPlan
from core.result import AuditResult
from core.study import Study
from dashboard.jobs import queue as jobs
from dashboard.jobs.answers import unpack
from dashboard.jobs.editing import ChangedPerson
from dashboard.messages import guarded
from dashboard.text import literal
from dashboard.waiting import answer

_PATIENCE = 2.0
"""Seconds for which a change is waited for without a bar."""


@dataclass(frozen=True)
class Person:
    """Whose values can be changed, and by which test's metric the change is measured.

    Attributes:
        plan: The test.
        result: What it found.
        key: Prefix of the widgets' keys.
        record: The person's record number; 0 to let the reader choose.
        begin: Columns that are proposed to be changed, with their new values.
        first: The record number of who stands beside the verdict, with whom the reader begins; 0 for nobody.
    """

    plan: AuditPlan
    result: AuditResult
    key: str
    record: int = 0
    begin: tuple[tuple[str, Any], ...] = ()
    first: int = 0


def can_be_asked(plan: AuditPlan) -> bool:
    """Whether the model of a test answers about anybody, at once and without cost."""
    arguments = plan.model.model_dump(mode="json")
    return not plan.model.answers_in_the_table and next(endpoints_in(arguments), None) is None


def offer(study: Study, results: tuple[AuditResult, ...], *, first: int = 0) -> None:
    """Room for changing any person, closed until somebody opens it; nothing where the model cannot be asked.

    Args:
        study: What was run.
        results: What it found.
        first: The record number of who stands beside the verdict; 0 for nobody.
    """
    place = next((place for place, one in enumerate(results) if one.metric is not None), 0)
    offer_for(Person(study.plans[place], results[place], f"person-{study.result_fingerprint[:6]}", first=first))


def offer_for(person: Person) -> None:
    """The same for one person."""
    if not (can_be_asked(person.plan) and _may_read_the_table()):
        return
    if person.plan.roles.text:
        title = say("Change this text and ask the model") if person.record else say("Change a text and ask the model")
    else:
        title = (
            say("Change this person and ask the model") if person.record else say("Change a person and ask the model")
        )
    room = st.expander(title, icon=":material/person_edit:", key=f"{person.key}-open", on_change="rerun")
    if room.open:
        with room:
            st.fragment(guarded()(_show))(person)


def _may_read_the_table() -> bool:
    """Whether this visitor may run the audit of the address again, and so read its uploads."""
    job = jobs.find(st.query_params.get("audit", ""))
    return job is None or jobs.may_repeat(job)


def _show(person: Person) -> None:
    st.caption(say("Only this page shows what you change: no report, record or link holds it."))
    record = person.record
    if not record:
        key = f"{person.key}-record"
        given = st.number_input(
            say("Row of the table"),
            min_value=1,
            value=person.first or None,
            step=1,
            key=key,
            placeholder=say("the first one"),
        )
        st.caption(
            say("Row {record} stands beside the verdict, so it is shown first.", record=whole(person.first))
            if person.first
            else say("Any row of the table; the first one is shown until you choose another.")
        )
        record = int(given or 0)
    asked = _ask(person, record, {})
    if asked is None:
        return
    changes = _changes(person, asked)
    if changes is None:
        return
    changed = _ask(person, record, changes) if changes else asked
    if changed is not None:
        _tell(person, changed.edited)


def _ask(person: Person, record: int, changes: dict[str, Any]) -> ChangedPerson | None:
    """What the model answers; None while it works, or where it cannot, which this shows."""
    plan = person.plan
    audit: AbstractAudit = plan.audit
    arguments = {
        "source": plan.data.model_dump(mode="json"),
        "roles": plan.roles.model_dump(mode="json"),
        "model": plan.model.model_dump(mode="json"),
        "audit": audit.model_dump(mode="json"),
        "record": record,
        "changes": changes,
    }
    packed = answer("edit_person", arguments, say("Asking the model"), patience=_PATIENCE)
    return None if packed is None else unpack(packed, ChangedPerson)


def _changes(person: Person, asked: ChangedPerson) -> dict[str, Any] | None:
    """What the widgets say, only what differs from the table; None where nothing can be read."""
    own, record = asked.edited.people.iloc[0], asked.edited.record
    key = f"{person.key}-{record}"
    if not asked.columns:
        name = str(own.index[0])
        text = st.text_area(
            say("Text of row {record}", record=whole(record)),
            value=str(own.iloc[0]),
            max_chars=LONGEST_TEXT,
            key=f"{key}-text",
        )
        return {} if text == str(own.iloc[0]) else {name: text}
    columns, begin = {one.name: one for one in asked.columns}, dict(person.begin)
    names = {one.column: one.label for one in person.plan.roles.labels if not one.value}
    chosen = st.multiselect(
        say("What do you want to change?"),
        list(columns),
        default=[name for name in begin if name in columns],
        format_func=lambda name: names.get(name, name),
        key=f"{key}-columns",
    )
    found = {}
    with st.container(horizontal=True, key=f"{key}-values"):
        for name in chosen:
            value = _value(person, columns[name], own[name], begin.get(name, own[name]), key)
            if value is not None and value != _plain(own[name]):
                found[name] = value
    return found


def _value(person: Person, held: Values, own: Any, begins: Any, key: str) -> Any:
    """What the widget of one column says."""
    labels = {one.value: one.label for one in person.plan.roles.labels if one.column == held.name and one.value}
    label = next(
        (one.label for one in person.plan.roles.labels if one.column == held.name and not one.value), held.name
    )
    named: dict[str, Any] = {"width": 240, "key": f"{key}-{held.name}", "help": _was(held, own, labels)}
    if not held.are_numbers:
        options = list(held.categories)
        place = options.index(str(begins)) if str(begins) in options else 0
        return st.selectbox(literal(label), options, place, format_func=lambda one: labels.get(one, one), **named)
    if held.occurring.tolist() == [0.0, 1.0]:
        return st.selectbox(
            literal(label),
            [0, 1],
            int(begins),
            format_func=lambda one: labels.get(str(one), str(one)),
            **named,
        )
    if held.whole:
        return st.number_input(literal(label), value=int(begins), step=1, **named)
    return st.number_input(
        literal(label),
        value=float(begins),
        step=10.0**-held.decimals,
        format=f"%.{held.decimals}f",
        **named,
    )


def _was(held: Values, own: Any, labels: dict[str, str]) -> str:
    """The person's own value, and what occurs."""
    if not held.are_numbers:
        return say("In the table: {value}", value=literal(labels.get(str(own), str(own))))
    return say(
        "In the table: {value}. Others have {low} to {high}.",
        value=number(float(own), held.decimals),
        low=number(held.low, held.decimals),
        high=number(held.high, held.decimals),
    )


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _tell(person: Person, edited: Edited) -> None:
    """Answers side by side, and a sentence on each of distance and error."""
    edited = edited.under(person.result.metric, person.plan.audit.smallest_loss)
    st.table(_answers(person, edited), border="horizontal", hide_index=True)
    told = list(_sentences(person, edited))
    if told:
        st.markdown(literal(" ".join(told)))


def _answers(person: Person, edited: Edited) -> pd.DataFrame:
    outcome = person.result.data.outcome or person.result.data.decision
    if not edited.classes:
        rows = [(say("Predicted {outcome}", outcome=outcome), *map(number, map(float, edited.answers[:, 0])))]
    else:
        best = edited.answers.argmax(axis=1)
        shown = {*best.tolist(), *(place for place, one in enumerate(edited.classes) if one == edited.outcome)}
        rows = [(say("Answer"), *(edited.classes[place] for place in best))]
        rows += [
            (
                say("Chance of {outcome} = {true}", outcome=outcome, true=edited.classes[place]),
                *(percent(round(float(one), 4)) for one in edited.answers[:, place]),
            )
            for place in sorted(shown)
        ]
    heads = (say("Row {record}", record=whole(edited.record)), say("In the table"), say("As changed"))
    return pd.DataFrame([tuple(map(literal, row)) for row in rows], columns=list(heads))


def _sentences(person: Person, edited: Edited) -> Iterable[str]:
    if edited.people.iloc[0].equals(edited.people.iloc[1]):
        yield say("Nothing is changed yet.")
        return
    if np.isfinite(edited.distance):
        yield say(
            "Fair distance between the two: {distance} ({metric}).",
            distance=distance(edited.distance),
            metric=retold(person.result.metric.name) if person.result.metric is not None else "",
        )
    if not edited.classes:
        yield say("The prediction changes by {change}.", change=number(float(np.diff(edited.answers[:, 0])[0])))
    ratio = edited.ratio
    if np.isinf(ratio):
        yield say("The model now gives the recorded outcome no chance at all.")
    elif not np.isnan(ratio):
        yield say("The model is {ratio} times as far off.", ratio=number(ratio))
    if edited.beyond:
        yield say("Outside what occurs in the table: {columns}.", columns=several(edited.beyond))
