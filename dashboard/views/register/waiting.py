"""What waits for a visitor in the register: entries to review, where people sign in."""

from core.language.told import say
from core.register import is_begun
from dashboard.visitor import people_sign_in, visitor


def badge() -> str:
    """How many entries wait for this visitor's review, as Markdown; empty for none, and where nobody signs in."""
    if not (people_sign_in() and is_begun()):
        return ""
    from core.base.errors import EvenhandError
    from core.register.register import Register
    from core.register.search import to_review

    try:
        waiting = len(to_review(Register(), visitor()))
    except EvenhandError:
        return ""
    return f" :orange-badge[{say('{waiting} to review', waiting=waiting)}]" if waiting else ""
