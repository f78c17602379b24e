"""The form of a fair metric: what may differ between people who count as similar."""

from typing import Any

import streamlit as st

from core.language.phrases import listed
from core.language.told import retold, say
from core.metrics import METRICS, Metric
from core.metrics.expert import Expert
from core.models.text import TextModelSource
from dashboard import forms, session
from dashboard.draft import Draft
from dashboard.jobs.answers import unpack
from dashboard.jobs.previews import ModelPreview
from dashboard.text import literal
from dashboard.views.similar.metric_files import editors_of
from dashboard.waiting import known


def choose(draft: Draft, current: Metric | None, key: str, *, between_groups: bool = False) -> Metric | None:
    """The fair metric as the widgets say; the current one while they are not valid, None while a file is missing.

    Who switches to another kind finds there what they last chose of it, as far as its columns are still there.

    Args:
        draft: The columns there are.
        current: What is chosen so far.
        key: Prefix of the widgets' keys.
        between_groups: Whether people are compared with those of other groups, who may be alike in all that is read.
    """
    other = "columns" if isinstance(draft.model, TextModelSource) else "texts"
    offered = {name: kind for name, kind in METRICS.items() if kind.reads != other}
    names = tuple(offered)
    name = st.radio(
        say("What must not matter is"),
        names,
        index=names.index(current.kind) if current is not None and current.kind in names else 0,
        format_func=lambda kind: retold(offered[kind].title),
        captions=[retold(kind.about) for kind in offered.values()],
        key=f"{key}.kind",
    )
    kind, options = offered[name], {"free": _read(draft), "protected": draft.roles.protected}
    last = session.of_each_kind(key)
    if current is not None:
        last[current.kind] = current
    values = dict(last.get(name, ()))
    if current is None or current.kind != name:
        values |= {
            field: tuple(one for one in values[field] if one in options[field])
            for field in options.keys() & values.keys()
        }
    main = st.container()
    for field, editor in editors_of(kind).items():
        values[field] = editor(kind.model_fields[field], draft, values.get(field), f"{key}.{field}")
        if values[field] is None and kind.model_fields[field].is_required():
            return None
    direct = tuple(field for field in forms.drawable(kind) if field in ("free", "protected"))
    with main:
        chosen = _draw(kind, values, options, direct, key)
    if isinstance(chosen, Expert):
        alike = between_groups and not {*draft.roles.protected} & {*_read(draft)}
        return chosen if alike else _named(chosen, draft)
    return current if chosen is None else chosen


def _read(draft: Draft) -> tuple[str, ...]:
    """The features, and the protected attributes that the model is known to read though they are none."""
    seen = None if draft.model is None else known("inspect_model", draft.about_model)
    read = () if seen is None else unpack(seen, ModelPreview).report.features
    return (
        *draft.roles.features,
        *(one for one in draft.roles.protected if one in read and one not in draft.roles.features),
    )


def _named(chosen: Expert, draft: Draft) -> Expert | None:
    """The columns that somebody named, with what is doubtful about them; None where nothing is named."""
    if chosen.frees_nothing:
        st.warning(
            say("Name at least one column that may differ: with none, nobody is similar to anybody else."),
            icon=":material/pending_actions:",
        )
        return None
    if counted := chosen.counted(draft.roles.protected, _read(draft)):
        st.warning(
            say(
                "Protected, but not named: {columns}. People who differ there do not count as similar, so that hardly "
                "anybody is compared across them.",
                columns=listed([literal(name) for name in counted]),
            ),
            icon=":material/warning:",
        )
    return chosen


def _draw(
    kind: type[Metric],
    values: dict[str, Any],
    options: dict[str, tuple[str, ...]],
    direct: tuple[str, ...],
    prefix: str,
) -> Metric | None:
    """The fields everybody needs, and the others behind a fold."""
    key = f"{prefix}.{kind.__name__}"
    if direct:
        first = forms.draw(kind, values, key, fields=direct, options=options)
        if first is None:
            return None
        values = dict(first)
    rest = tuple(name for name in forms.drawable(kind) if name not in direct)
    if not rest:
        return kind(**values)
    with st.expander(say("More settings"), icon=":material/tune:"):
        return forms.draw(kind, values, key, fields=rest, options=options)
