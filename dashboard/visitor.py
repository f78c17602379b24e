"""Who asks: a visitor, to whom everything that they make belongs and who sees nothing of others.

Where people sign in (an ``[auth]`` section in Streamlit's secrets), a visitor is a person: the issuer and the subject
of an OpenID Connect token. Otherwise every browser is a visitor of its own, known by a random cookie.
"""

import hashlib
import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit import config
from streamlit.errors import StreamlitSecretNotFoundError
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.base.errors import RecordError, SettingsError
from core.language.told import say

COOKIE = "evenhand_visitor"
"""The cookie's name; its value is a secret of 128 bits as 32 hexadecimal digits."""
LOCAL = "local"
"""The visitor where there is no browser: on the command line, in threads, and in tests without a server."""
SECRET = re.compile(r"[0-9a-f]{32}")

_KEPT = "visitor"
_without_file: list[tuple[Mapping[str, Any], list[str]]] = []
"""Streamlit's secrets and where their file was looked for and not found: Streamlit looks anew at every question."""


@dataclass(frozen=True)
class Person:
    """Somebody who signed in.

    Attributes:
        id: Drawn from issuer and subject, which alone say who it is.
        subject: As the issuer names them.
        name: To be shown; nothing is decided by it.
        mail: The same.
    """

    id: str
    subject: str
    name: str = ""
    mail: str = ""

    @property
    def known_as(self) -> str:
        """What people call them."""
        return self.name or self.mail or self.subject


def people_sign_in() -> bool:
    """Whether people sign in here.

    Raises:
        SettingsError: The secrets cannot be read; then nobody is let in, rather than everybody.
    """
    if any(secrets is st.secrets and not any(map(os.path.exists, paths)) for secrets, paths in _without_file):
        return False
    try:
        return "auth" in st.secrets
    except StreamlitSecretNotFoundError as error:
        paths = config.get_option("secrets.files")
        found = [path for path in paths if Path(path).exists()]
        if not found:
            _without_file[:] = [(st.secrets, paths)]
            return False
        raise SettingsError(
            say("The file that says how people sign in here cannot be read."),
            where=str(found[0]),
            advice=say("Whoever runs this dashboard mends it, then starts the dashboard again."),
        ) from error


def four_eyes() -> bool:
    """Whether an audit has to be signed by somebody who neither ran it nor stated something of it.

    Whoever runs the dashboard says so, by ``EVENHAND_FOUR_EYES=1``; where nobody signs in, nobody else could sign.
    """
    return os.environ.get("EVENHAND_FOUR_EYES", "") == "1" and people_sign_in()


def person() -> Person | None:
    """Who signed in; None if nobody did."""
    claims = _claims()
    issuer, subject = claims.get("iss"), claims.get("sub")
    if claims.get("is_logged_in") is not True or not (isinstance(issuer, str) and isinstance(subject, str)):
        return None
    if not (issuer and subject):
        return None
    known = hashlib.sha256(json.dumps([issuer, subject]).encode()).hexdigest()[:32]
    return Person(known, subject, str(claims.get("name") or ""), str(claims.get("email") or ""))


def _claims() -> Mapping[str, Any]:
    """What the provider says of who signed in; Streamlit checked its signature."""
    return st.user.to_dict()


def visitor() -> str:
    """The visitor's name, safe in file names and in the table of jobs; the secret cannot be told from it.

    A browser that sends no cookie is another visitor each time it opens the dashboard.

    Raises:
        RecordError: People sign in here, and nobody did.
    """
    context = get_script_run_ctx(suppress_warning=True)
    if context is None:
        return LOCAL
    if people_sign_in():
        if (signed_in := person()) is None:
            raise RecordError(say("You are not signed in."), advice=say("Reload the page, and sign in."))
        return signed_in.id
    if _KEPT not in st.session_state:
        cookie = st.context.cookies.get(COOKIE)
        st.session_state[_KEPT] = _name(cookie, context.session_id)
    return str(st.session_state[_KEPT])


def _name(cookie: object, session: str) -> str:
    if cookie is not None and not isinstance(cookie, str):  # AppTest has no browser: its cookies are mocks
        return LOCAL
    secret = cookie if cookie is not None and SECRET.fullmatch(cookie) else session
    return hashlib.sha256(secret.encode()).hexdigest()[:32]
