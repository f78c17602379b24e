"""One served dashboard for strangers and for sessions: each would take as long to start as all that they ask."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.e2e.conftest import served

WATCHED = """
import os, sys

def note(event, arguments):
    if event in ("socket.connect", "socket.sendto"):
        where = arguments[1]
    elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
        where = arguments
    else:
        return
    if not (isinstance(where, tuple) and where[0] in ("127.0.0.1", "::1", "localhost")):
        with open(os.environ["EVENHAND_TEST_WATCHED"], "a") as log:
            log.write(f"{event} {where}\\n")

sys.addaudithook(note)
"""


@pytest.fixture(scope="session")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the served process writes every connection that it tries to another machine."""
    folder = tmp_path_factory.mktemp("watched")
    (folder / "sitecustomize.py").write_text(WATCHED)
    return folder / "connections"


@pytest.fixture(scope="session")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the served process says."""
    return tmp_path_factory.mktemp("home") / "server.log"


@pytest.fixture(scope="session")
def address(watched: Path, log: Path) -> Iterator[str]:
    """A served dashboard's ``127.0.0.1:port``.

    It listens on every address, where Streamlit has most to look up; its pages may hold 8 MB of files, 2 MB each.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(watched.parent))
        patch.setenv("STREAMLIT_SERVER_ADDRESS", "0.0.0.0")  # noqa: S104
        patch.setenv("EVENHAND_TEST_WATCHED", str(watched))
        patch.setenv("EVENHAND_UPLOADS_GB", "0.008")
        with served("dashboard/app.py", log.parent) as url:
            yield urlsplit(url).netloc
