"""The one notice of a table's health that says something."""

from core.base.errors import Notice
from core.data.quality.health import Health


def found(health: Health, words: str) -> Notice:
    notices = [notice for notice in health.findings if words in notice.what]
    assert len(notices) == 1, [notice.what for notice in health.findings]
    return notices[0]
