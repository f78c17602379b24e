"""What every child would find out for itself is known once the module is imported, and no thread was started."""

import subprocess
import sys
from pathlib import Path


def test_children_are_forked_with_it_known() -> None:
    program = (
        "import sys, threading; import dashboard.jobs.found_once; from core.base.versions import library_versions\n"
        "from narwhals.plugins import _discover_entrypoints\n"
        "print(library_versions.cache_info().currsize, _discover_entrypoints.cache_info().currsize,"
        " threading.active_count())"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=Path(__file__).parents[3]
    )
    assert ran.stdout.split() == ["1", "1", "1"]
