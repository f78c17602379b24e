"""Read: one text at a time, its words shaded by both models, what was answered, and what exchanged words change."""

from collections.abc import Callable
from typing import TypeVar

import numpy as np
import pandas as pd
import streamlit as st

from core.audits.text_sensitivity.answers import column
from core.audits.text_sensitivity.decision import TextSensitivityDecision
from core.audits.text_sensitivity.result import MEASURES, TextScores, TextSensitivityDetail, TextSensitivityResult
from core.figures import shaded_text
from core.figures.shaded_text import ReadWords
from core.phrases import count, number, percent
from core.plan import AuditPlan
from core.settings import name_of_choice
from dashboard.audits.text_sensitivity.results_order import ANY, ORDERS, Filter, Order, places, rank_text
from dashboard.text import literal
from dashboard.views.results.decision import widget_key
from dashboard.views.results.tables import show_facts

T = TypeVar("T")

MOST_WORDS_TOLD = 5
"""Words named in the sentence about each model."""


def show(plan: AuditPlan, result: TextSensitivityResult, decision: TextSensitivityDecision) -> None:
    """The whole tab."""
    shown, total = result.detail.shown, len(result.detail.label)
    if not len(shown.rows):
        st.info(
            "No text was kept for reading. To read texts here, allow some in the settings of the test.",
            icon=":material/info:",
        )
        return
    if len(shown.rows) < total:
        st.caption(
            f"{len(shown.rows):,} of {count(total, 'text')} were kept for reading: about half of them those the model "
            "is most sensitive in, the others drawn at random. They stay on this machine: no report holds a text."
        )
    else:
        st.caption("They stay on this machine: no report holds a text.")
    st.html(shaded_text.STYLE)
    _reader(plan, result, decision)


@st.fragment
def _reader(plan: AuditPlan, result: TextSensitivityResult, decision: TextSensitivityDecision) -> None:
    """Filters, order and the text; none of it draws the rest of the page again."""
    detail = result.detail
    measured = column(detail.audited, decision.measure, decision.signed)
    order = _order(plan, decision)
    found = places(detail, measured, order, _filter(plan, detail))
    if not len(found):
        st.info("No kept text is like that. Take a filter away.", icon=":material/filter_alt:")
        return
    place = int(found[_place(plan, len(found)) - 1])
    text, beside = st.columns([5, 3], gap="large")
    with text:
        _text(detail, place)
    with beside:
        _answer(result, decision, measured, place)
    _counterpart(detail, place)


def _order(plan: AuditPlan, decision: TextSensitivityDecision) -> Order:
    names: dict[Order, str] = {
        "measure": f"{decision.measure}, largest first",
        "CF": "Effect of exchanged words, largest first",
        "unsure": "Least confident first",
        "record": "As in the file",
    }
    offered = [one for one in ORDERS if one != "CF" or decision.measure != "CF"]
    key = widget_key("order", plan)
    if st.session_state.get(key, offered[0]) not in offered:
        st.session_state[key] = offered[0]
    chosen: Order = st.selectbox(
        "Order",
        offered,
        format_func=names.__getitem__,
        key=key,
        on_change=_first,
        args=(plan,),
        bind="query-params",
        width=320,
    )
    return chosen


def _filter(plan: AuditPlan, detail: TextSensitivityDetail) -> Filter:
    """What a text has to be; each filter only where it can tell texts apart."""
    groups = [(ANY, ANY)] + [
        (m, g) for m, membership in enumerate(detail.memberships) for g in range(len(membership.groups))
    ]
    changes = bool(detail.audited.flipped[detail.shown.rows].any())
    with st.expander("Choose which texts to read", icon=":material/filter_alt:"):
        with st.container(horizontal=True):
            group = (
                _choice(plan, "group", "Group", groups, lambda one: _group_name(detail, one))
                if len(groups) > 1
                else groups[0]
            )
            true = predicted = ANY
            classes = [ANY, *range(len(detail.classes))]
            if (detail.label >= 0).any():
                true = _choice(plan, "true", "True class", classes, lambda one: _class_name(detail, one))
            predicted = _choice(plan, "predicted", "Predicted class", classes, lambda one: _class_name(detail, one))
        changed = changes and st.toggle(
            "Only texts whose predicted class changes when words are exchanged",
            key=widget_key("changed", plan),
            on_change=_first,
            args=(plan,),
            bind="query-params",
        )
    return Filter(max(group[0], 0), group[1], true, predicted, bool(changed))


