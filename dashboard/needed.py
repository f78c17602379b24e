"""The memory that a run will take: told before it, and held against what the machine has."""

import streamlit as st

from core.base.memory import available_memory, memory_of_a_run
from core.language.told import say
from dashboard.jobs.job import Needs
from dashboard.waiting import size


def show_memory(needs: Needs, help: str = "") -> None:
    """The tile of it; measured while something was tried, unless ``help`` says where it comes from."""
    measured = say("Measured while the rows were read and some of them tried; the rest is estimated.")
    value = say("about {size}", size=size(needs.memory))
    st.metric(say("Memory it will take"), value, border=True, help=help or measured)


def too_large(needs: Needs) -> str:
    """Why something cannot be run here at all; says, too, where it will have to wait for memory."""
    most, free = memory_of_a_run(), available_memory()
    if needs.memory > most:
        return say(
            "This takes about {needed} of memory, and a run may take {most} on this machine. Bring fewer rows.",
            needed=size(needs.memory),
            most=size(most),
        )
    if needs.memory > free:
        st.info(
            say(
                "This takes about {needed} of memory, and {free} are free now. It waits until there is enough.",
                needed=size(needs.memory),
                free=size(free),
            ),
            icon=":material/memory:",
        )
    return ""
