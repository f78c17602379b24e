"""A page of ours as PDF, printed by a Chromium on this machine where there is one; tagged, with an outline."""

import os
import re
import shutil
import signal
import subprocess
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Literal

from core.base.errors import SettingsError
from core.language.told import say

SECONDS = 300
"""Longer than any report takes on a machine with much else to do, so that a browser that hangs is ended."""
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_SWITCHES = (
    "--headless", "--disable-gpu", "--disable-extensions", "--disable-sync", "--disable-background-networking",
    "--disable-component-update", "--disable-dev-shm-usage", "--no-first-run", "--no-default-browser-check",
    "--no-pdf-header-footer", "--generate-pdf-document-outline", "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=127.0.0.1:9",
)  # fmt: skip
"""The page loads nothing; should it try, no name is found and no address answers."""
_DATES = re.compile(rb"(/(?:Creation|Mod)Date )\(D:\d{14}\+00'00'\)")
"""When it was printed, which is left out: the same page is the same file."""


@cache
def chromium() -> str | None:
    """The browser that prints; None where there is none on the path."""
    return next(filter(None, map(shutil.which, NAMES)), None)


def to_pdf(page: str, paper: Literal["A4", "Letter"] = "A4", *, appendix: bool = True, foot: str = "") -> bytes:
    """A whole HTML document of ours, printed on ``paper``; takes a few seconds, or minutes on a busy machine.

    Args:
        page: The document.
        paper: On which paper.
        appendix: Whether its appendix is printed too.
        foot: What stands at the foot of every page, a line or two; may be empty.

    The browser gets a profile and a home of its own that are deleted afterwards, no environment but its path, and no
    network; it is ended with all its children when it takes too long.

    Raises:
        SettingsError: There is no Chromium, it printed nothing, or it was not done in time.
    """
    browser = chromium()
    if browser is None:
        raise SettingsError(say("There is no Chromium on this machine to write a PDF."), advice=_print_it())
    with tempfile.TemporaryDirectory(prefix="evenhand-pdf-") as folder:
        source, target = Path(folder) / "page.html", Path(folder) / "page.pdf"
        sized = page.replace(
            "</head>", f"<style>{_style(paper, foot, appendix=appendix)}</style></head>", 1
        )  # verbatim
        source.write_text(sized, encoding="utf-8")
        unsandboxed = ("--no-sandbox",) if os.geteuid() == 0 else ()
        given = (f"--user-data-dir={folder}/profile", f"--print-to-pdf={target}", source.as_uri())
        if not _run((browser, *_SWITCHES, *unsandboxed, *given), folder):
            raise SettingsError(
                say("The browser on this machine was not done with the PDF after {seconds} seconds.", seconds=SECONDS),
                advice=say("Try again when the machine has less to do.") + f" {_print_it()}",
            )
        if not target.is_file():
            raise SettingsError(say("The browser on this machine could not write the PDF."), advice=_print_it())
        return _DATES.sub(rb"\1(D:19800101000000+00'00')", target.read_bytes())


def _style(paper: str, foot: str, *, appendix: bool) -> str:
    """What the print adds to the style of the page."""
    quoted = "".join(f"\\{ord(character):06x}" for character in foot)
    look = "width: 88%; white-space: pre; font: 7pt Arial, sans-serif;"  # verbatim
    at_foot = f'@bottom-left {{ content: "{quoted}"; {look} }}' if foot else ""  # verbatim
    left_out = "" if appendix else ".appendix { display: none; }"  # verbatim
    return f"@page {{ size: {paper}; {at_foot} }} {left_out}"  # verbatim


def _print_it() -> str:
    return say("Save the report (HTML), open it in a browser, and print it from there; it is made for A4 and Letter.")


def _run(command: tuple[str, ...], folder: str) -> bool:
    """Run the browser to its end, or end it and its children; whether it came to its end."""
    quiet = subprocess.DEVNULL
    started = subprocess.Popen(  # noqa: S603 - the command is written here
        command,
        stdin=quiet,
        stdout=quiet,
        stderr=quiet,
        cwd=folder,
        env={"PATH": os.environ.get("PATH", os.defpath), "HOME": folder, "LANG": "C.UTF-8"},
        start_new_session=True,
    )
    try:
        started.wait(SECONDS)
    except subprocess.TimeoutExpired:
        return False
    finally:
        with suppress(ProcessLookupError):
            os.killpg(started.pid, signal.SIGKILL)
        started.wait()
    return True
