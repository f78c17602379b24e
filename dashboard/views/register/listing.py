"""The list: search, filters, order, a page at a time; two to compare, all as CSV, a system's verdicts over time."""

import time
from collections.abc import Callable
from typing import get_args

import streamlit as st

from core.base.files import home
from core.base.tables import Table
from core.language.phrases import count
from core.language.told import retold, say
from core.models.endpoint.kept import FOLDER as ANSWERS
from core.register.database import Database
from core.register.entry import WORST_FIRST, Entry, Status
from core.register.export import as_csv
from core.register.projects import projects_of
from core.register.register import Register
from core.register.search import Order, Search, find, systems, to_review
from core.register.timeline import draw
from dashboard import uploads
from dashboard.drawings import show_drawing
from dashboard.messages import guarded
from dashboard.pager import previous_and_next
from dashboard.pages import open_page
from dashboard.seen import FOLDER
from dashboard.text import literal
from dashboard.views.register import words
from dashboard.views.results.tables import show_table
from dashboard.visitor import people_sign_in

ON_A_PAGE = 20
_NONE = "none"
"""The choice of entries without a verdict."""
_PAGE, _MARKED = "register_page", "register_marked"
_ORDERS: dict[Order, str] = {
    "newest": say("newest first"),
    "oldest": say("oldest first"),
    "worst": say("worst verdict first"),
    "system": say("by system"),
}
_WITH_THEM = say("As long as an audit that needs them.")
_FOR_GOOD = say("Until whoever runs this machine deletes it.")
_SIGNED = say("Until you delete an entry. A signed one stays until whoever runs this machine deletes it.")
_LOG = say("For good, so that it can be checked. It holds no name of a person, table or model.")


