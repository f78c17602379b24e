"""The room's tests draw less: what they say of bounds does not depend on how many draws there are."""

import pytest

from core.audits.equalized_odds import gap


@pytest.fixture(autouse=True)
def few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """199 draws of chance instead of 1,999."""
    monkeypatch.setattr(gap, "DRAWS", 199)
