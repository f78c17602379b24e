"""What the first page waits for: no heavy library, and no page of a later step."""

import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]


def test_the_page_is_found_from_any_folder(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, str(REPOSITORY / "dashboard" / "script.py")],
        check=False,
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert "ModuleNotFoundError" not in ran.stderr
