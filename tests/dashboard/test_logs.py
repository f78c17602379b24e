"""Lines that are logged say what happened in JSON, and nothing of anybody's data."""

import json
import os
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
MARK = "Zyxwvut-4711"
PROGRAM = f"""
import logging, threading, warnings
from dashboard.logs import begin, log, take_in_libraries

begin("server")
other = logging.getLogger("others")
other.addHandler(logging.StreamHandler())
take_in_libraries()
log("run_ended", run="0123456789abcdef", seconds=1.5, failure=None)
try:
    {{}}["{MARK}"]
except KeyError as error:
    log("page_failed", level=logging.ERROR, error=error)
    other.exception("Cannot read %s", "{MARK}")
other.warning("{MARK} is no number")
other.warning("Session 01234567-89ab-cdef-0123-456789abcdef of %s", "{MARK}")
warnings.warn("{MARK}")
thread = threading.Thread(target=lambda: int("{MARK}"))
thread.start()
thread.join()
int("{MARK}")
"""


def test_a_line_names_classes_and_places_and_quotes_neither_errors_nor_libraries() -> None:
    told = os.environ | {"EVENHAND_LOG": "json", "PYTHONPATH": str(REPOSITORY)}
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=told, cwd=REPOSITORY, capture_output=True, text=True, check=False
    )
    lines = [json.loads(line) for line in ran.stderr.splitlines()]
    assert MARK not in ran.stderr
    assert "89ab-cdef" not in ran.stderr
    assert {line["process"] for line in lines} == {"server"}
    assert all(line["time"].endswith("+00:00") for line in lines)
    assert [line["event"] for line in lines] == [
        *("run_ended", "page_failed", "library", "library", "library", "library"),
        *("uncaught_fault", "uncaught_fault"),
    ]
    assert {name: lines[0][name] for name in ("level", "run", "seconds")} == {
        "level": "info",
        "run": "01234567",
        "seconds": 1.5,
    }
    assert "failure" not in lines[0]
    assert [line.get("error") for line in lines[1:3] + lines[6:]] == ["KeyError"] * 2 + ["ValueError"] * 2
    assert lines[2]["said"] == "Cannot read %s"
    assert "said" not in lines[3]