def _choice(plan: AuditPlan, field: str, label: str, options: list[T], name: Callable[[T], str]) -> T:
    chosen: T = st.selectbox(
        label,
        options,
        format_func=name,
        key=widget_key(f"read-{field}", plan),
        on_change=_first,
        args=(plan,),
        bind="query-params",
        width=240,
    )
    return chosen


def _group_name(detail: TextSensitivityDetail, one: tuple[int, int]) -> str:
    if one[0] == ANY:
        return "All groups"
    membership = detail.memberships[one[0]]
    return f"{membership.attribute}: {membership.groups[one[1]]}"


def _class_name(detail: TextSensitivityDetail, one: int) -> str:
    return "All classes" if one == ANY else detail.classes[one]


def _first(plan: AuditPlan) -> None:
    """Begin at the first text whenever order or filter change."""
    st.session_state[widget_key("text", plan)] = 1


def _go(key: str, to: int) -> None:
    st.session_state[key] = to


def _place(plan: AuditPlan, texts: int) -> int:
    """Which of the texts found is read, from 1; the buttons and the number keep it in the address."""
    key = widget_key("text", plan)
    if key in st.session_state:
        st.session_state[key] = min(max(int(st.session_state[key] or 1), 1), texts)
    with st.container(horizontal=True, vertical_alignment="center"):
        back, forth = st.empty(), st.empty()
        now: int = st.number_input(
            "Number of the text", 1, texts, key=key, bind="query-params", label_visibility="collapsed", width=130
        )
        st.markdown(f"of {count(texts, 'text')}", width="content")
    back.button("Previous", icon=":material/arrow_back:", disabled=now == 1, on_click=_go, args=(key, now - 1))
    forth.button("Next", icon=":material/arrow_forward:", disabled=now == texts, on_click=_go, args=(key, now + 1))
    return now


def _text(detail: TextSensitivityDetail, place: int) -> None:
    read = ReadWords.of(detail.shown, place)
    with_status = bool(np.isfinite(read.status).any())
    if not len(read.words):
        st.info("This text holds no word.", icon=":material/info:")
        return
    st.html(
        shaded_text.legend(read, with_status=with_status) + shaded_text.render(read, with_status=with_status),
    )
    st.markdown(_most("The audited model's answer hangs most on", read.words, read.task))
    if with_status:
        st.markdown(_most("What gives the group away most is", read.words, read.status))
    if read.cut.any():
        st.caption(f"The model does not read the last {count(int(read.cut.sum()), 'word')}: the text is too long.")
    with st.expander("The same as a table"):
        st.table(_table(read, with_status=with_status), border="horizontal")


def _most(told: str, words: tuple[str, ...], shares: np.ndarray) -> str:
    """The words with the largest shares, each once however often it occurs, signs left out."""
    sums: dict[str, float] = {}
    for word, value in zip(words, np.nan_to_num(shares).tolist(), strict=True):
        if any(letter.isalnum() for letter in word):
            sums[word.lower()] = sums.get(word.lower(), 0.0) + value
    largest = sorted((word for word, value in sums.items() if value > 0), key=lambda word: -sums[word])[
        :MOST_WORDS_TOLD
    ]
    if not largest:
        return f"{told}: no word."
    often = [word.lower() for word in words]
    named = (
        f"**{literal(word, 40)}** {_share(sums[word])}" + (f" ({n} times)" if (n := often.count(word)) > 1 else "")
        for word in largest
    )
    return f"{told}: {', '.join(named)}."


def _share(value: float) -> str:
    return literal(shaded_text.share(float(value)))


