"""The one caveat of a table's health that says something."""

from core.base.errors import Caveat
from core.data.quality.health import Health


def found(health: Health, words: str) -> Caveat:
    caveats = [caveat for caveat in health.findings if words in caveat.what]
    assert len(caveats) == 1, [caveat.what for caveat in health.findings]
    return caveats[0]
