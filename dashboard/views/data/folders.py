"""A table too large to be brought: a folder of Parquet files that the operator offers, drawn from or counted."""

from typing import Any

import streamlit as st

from core.base.errors import EvenhandError, SourceError
from core.base.files import state_of, table_folder, table_folders
from core.data.roles import Roles
from core.language.phrases import count, listed, quoted
from core.language.told import say
from core.sources.folder.table import FolderTable
from core.sources.upload.limits import MAXIMUM_ROWS
from dashboard import forms, session
from dashboard.draft import Draft, RolesChoice
from dashboard.jobs.job import Needs
from dashboard.messages import show_failure
from dashboard.needed import too_large
from dashboard.text import literal
from dashboard.views.data.taking import take
from dashboard.waiting import answer, size

_WANTED = "data.folder_wanted"
_ROWS = 100_000


def choose() -> Draft:
    """The draft with rows of a folder, or with all of them counted; without a table until one of both is there."""
    draft = session.draft()
    before = draft.data if isinstance(draft.data, FolderTable) else None
    try:
        looked = answer("look_into_folder", _asked(before), say("Looking into the folder"))
    except (EvenhandError, OSError) as error:
        show_failure(error if isinstance(error, EvenhandError) else _unreadable())
        looked = None
    if looked is None:
        return draft.model_copy(update={"data": None})
    drawn, needs = FolderTable.model_validate(looked["drawn"]), Needs(memory=looked["memory"])
    st.caption(
        say(
            "{rows} in {files}. Rows drawn at random say what columns are for; then all rows can be counted. Drawing "
            "takes up to {size} of memory.",
            rows=count(drawn.folder.rows, "row"),
            files=count(looked["files"], "file"),
            size=size(needs.memory),
        )
    )
    wanted = _is_wanted(drawn, needs, say("Draw these rows"), "data.draw", ":material/shuffle:")
    if wanted and before != drawn and _is_read(drawn, needs, say("Drawing rows at random")):
        return take(drawn)
    if before is None or before.folder != drawn.folder or before.sample not in (0, drawn.sample):
        return draft.model_copy(update={"data": None})
    if not before.sample:
        st.success(say("All rows are counted."), icon=":material/check:")
    return draft


def _asked(before: FolderTable | None) -> dict[str, Any]:
    names, known = table_folders(), "" if before is None else before.folder.name
    place = names.index(known) if known in names else 0
    name = st.selectbox(say("Folder"), names, index=place, key="data.folder")
    rows = (before and before.sample) or _ROWS
    rows = st.number_input(say("Rows drawn at random"), 1_000, MAXIMUM_ROWS, rows, key="data.folder_rows")
    return {"folder": name, "rows": int(rows), "state": state_of(table_folder(name))}


def _unreadable() -> SourceError:
    return SourceError(
        say("The folder cannot be read."), advice=say("Choose another one, or ask whoever runs this machine.")
    )


def _is_wanted(source: FolderTable, needs: Needs, label: str, key: str, icon: str) -> bool:
    """A button that has the folder read in this way; whether somebody pressed it and the memory is there."""
    if reason := too_large(needs):
        st.error(reason, icon=":material/memory:")
    elif st.button(label, key=key, icon=icon):
        st.session_state[_WANTED] = source.fingerprint
    return not reason and st.session_state.get(_WANTED) == source.fingerprint


def _is_read(source: FolderTable, needs: Needs, waiting: str) -> bool:
    """Whether it is read, once and for every page."""
    return answer("read_folder", {"source": source.model_dump(mode="json")}, waiting, needs=needs) is not None


def offer_count() -> None:
    """A button that counts all rows where some were drawn, in the columns that have a role, once these are chosen."""
    draft = session.draft()
    roles = draft.roles.roles
    if not isinstance(draft.data, FolderTable) or not draft.data.sample or draft.roles_problem or roles is None:
        return
    if roles.text or roles.belongs_to or roles.counts:
        st.caption(say("Counts keep neither texts nor which rows belong together: the rows drawn are audited."))
        return
    about = {"drawn": draft.data.model_dump(mode="json"), "roles": roles.model_dump(mode="json")}
    planned = answer("plan_count", about, say("Looking into the folder"))
    if planned is None:
        return
    counted, needs = FolderTable.model_validate(planned["counted"]), Needs(memory=planned["memory"])
    told = say(
        "Counting all rows in {columns} takes up to {size} of memory.",
        columns=listed([*map(quoted, counted.columns)]),
        size=size(needs.memory),
    )
    left = say(
        "Not counted, as hardly two rows would be alike: {names}.", names=listed([*map(quoted, planned["left"])])
    )
    st.caption(literal(f"{told} {left if planned['left'] else ''}"))
    wanted = _is_wanted(counted, needs, say("Count all rows"), "data.count", ":material/functions:")
    if wanted and _is_read(counted, needs, say("Counting the rows")):
        forms.forget("roles")
        chosen = RolesChoice(**dict(Roles.model_validate(planned["roles"])))
        session.change(data=counted, roles=chosen, roles_are="confirmed", model=None, tests=())
        st.rerun()
