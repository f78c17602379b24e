"""How far an audit is, as a bar on a terminal and in a notebook."""

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from core.base.progress import OnProgress, Progress, ignore_progress


def in_notebook() -> bool:
    """Whether this process is the kernel of a notebook."""
    shell: Any = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return type(shell).__name__ == "ZMQInteractiveShell"


@contextmanager
def bar(*, shown: bool | None) -> Iterator[OnProgress]:
    """A bar for the block.

    Args:
        shown: Whether it is shown; None for only where somebody watches, at a terminal or in a notebook.
    """
    if not (in_notebook() or sys.stderr.isatty() if shown is None else shown):
        yield ignore_progress
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a notebook without widgets gets a bar of letters
        from tqdm.auto import tqdm

        made: Any = tqdm(total=100, bar_format="{l_bar}{bar}| {elapsed}", leave=False)

    def show(progress: Progress) -> None:
        made.set_description_str(progress.phase, refresh=False)
        made.update(max(0.0, round(100 * progress.done, 1) - made.n))

    with made:
        yield show
