"""The house as core/README.md draws it: imports point one way, the hall names no kind of test, pages start light."""

import subprocess
import sys
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from pathlib import Path

from core.audits import KINDS
from core.contracts.kind import Kind
from core.finding import Room, room_of
from dashboard.audits.generic import pages_of
from dashboard.audits.pages import Pages
from tests.imports import REPOSITORY, imported, modules, read

TABLES = {"core.audits", "dashboard.audits", "dashboard.audits.tasks"}
"""The tables of kinds of test, of their pages, and of the tasks that some of these have."""
BY_NAME = {
    "core.audits": "the settings of each kind of test, when the table is imported",
    "core.finding": "a room, when somebody uses it",
    "dashboard.audits.generic": "a room's pages, when somebody opens one",
    "dashboard.pages": "a page, when somebody opens it",
    "dashboard.views.slides.page": "the page whose slides are shown",
    "dashboard.jobs.worker": "the table of tasks of the worker, and in its child",
    "dashboard.jobs.child": "the same",
    "core.base.apart": "what works in a process of its own",
    "core.wall.forks": "what a child is started with",
    "core.wall.child": "what opens a file",
    "core.models.formats.skops.reading": "whether a library has a class",
}
"""Modules that import others by a name that no reader of imports sees, and what."""
FIRST_PAGE = ("dashboard.views.home.page", "dashboard.session", "dashboard.jobs.queue")

Graph = dict[str, set[str]]


MODULES = modules("core", "dashboard")


@cache
def whole_graph() -> Graph:
    return {name: imported(path.read_text(encoding="utf-8"), MODULES) - {name} for name, path in MODULES.items()}


def place_of(module: str) -> str:
    """The room or the part of the hall that a module belongs to: ``core.audits.transport``, ``core.data``."""
    parts = module.split(".")
    return ".".join(parts[:3] if parts[1:2] == ["audits"] else parts[:2])


def between_places(graph: Graph) -> Graph:
    arrows: Graph = {}
    for module, others in graph.items():
        arrows.setdefault(place_of(module), set()).update(map(place_of, others))
    return {place: others - {place} for place, others in arrows.items()}


def circle(graph: Graph) -> list[str]:
    """One circle, or nothing."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


@cache
def rooms() -> dict[str, str]:
    """The kind of every module that stands in a room."""
    found = {}
    for name in MODULES:
        parts = name.split(".")
        if parts[1:2] == ["audits"] and len(parts) > 2 and parts[2] in KINDS:
            found[name] = parts[2]
    return found


BUILT_ON = {
    "core.records.upgrade": set(KINDS),
    "core.workflows.selection": {"transport"},
    "core.workflows.mitigation": {"equalized_odds", "gradient_flow", "group_fairness"},
    "core.workflows.papers": set(KINDS),
    "dashboard.views.selection": {"transport"},
    "dashboard.views.fairer": {"gradient_flow"},
}
"""Workflows that are about one kind of test by their nature: who passes the transport test, who keeps equalized
odds, who treats similar people alike, whose tables are computed again.
"""


def may_name(module: str) -> set[str]:
    """The kinds of test that a module may name or import; none for most of the hall."""
    for place, kinds in BUILT_ON.items():
        if f"{module}.".startswith(f"{place}."):
            return kinds
    return {rooms()[module]} if module in rooms() else set()


def loaded_after(statement: str) -> set[str]:
    """Top-level packages in ``sys.modules`` once a fresh interpreter has run ``statement``."""
    program = f"import sys; {statement}; print(*sorted({{name.split('.')[0] for name in sys.modules}}))"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=REPOSITORY, check=True)
    return set(ran.stdout.split())


def test_no_import_circle_between_modules() -> None:
    assert circle(whole_graph()) == []


def test_no_import_circle_between_the_rooms_and_the_parts_of_cores_hall() -> None:
    core = {
        module: {other for other in others if other.startswith("core.")}
        for module, others in whole_graph().items()
        if module.startswith("core.")
    }
    assert circle(between_places(core)) == []


def test_what_is_imported_by_name_is_known_and_typed() -> None:
    found = {name for name, path in MODULES.items() if read(path.read_text(encoding="utf-8")).by_name}
    assert found == set(BY_NAME)
    for name, kind in KINDS.items():
        assert kind.name == name
        assert isinstance(kind, Kind)
        assert isinstance(room_of(kind), Room)
        assert isinstance(pages_of(kind), Pages)


def test_a_room_imports_no_other_room_and_the_hall_none() -> None:
    kinds = rooms()
    wrong = [
        f"{module} -> {other}"
        for module, others in whole_graph().items()
        for other in sorted(others & kinds.keys())
        if module not in TABLES and kinds[other] not in may_name(module)
    ]
    assert wrong == []


def test_the_hall_names_no_kind_of_test() -> None:
    words = set(KINDS) | {kind.settings.__name__ for kind in KINDS.values()}
    wrong = {
        module: sorted(read(path.read_text(encoding="utf-8")).words & words)
        for module, path in MODULES.items()
        if not may_name(module) and module not in TABLES
    }
    assert {module: said for module, said in wrong.items() if said} == {}


def test_these_checks_can_fail() -> None:
    two = {"core.a": Path(), "core.b": Path()}
    graph = {"core.a": imported("def f():\n    from core import b", two), "core.b": imported("import core.a", two)}
    assert set(circle(graph)) == {"core.a", "core.b"}
    assert circle({"core.a": {"core.b"}, "core.b": set()}) == []
    assert "transport" in read("x = {'transport': 1}").words & read("transport()").words & read("a.transport").words
    assert "transport" not in read("import core.inference.transport").words
    assert between_places({"core.data.a": {"core.audits.x.y"}}) == {"core.data": {"core.audits.x"}}
    assert "wave" in loaded_after("import wave")
    assert read("importlib.import_module(f'a.{b}')").by_name
    assert not read("import_module('scipy.stats')").by_name
    for source in ("import streamlit as st", "def f():\n    from streamlit import cache_data"):
        assert imported(source, {"streamlit": Path()}) == {"streamlit"}


def test_core_imports_neither_streamlit_nor_the_dashboard() -> None:
    outside = {"streamlit": Path(), **MODULES}
    found = {
        module: imported(path.read_text(encoding="utf-8"), outside)
        for module, path in MODULES.items()
        if module.startswith("core")
    }
    outward = {module: {name for name in names if not name.startswith("core")} for module, names in found.items()}
    assert {module: names for module, names in outward.items() if names} == {}


def test_benchmarks_import_what_there_is() -> None:
    """No type checker reads them, and they are run now and then."""
    missing = [
        f"{path.name}: {module}.{name}"
        for path in (REPOSITORY / "benchmarks").glob("*.py")
        for module, names in read(path.read_text(encoding="utf-8")).imports
        if module in MODULES
        for name in names
        if f"{module}.{name}" not in MODULES and not hasattr(import_module(module), name)
    ]
    assert missing == []


def test_a_class_has_a_name_of_its_own() -> None:
    where: dict[str, list[str]] = {}
    for module, path in MODULES.items():
        if module.startswith("core."):
            for name in read(path.read_text(encoding="utf-8")).classes:
                where.setdefault(name, []).append(module)
    assert {name: found for name, found in where.items() if len(found) > 1} == {}