def show(register: Register, person: str) -> None:
    """The whole page."""
    st.title(say("Register"), anchor=False)
    st.write(
        say(
            "Every audit, choice of a model and comparison of fairer models that you ran, with its verdict "
            "and where it stands: draft, in review, signed or withdrawn."
        ),
        say("Nobody else sees this list, unless you put an entry into a project.")
        if people_sign_in()
        else say("Nobody else sees this list."),
    )
    _show_to_review(register, person)
    search = _search(register, person)
    first = ON_A_PAGE * int(st.session_state.get(_PAGE, 0))
    found = find(register, person, search, first=first, most=ON_A_PAGE)
    if not found.total:
        _say_none(search)
        _show_keeping()
        return
    _show_actions(register, person, search, found.total)
    if search.system is not None:
        _show_timeline(register, person, search.system)
    for entry in found.entries:
        _show_row(entry)
    last = (found.total - 1) // ON_A_PAGE
    if last:
        with st.container(horizontal=True, vertical_alignment="center", key="register_pages"):
            previous_and_next(_PAGE, first // ON_A_PAGE, last, named="register")
            st.caption(say("Page {page} of {last}", page=first // ON_A_PAGE + 1, last=last + 1))
    _show_keeping()


def _show_to_review(register: Register, person: str) -> None:
    """What waits for this visitor's review, before all else."""
    found = to_review(register, person) if people_sign_in() else ()
    if not found:
        return
    with st.container(border=True, key="to_review"):
        st.subheader(f"{say('Waiting for your review')} :orange-badge[{len(found)}]", anchor=False)
        for entry in found:
            with st.container(horizontal=True, vertical_alignment="center", key=f"waits_{entry.id}"):
                if st.button(words.title(entry), key=f"review_{entry.id}", icon=":material/rate_review:"):
                    open_page("register", entry=entry.id)
                st.caption(words.details(entry), width="content")


def _search(register: Register, person: str) -> Search:
    with st.container(horizontal=True, vertical_alignment="bottom", key="register_search"):
        typed = st.text_input(
            say("Search"),
            key="register_words",
            placeholder=say("system, table, test, note …"),
            on_change=_to_first_page,
        )
        status = _choice(say("Status"), "register_status", [one.value for one in Status], lambda one: Status(one).words)
        verdict = _choice(say("Verdict"), "register_verdict", [one or _NONE for one in WORST_FIRST], words.verdict_name)
        names = systems(register, person)
        system = _choice(say("System"), "register_system", list(names)) if len(names) > 1 else None
        order = st.selectbox(
            say("Order"),
            get_args(Order),
            format_func=lambda one: retold(_ORDERS[one]),
            key="register_order",
            on_change=_to_first_page,
        )
        project = _project(register, person)
    found = "" if verdict == _NONE else verdict
    return Search(typed or "", None if status is None else Status(status), found, system, order, project)


def _project(register: Register, person: str) -> str | None:
    """The id of the chosen project, or of the one that the address names; None for all."""
    found = {project.id: project.name for project in projects_of(register, person)} if people_sign_in() else {}
    if not found:
        return None
    asked = st.query_params.get("project", "")
    if asked in found:
        st.session_state.setdefault("register_project", asked)
    chosen = st.selectbox(
        say("Project"),
        ["", *found],
        format_func=lambda one: found.get(one) or say("all"),
        key="register_project",
        on_change=_to_first_page,
    )
    return chosen or None


def _choice(label: str, key: str, offered: list[str], named: Callable[[str], str] = str) -> str | None:
    """One of few, or all; None for all."""
    chosen = st.selectbox(
        label,
        ["", *filter(None, offered)],
        format_func=lambda one: named(one) if one else say("all"),
        key=key,
        on_change=_to_first_page,
    )
    return chosen or None


@guarded()
def _to_first_page() -> None:
    st.session_state[_PAGE] = 0


def _say_none(search: Search) -> None:
    if search == Search(order=search.order):
        st.info(say("There is nothing in your register yet. What you run enters it by itself as soon as it has ended."))
        if st.button(say("To the first page"), key="register_home", type="primary"):
            open_page("home")
    else:
        st.info(say("Nothing in your register is like that. Search for less, or choose “all”."))


def _show_actions(register: Register, person: str, search: Search, total: int) -> None:
    marked = _marked()
    with st.container(horizontal=True, vertical_alignment="center", key="register_actions"):
        st.markdown(f"**{count(total, 'entry', 'entries')}**", width="content")
        if st.button(
            say("Compare the two"),
            key="register_compare",
            icon=":material/compare_arrows:",
            disabled=len(marked) != 2,
            help=say("Tick two entries to see their verdicts and numbers beside each other."),
        ):
            open_page("register", compare=",".join(marked))
        st.download_button(
            say("Save as CSV"),
            lambda: as_csv(find(register, person, search).entries),
            f"evenhand-register-{time.strftime('%Y-%m-%d')}.csv",
            "text/csv",
            icon=":material/download:",
            on_click="ignore",
            key="register_csv",
            help=say("What the search found, with every page of it."),
        )


def _marked() -> list[str]:
    """The ticked entries, the one ticked first first."""
    marked: list[str] = st.session_state.setdefault(_MARKED, [])
    return marked


def _show_timeline(register: Register, person: str, system: str) -> None:
    drawing = draw(find(register, person, Search(system=system)).entries)
    st.header(say("Verdicts over time"), anchor=False)
    st.caption(literal(drawing.alt))
    show_drawing(drawing, "register_timeline")


def _show_row(entry: Entry) -> None:
    with st.container(border=True, key=f"entry_{entry.id}", gap="small"):
        with st.container(horizontal=True, horizontal_alignment="distribute", key=f"entry_{entry.id}_top"):
            if st.button(words.title(entry), key=f"open_{entry.id}", type="tertiary"):
                open_page("register", entry=entry.id)
            st.checkbox(
                say("compare"),
                value=entry.id in _marked(),
                key=f"mark_{entry.id}",
                on_change=_mark,
                args=(entry.id,),
            )
        st.markdown(f"{words.verdict(entry)} · {words.status(entry)}{words.new_comments(entry)}")
        st.caption(words.details(entry))
        if others := words.others_ended_worse(entry):
            st.write(literal(others))


@guarded()
def _mark(name: str) -> None:
    """Keep which entries are ticked, also those on other pages of the list; of three the first goes."""
    marked = _marked()
    if name in marked:
        marked.remove(name)
        return
    for dropped in marked[:-1]:
        st.session_state[f"mark_{dropped}"] = False
    marked[:] = [*marked[-1:], name]


def _show_keeping() -> None:
    """The section."""
    register = Database().address.render_as_string()
    kept = (
        (say("Uploads, and tables and models made of them"), str(home() / "files"), uploads.lifetime()),
        (say("What was chosen for audits"), str(home() / "drafts"), uploads.lifetime_of_drafts()),
        (
            say("Results, which hold rows of people (the worst pairs)"),
            str(home() / "results"),
            uploads.lifetime_of_audits(),
        ),
        (
            say("What you have seen: that you closed the tour, and how many comments there were"),
            str(home() / FOLDER),
            retold(_FOR_GOOD),
        ),
        (say("Runs: what each was asked and answered"), str(home() / "jobs"), retold(_WITH_THEM)),
        (say("Answers of models behind addresses"), str(home() / ANSWERS), retold(_WITH_THEM)),
        (
            say("The register: verdicts, statements, comments, signed records and reports; no rows of people"),
            register,
            retold(_SIGNED),
        ),
        (say("The log of the register: what was done with which entry, and when"), register, retold(_LOG)),
    )
    with st.expander(say("What is kept where, and for how long"), icon=":material/folder_managed:"):
        show_table(Table(say("Kept"), (say("What"), say("Where"), say("How long")), kept))
        st.markdown(
            say(
                "Only the account that runs Evenhand can read these files. *Delete* removes an audit and its results "
                "at once, files and previews unless something else uses them, and set-ups if you tick that. Whoever "
                "runs this machine deletes all of it with `python -m dashboard forget ID` or "
                "`python -m dashboard forget --older-than DAYS`."
            )
        )
