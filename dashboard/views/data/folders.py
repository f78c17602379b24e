"""A table too large to be brought: a folder of Parquet files that the operator offers, drawn from or counted."""

from typing import Any

import streamlit as st

from core.base.errors import EvenhandError, SourceError
from core.base.files import FileRef, state_of, table_folder, table_folders
from core.data.roles import Roles
from core.language.phrases import count, listed, quoted
from core.language.told import say
from core.sources.upload.limits import MAXIMUM_ROWS
from core.sources.upload.uploaded import UploadedTable
from dashboard import forms, session
from dashboard.draft import Draft, RolesChoice
from dashboard.jobs.job import Needs
from dashboard.messages import show_failure
from dashboard.needed import too_large
from dashboard.text import literal
from dashboard.views.data.taking import take
from dashboard.waiting import answer, size

_DRAWN, _FROM, _COUNTED = "data.folder_drawn", "data.folder_from", "data.folder_counted"
_ROWS = 100_000


def choose() -> Draft:
    """The draft with rows of a folder, or with all of them counted; without a table until one of both is there."""
    draft = session.draft()
    try:
        asked = _asked()
    except (EvenhandError, OSError) as error:
        show_failure(error if isinstance(error, EvenhandError) else _unreadable())
        return draft.model_copy(update={"data": None})
    drawn = _drawn(asked)
    if drawn is None:
        return draft.model_copy(update={"data": None})
    st.session_state[_FROM] = ({name: asked[name] for name in ("folder", "state")}, drawn.fingerprint)
    if draft.data == drawn:
        return draft
    if draft.data is not None and st.session_state.get(_COUNTED) == draft.data.fingerprint:
        st.success(say("All rows are counted."), icon=":material/check:")
        return draft
    return take(drawn)


def _asked() -> dict[str, Any]:
    name = st.selectbox(say("Folder"), table_folders(), key="data.folder")
    rows = st.number_input(say("Rows drawn at random"), 1_000, MAXIMUM_ROWS, _ROWS, key="data.folder_rows")
    return {"folder": name, "rows": int(rows), "state": state_of(table_folder(name))}


def _unreadable() -> SourceError:
    return SourceError(
        say("The folder cannot be read."), advice=say("Choose another one, or ask whoever runs this machine.")
    )


def _drawn(asked: dict[str, Any]) -> UploadedTable | None:
    """Rows of the folder, drawn once somebody asked for them; None before."""
    looked = answer("look_into_folder", asked, say("Looking into the folder"))
    if looked is None:
        return None
    needs = Needs(memory=looked["memory"])
    st.caption(
        say(
            "{rows} in {files}. Rows drawn at random say what columns are for; then all rows can be counted. Drawing "
            "takes up to {size} of memory.",
            rows=count(looked["rows"], "row"),
            files=count(looked["files"], "file"),
            size=size(needs.memory),
        )
    )
    if reason := too_large(needs):
        st.error(reason, icon=":material/memory:")
    elif st.button(say("Draw these rows"), key="data.draw", icon=":material/shuffle:"):
        st.session_state[_DRAWN] = asked
    if reason or st.session_state.get(_DRAWN) != asked:
        return None
    found = answer("draw_folder", asked | {"seed": 0}, say("Drawing rows at random"), needs=needs)
    return None if found is None else UploadedTable(file=FileRef.model_validate(found["file"]))


def offer_count() -> None:
    """A button that counts all rows where some were drawn, in the columns that have a role, once these are chosen."""
    draft = session.draft()
    folder, drawn = st.session_state.get(_FROM, ({}, ""))
    roles = draft.roles.roles
    if draft.data is None or draft.data.fingerprint != drawn or draft.roles_problem or roles is None:
        return
    if roles.text or roles.belongs_to or roles.counts:
        st.caption(say("Counts keep neither texts nor which rows belong together: the rows drawn are audited."))
        return
    kept = roles.model_copy(update={"features": ()})
    about = {**folder, "columns": list(kept.columns), "features": list(roles.features)}
    about["answers"] = list(roles.predictions)
    planned = answer("plan_count", about, say("Looking into the folder"))
    if planned is None:
        return
    needs = Needs(memory=planned["memory"])
    told = say(
        "Counting all rows in {columns} takes up to {size} of memory.",
        columns=listed([*map(quoted, planned["columns"])]),
        size=size(needs.memory),
    )
    left = say(
        "Not counted, as hardly two rows would be alike: {names}.", names=listed([*map(quoted, planned["left"])])
    )
    st.caption(literal(f"{told} {left if planned['left'] else ''}"))
    asked = {**folder, "columns": planned["columns"]}
    if reason := too_large(needs):
        st.error(reason, icon=":material/memory:")
    elif st.button(say("Count all rows"), key="data.count", icon=":material/functions:"):
        st.session_state[_COUNTED] = asked
    if reason or st.session_state.get(_COUNTED) != asked:
        return
    found = answer("count_folder", asked, say("Counting the rows"), needs=needs)
    if found is not None:
        _take_counts(found, roles, planned["columns"])


def _take_counts(found: dict[str, Any], roles: Roles, columns: list[str]) -> None:
    """The counts as the table, in the same roles."""
    counted = UploadedTable(file=FileRef.model_validate(found["file"]))
    st.session_state[_COUNTED] = counted.fingerprint
    some = {
        name: tuple(one for one in getattr(roles, name) if one in columns)
        for name in ("features", "numeric", "categorical")
    }
    chosen = RolesChoice(**dict(roles.model_copy(update=some | {"counts": found["counts"]})))
    forms.forget("roles")
    session.change(data=counted, roles=chosen, roles_are="confirmed", model=None, tests=())
    st.rerun()
