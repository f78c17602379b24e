"""What is kept where and for how long, in one folded section."""

import streamlit as st

from core.base.files import home
from core.base.tables import Table
from core.language.told import retold, say
from core.models.endpoint.kept import FOLDER as ANSWERS
from core.register.database import Database
from dashboard import uploads
from dashboard.seen import FOLDER
from dashboard.views.results.tables import show_table

_WITH_THEM = say("As long as an audit that needs them.")
_FOR_GOOD = say("Until whoever runs this machine deletes it.")
_SIGNED = say("Until you delete an entry. A signed one stays until whoever runs this machine deletes it.")
_LOG = say("For good, so that it can be checked. It holds no name of a person, table or model.")


def show() -> None:
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
                "Only the account that runs Evenhand can read these files. *Delete* removes an audit at once, "
                "with its files, results, previews and set-ups. Whoever runs this machine can do the same with "
                "`python -m dashboard forget ID` or `python -m dashboard forget --older-than DAYS`."
            )
        )
