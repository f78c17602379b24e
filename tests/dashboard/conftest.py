"""What tests of pages share."""

import functools
from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import local_script_runner
from streamlit.testing.v1.local_script_runner import LocalScriptRunner


@pytest.fixture(scope="session", autouse=True)
def _packages_are_searched_once() -> Iterator[None]:
    """Every ``AppTest`` looks through all installed packages for components, which takes longer than most pages."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            manifest_scanner, "scan_component_manifests", functools.cache(manifest_scanner.scan_component_manifests)
        )
        yield


@pytest.fixture(scope="session", autouse=True)
def folders_to_pick_from(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The operator's folder of folders, empty; a worker knows it from its start."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EVENHAND_FOLDERS", str(found := tmp_path_factory.mktemp("offered")))
        yield found


@pytest.fixture(scope="session", autouse=True)
def _as_it_is_served() -> None:
    """As in ``dashboard/.streamlit/config.toml``: Streamlit is told nothing, and nothing is collected after a run.

    But for what goes wrong, which is told in full.
    """
    streamlit.config.set_option("client.showErrorDetails", "full")
    streamlit.config.set_option("browser.gatherUsageStats", False)
    streamlit.config.set_option("runner.postScriptGC", False)


@pytest.fixture(scope="session", autouse=True)
def _a_run_is_waited_for() -> Iterator[None]:
    """``AppTest`` asks a thousand times a second whether a page is drawn, which takes the interpreter from it."""

    def wait(runner: LocalScriptRunner, timeout: float = 3) -> None:
        runner._script_thread.join(timeout)
        asked(runner, 0.0 if runner._script_thread.is_alive() else timeout)

    asked = local_script_runner.require_widgets_deltas
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(local_script_runner, "require_widgets_deltas", wait)
        yield
