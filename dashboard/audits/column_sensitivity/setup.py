"""What the sensitivity test of columns changes with a group: its own column, and features that carry it."""

import math

import pandas as pd
import streamlit as st

from core.audits.column_sensitivity.planning import CarrierMeans, CarriersLook
from core.audits.column_sensitivity.settings import ColumnSensitivity
from core.base.thresholds import SMALL_GROUP
from core.language.phrases import count, listed, number, percent, quoted, whole
from core.language.told import say
from dashboard import forms, session
from dashboard.draft import Draft
from dashboard.jobs.answers import unpack
from dashboard.text import literal
from dashboard.waiting import answer

_MOST_GROUPS = 8
"""The means of more groups have no room beside each other."""
_SPARE = 1.5
"""Rows of a group to learn from, on average, in units of the fewest, so that a random draw has enough of them."""
_MOST_LEARNED = 0.9


def show(draft: Draft) -> str:
    """Say what changes with a group, and see the differences; returns why the next step is shut."""
    st.write(
        say(
            "Similar means the same person in another group. Where the model reads a protected column, that "
            "column is changed. Everything else stays as it is, unless you say below that it goes with the "
            "group and should not count."
        )
    )
    found = answer("look_at_carriers", draft.about_model, say("Comparing the groups"))
    if found is None:
        return say("The groups are not compared yet.")
    seen = unpack(found, CarriersLook)
    _tell_what_is_read(draft.told(seen))
    draft, problem = _choose(draft, seen)
    if problem:
        return problem
    if not draft.settings(ColumnSensitivity).through and not any(one.read for one in seen.attributes):
        return say("The model reads no protected column, so nothing would change: name a feature that carries one.")
    return ""


def _tell_what_is_read(seen: CarriersLook) -> None:
    read = [literal(one.attribute) for one in seen.attributes if one.read]
    unread = [literal(one.attribute) for one in seen.attributes if not one.read]
    if read:
        st.markdown(say("Changed in any case, because the model reads it: **{read}**.", read="**, **".join(read)))
    if unread:
        st.markdown(
            say(
                "Not read by the model: **{unread}**. It matters only through features that carry it.",
                unread="**, **".join(unread),
            )
        )


def _choose(draft: Draft, seen: CarriersLook) -> tuple[Draft, str]:
    """The features that carry the attributes, beside how far they differ between the groups."""
    if not seen.features:
        st.caption(
            say(
                "Beside the protected columns this test changes only features that hold numbers, by the mean "
                "difference between the groups. The model reads no such feature, so that no other column changes with "
                "the group, however much columns differ between groups."
            )
        )
        _tell_categories(draft.told(seen))
        return session.keep(draft, draft.settings(ColumnSensitivity).model_copy(update={"through": ()})), ""
    st.header(say("Features that carry the attribute"))
    st.caption(
        say(
            "For example the length of the hair: if it should not count, let it change with the group by the "
            "mean difference between the groups. Leave out what should count, such as experience: that "
            "people differ there is not what this test is about."
        )
    )
    _offer(draft, seen)
    known = draft.settings(ColumnSensitivity)
    kept = known.model_copy(update={"through": tuple(name for name in known.through if name in seen.features)})
    fields = ("through", "share") if kept.through else ("through",)
    drawn = forms.draw(
        ColumnSensitivity, dict(kept), "column_sensitivity", fields=fields, options={"through": seen.features}
    )
    if drawn is None:
        return draft, say("A setting is not valid yet.")
    strange = [name for name in drawn.through if name not in seen.features]
    if strange:
        return draft, say(
            "{feature} is no feature that holds numbers and is read by the model.", feature=quoted(strange[0])
        )
    changed = session.keep(draft, drawn)
    if bool(drawn.through) != bool(kept.through):
        st.rerun()
    told = draft.told(seen)
    problem = _too_few_to_learn_from(drawn, seen, told) if drawn.through else ""
    _tell_categories(told)
    for one in told.attributes:
        _show_differences(told, one)
    return changed, problem


