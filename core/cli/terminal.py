"""What the command line says, on a terminal and in a pipe."""

import sys

import typer

from core.base.progress import OnProgress, Progress

CLEAR = "\r\033[K"
"""Back to the start of the terminal's line, and empty it."""


def say(line: str, *, to_people: bool = False) -> None:
    """One line on standard output, or on standard error for a message; control characters are shown, not obeyed."""
    if sys.stderr.isatty():
        sys.stderr.write(CLEAR)
    typer.echo(printable(line), err=to_people)


def printable(text: str) -> str:
    """The text with every control character written as Python writes it."""
    return "".join(character if character.isprintable() else repr(character)[1:-1] for character in text)


def shown_progress() -> OnProgress:
    """Progress on standard error: one moving line on a terminal, one line a phase elsewhere."""
    terminal = sys.stderr.isatty()
    last = ""

    def show(progress: Progress) -> None:
        nonlocal last
        line = f"{progress.done:4.0%} {printable(progress.phase)}"
        if terminal:
            sys.stderr.write(f"{CLEAR}{line}")
        elif progress.phase != last or progress.done >= 1:
            sys.stderr.write(f"{line}\n")
        sys.stderr.flush()
        last = progress.phase

    return show
