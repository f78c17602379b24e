"""The project that an entry belongs to: told to its members, and chosen by whoever ran it."""

import streamlit as st

from core.language.told import say
from core.register.entry import Entry
from core.register.projects import move, projects_of
from core.register.register import Register
from core.register.rights import Right
from dashboard.messages import say_next
from dashboard.text import literal
from dashboard.views.projects.page import called
from dashboard.visitor import people_sign_in, visitor


def show(register: Register, entry: Entry, rights: frozenset[Right]) -> None:
    """The section; nothing where nobody signs in, or there is no project."""
    found = {project.id: project for project in projects_of(register, visitor())} if people_sign_in() else {}
    if entry.project in found:
        project = found[entry.project]
        with st.container(horizontal=True, vertical_alignment="center", key="entry_project"):
            st.markdown(
                say(
                    ":material/group: Project **{name}**, in which you are {role}. Its members see this entry.",
                    name=literal(project.name),
                    role=literal(called(project.role_of(visitor()))),
                )
            )
            if "manage" in rights and st.button(say("Give it back to whoever ran it"), key="entry_back_to_owner"):
                move(register, entry.id, visitor(), "")
                say_next(say("It belongs to whoever ran it, and to no project."))
                st.rerun()
        return
    offered = [name for name, project in found.items() if project.role_of(visitor()) != "viewer"]
    if not offered:
        return
    with st.container(horizontal=True, vertical_alignment="bottom", key="entry_into_project"):
        chosen = st.selectbox(say("Project"), offered, format_func=lambda one: found[one].name, key="entry_projects")
        if st.button(say("Put it into this project"), key="entry_into", icon=":material/group:"):
            move(register, entry.id, visitor(), chosen)
            say_next(say("The members of the project see it now. Only an admin of the project can take it out again."))
            st.rerun()
