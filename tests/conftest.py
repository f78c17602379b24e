"""Fixtures every test may use."""

import os
import tempfile
from pathlib import Path

import pytest

os.environ["EVENHAND_HOME"] = tempfile.mkdtemp(prefix="evenhand-tests-")

REPOSITORY = Path(__file__).parents[1]


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder of real data sets; tests that need it skip where it is missing."""
    folder = Path(os.environ.get("EVENHAND_DATA", REPOSITORY.parent / "shared" / "data"))
    if not (folder / "adult" / "adult.data").exists():
        pytest.skip(f"No real data in {folder}; set EVENHAND_DATA to a folder that holds adult/ and compas/.")
    os.environ["EVENHAND_DATA"] = str(folder)
    return folder
