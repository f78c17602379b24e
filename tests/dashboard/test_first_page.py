"""The dashboard's script finds the product's own packages, wherever it is started."""

import os
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]


def test_the_page_is_found_from_any_folder(tmp_path: Path) -> None:
    """In place of Streamlit stands what ends the script as soon as it has found them."""
    asked = "import core, dashboard\nprint(dashboard.__file__)\nraise SystemExit(0)\n"
    (tmp_path / "streamlit.py").write_text(asked)
    ran = subprocess.run(
        [sys.executable, str(REPOSITORY / "dashboard" / "script.py")],
        check=False,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
    )
    assert ran.stdout.strip() == str(REPOSITORY / "dashboard" / "__init__.py"), ran.stderr