def _tell_categories(seen: CarriersLook) -> None:
    """Which features are not offered, and what sees them instead."""
    if seen.categories:
        st.info(
            say(
                "Not offered: {features}. They hold categories, and categories have no mean that could change with "
                "the group. What they tell the model of a group is not measured here: tests that compare groups see "
                "it. To change one of them in its own right, make it protected in the first step.",
                features=literal(listed([*seen.categories])),
            ),
            icon=":material/category:",
        )


def _too_few_to_learn_from(chosen: ColumnSensitivity, seen: CarriersLook, told: CarriersLook) -> str:
    """Why means cannot be learned for the smallest group, beside a larger share that would do; empty if they can."""
    rows, name = min(
        (int(rows), f"{shown.attribute} = {group}")
        for one, shown in zip(seen.attributes, told.attributes, strict=True)
        for rows, group in zip(one.rows, shown.groups, strict=True)
    )
    if rows * chosen.share >= SMALL_GROUP:
        return ""
    enough = math.ceil(10 * _SPARE * SMALL_GROUP / rows) / 10
    if enough <= _MOST_LEARNED and st.button(
        say("Learn from {share} of the rows", share=percent(enough)), key="column_sensitivity.more"
    ):
        session.keep(session.draft(), chosen.model_copy(update={"share": enough}))
        forms.forget("column_sensitivity")
        st.rerun()
    return say(
        "Of {people} with {group}, about {learned} would be learned from, and a mean needs at least {fewest}. Learn "
        "from a larger share of the rows, merge small groups in the table, or name no feature.",
        people=count(rows, "person", "people"),
        group=name,
        learned=whole(round(rows * chosen.share)),
        fewest=SMALL_GROUP,
    )


def _offer(draft: Draft, seen: CarriersLook) -> None:
    """Features that tell an attribute and do not change with it yet: one click lets them."""
    known = draft.settings(ColumnSensitivity)
    for one in seen.attributes:
        left = tuple(name for name in one.told_by if name not in known.through)
        if not left:
            continue
        names, attribute, alone = map(quoted, draft.told(left)), literal(draft.told(one.attribute)), len(left) == 1
        features = literal(listed(list(names)))
        st.warning(
            say(
                "**{feature}** tells {attribute} almost without error, so that the model can go by it instead. Unless "
                "it changes with the group, no model can be cleared.",
                feature=features,
                attribute=attribute,
            )
            if alone
            else say(
                "**{features}** tell {attribute} almost without error, so that the model can go by them instead. "
                "Unless they change with the group, no model can be cleared.",
                features=features,
                attribute=attribute,
            ),
            icon=":material/warning:",
        )
        let = (
            say("Let it change with {attribute}", attribute=attribute)
            if alone
            else say("Let them change with {attribute}", attribute=attribute)
        )
        if st.button(let, key=f"carry.{one.attribute}"):
            session.keep(draft, known.model_copy(update={"through": (*known.through, *left)}))
            forms.forget("column_sensitivity")
            st.rerun()


def _show_differences(seen: CarriersLook, one: CarrierMeans) -> None:
    """The difference between the groups, for several the largest one, and the means where they have room."""
    st.markdown(say("**How the groups of {attribute} differ**", attribute=literal(one.attribute)))
    apart = one.means.max(axis=0) - one.means.min(axis=0)
    columns = {
        say("Difference of means") if len(one.groups) == 2 else say("Largest difference of means"): [
            say("{gap} ({deviations} SD)", gap=number(float(gap)), deviations=number(float(gap / spread)))
            if spread > 0
            else say("none")
            for gap, spread in zip(apart, seen.spreads, strict=True)
        ]
    }
    if len(one.groups) <= _MOST_GROUPS:
        columns |= {
            f"{literal(group, 24)} ({whole(int(rows))})": [number(float(mean)) for mean in means]
            for group, rows, means in zip(one.groups, one.rows, one.means, strict=True)
        }
    index = pd.Index([literal(name) for name in seen.features], name=say("Feature"))
    st.table(pd.DataFrame(columns, index=index), border="horizontal")
    st.caption(say("SD: standard deviations of the feature. In brackets behind a group: its people."))