def _table(read: ReadWords, *, with_status: bool) -> pd.DataFrame:
    columns = {
        "Word": [literal(word, 60) for word in read.words],
        "Audited model": ["not read" if cut else _share(value) for value, cut in zip(read.task, read.cut, strict=True)],
        "wᵀJ": ["" if cut else literal(number(v)) for v, cut in zip(read.task_size, read.cut, strict=True)],
    }
    if with_status:
        columns["Protected status model"] = [
            "not read" if cut else _share(value) for value, cut in zip(read.status, read.cut, strict=True)
        ]
    columns["Names a group"] = ["yes" if one else "" for one in read.listed]
    return pd.DataFrame(columns, index=pd.RangeIndex(1, len(read.words) + 1, name="Place"))


def _answer(result: TextSensitivityResult, decision: TextSensitivityDecision, measured: np.ndarray, place: int) -> None:
    """What the model answered, and how far this text leans on protected information."""
    detail = result.detail
    row = int(detail.shown.rows[place])
    scores, true = detail.audited, int(detail.label[row])
    predicted = detail.classes[scores.predicted[row]]
    facts = {"Predicted class": f"{predicted}, confidence {percent(round(float(scores.confidence[row]), 3))}"}
    if true >= 0:
        facts["True class"] = f"{detail.classes[true]}: {'✓ right' if true == scores.predicted[row] else '✗ wrong'}"
    judged = detail.annotation[row]
    if np.isfinite(detail.annotation).any():
        facts["Judged by people"] = "not judged" if np.isnan(judged) else "biased" if judged else "not biased"
    for membership in detail.memberships:
        facts[membership.attribute] = membership.groups[membership.codes[row]]
    if decision.measure != "CF":
        rank = rank_text(measured, row)
        told = f"{number(float(measured[row]))}; {rank}" if rank else _without(decision)
        facts[name_of_choice(TextSensitivityDecision, "measure", decision.measure)] = told
    facts["Effect of exchanged words (CF)"] = effect(scores, row)
    if detail.reference is not None:
        facts["Second model"] = _second(detail.reference, detail, row)
    facts["Record"] = f"{int(detail.shown.records[place]):,}"
    show_facts(facts, "This text", "")


def _without(decision: TextSensitivityDecision) -> str:
    reason = "no word of this text names a group" if decision.measure in ("P4", "P5") else "not to be had"
    return f"not applicable: {reason}"


def effect(scores: TextScores, row: int) -> str:
    """What exchanging words does to a model's answer, in words."""
    moved = float(scores.measures[row, MEASURES.index("CF")])
    if np.isnan(moved):
        return "not applicable: no word is exchanged"
    becomes = "the predicted class changes" if scores.flipped[row] else "the predicted class stays"
    return f"{percent(round(moved, 4))} of the probability moves, {becomes}"


def _second(scores: TextScores, detail: TextSensitivityDetail, row: int) -> str:
    answer = f"{detail.classes[scores.predicted[row]]}, confidence {percent(round(float(scores.confidence[row]), 3))}"
    return f"{answer}; {effect(scores, row)}"


def _counterpart(detail: TextSensitivityDetail, place: int) -> None:
    """The text with its words exchanged, the changed ones marked, and what becomes of the answer."""
    exchanged, row = detail.shown.exchanged[place], int(detail.shown.rows[place])
    st.subheader("With exchanged words", anchor=False)
    if not exchanged:
        st.caption("No word of this text has a counterpart, so that nothing is exchanged.")
        return
    made = shaded_text.counterpart(detail.shown.texts[place], exchanged)
    st.html(made.html)
    told = effect(detail.audited, row)
    changes = ", ".join(
        dict.fromkeys(f"{literal(a or '(nothing)')} → {literal(b or '(nothing)')}" for a, b in made.changes)
    )
    st.caption(f"Exchanged, in bold above: {changes}.")
    icon = ":material/sync_problem:" if detail.audited.flipped[row] else ":material/check:"
    st.markdown(f"{icon} {literal(told[:1].upper() + told[1:])}.")
