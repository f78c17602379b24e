"""Whose turn it is, by the rules alone: no process runs."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from core.base.files import FileRef
from core.models.formats.hugging_face.source import HuggingFaceFolder
from core.models.formats.skops.source import SklearnFile
from dashboard.jobs import turns
from dashboard.jobs.job import Job, Needs
from dashboard.jobs.task import GIGABYTE, LaneName, Task, libraries_named
from dashboard.jobs.tasks import TASKS, fetch_nothing
from dashboard.jobs.turns import Lane, Line, Run, Served, lanes, may_take
from dashboard.waiting import time_left

LANES: dict[LaneName, Lane] = {"quick": Lane(3, 2), "reading": Lane(3, 2), "training": Lane(1, 1), "long": Lane(2, 1)}


def run(name: str, lane: LaneName = "long", memory: int = 0, needs: int = 0) -> Run:
    """A run whose visitors are the letters before the digit."""
    return Run(name, lane, frozenset(name.rstrip("0123456789")), memory, needs)


def line(
    queued: list[Run],
    running: list[Run],
    known: Mapping[LaneName, Lane] = LANES,
    served: Served | None = None,
    memory: int = 0,
) -> Line:
    return Line(queued, running, known, served or {}, memory)


def names(runs: list[Run]) -> list[str]:
    return [one.name for one in runs]


def test_visitors_take_turns_however_many_runs_one_of_them_put_in_line() -> None:
    queued = [run(name) for name in ("a1", "a2", "a3", "b1", "b2", "c1")]
    assert names(line(queued, []).in_order()) == ["a1", "b1", "c1", "a2", "b2", "a3"]


def test_who_has_a_run_under_way_comes_after_who_has_none() -> None:
    queued = [run(name) for name in ("a2", "b1")]
    assert names(line(queued, [run("a1")]).in_order()) == ["b1", "a2"]
    assert names(line(queued, [run("a1", "quick")]).in_order()) == ["a2", "b1"], "each lane for itself"


def test_among_equals_the_one_served_longest_ago_comes_first() -> None:
    queued = [run(name) for name in ("a2", "b2", "c2")]
    assert names(line(queued, [], served={("long", "a"): 3.0, ("long", "b"): 1.0, ("long", "c"): 2.0}).in_order()) == [
        *("b2", "c2", "a2")
    ]


def test_a_shared_run_takes_the_better_place_of_its_visitors() -> None:
    queued = [run(name) for name in ("a1", "a2", "ab3", "c1")]
    assert names(line(queued, []).in_order()) == ["a1", "ab3", "c1", "a2"]


def test_one_visitor_never_takes_the_place_that_another_may_need() -> None:
    assert line([], [run("a1")]).has_place(run("b1"))
    assert not line([], [run("a1")]).has_place(run("a2"))
    assert not line([], [run("a1"), run("b1")]).has_place(run("c1"))
    busy = [run("a1", "quick"), run("a2", "reading")]
    assert not line([], busy).has_place(run("a3", "quick"))
    assert line([], busy).has_place(run("b1", "quick"))
    assert line([], busy).has_place(run("b1", "reading"))


def test_slow_runs_take_no_place_of_quick_ones() -> None:
    slow = [run(f"{letter}1", "reading") for letter in "abcdefg"]
    assert not line([], slow).has_place(run("h1", "reading"))
    assert line([], slow).has_place(run("h1", "quick"))
    assert not line([], [*slow, run("h1", "reading")]).has_place(run("i1", "quick")), "eight are enough for any machine"


@pytest.mark.parametrize(
    ("gigabytes", "processors", "told", "started"),
    [
        *(
            (6, 2, 0, (1, 1)),
            (15, 8, 0, (1, 1)),
            (17, 2, 0, (2, 1)),
            (48, 2, 0, (2, 1)),
            (48, 16, 0, (4, 3)),
            (48, 4, 0, (2, 1)),
        ),
        *((6, 2, 0.3, (2, 1)), (48, 16, 0.3, (8, 7)), (6, 16, 0.3, (2, 1)), (48, 16, 5, (4, 3)), (6, 2, 5, (1, 1))),
    ],
)
def test_long_runs_stand_side_by_side_where_their_memory_allows(
    monkeypatch: pytest.MonkeyPatch, gigabytes: int, processors: int, told: float, started: tuple[int, int]
) -> None:
    monkeypatch.setattr(turns, "memory_to_use", lambda: gigabytes * GIGABYTE)
    monkeypatch.setattr("os.cpu_count", lambda: processors)
    audit, needs = TASKS["audit"], Needs(memory=int(told * GIGABYTE))

    def number(names: list[str]) -> int:
        queued = [run(name, "long", may_take(audit, needs), needs.memory) for name in names]
        return len(line(queued, [], lanes(), memory=gigabytes * GIGABYTE).turns()[0])

    assert (number([f"{letter}1" for letter in "abcdefghijkl"]), number([f"a{i}" for i in range(1, 10)])) == started


def test_a_question_waits_for_the_child_that_has_read_its_files_and_for_no_other() -> None:
    asked = [replace(run(name, "quick"), child=name[0]) for name in ("a1", "a2", "b1")]
    starting, waiting = line(asked, []).turns()
    assert (names(starting), names(waiting)) == (["a1", "b1"], ["a2"])
    slow = replace(asked[0], child="")
    assert names(line(asked[1:], [slow]).turns()[0]) == ["b1", "a2"], "who takes its time is not waited for"


def test_a_large_run_waits_for_those_that_run_and_nobody_overtakes_it() -> None:
    running, known = [run("a1", "long", 5, 2), run("q1", "quick")], {**LANES, "long": Lane(4, 3, 3)}
    queued = [run("b1", "long", 9, 8), run("c1", "long", 1, 1), run("d1", "quick")]
    starting, waiting = line(queued, running, known, memory=12).turns()
    assert (names(starting), names(waiting)) == (["d1"], ["b1", "c1"])
    assert names(line(queued, [], known, memory=12).turns()[0]) == ["b1", "c1", "d1"]
    assert names(line(queued, [], known, memory=7).turns()[0]) == ["c1", "d1"], "the machine itself has no 8 to give"
    own = [run("a2", "long", 6, 2), run("e1", "long", 6, 2)]
    assert names(line(own, running, known, memory=12).turns()[0]) == ["e1"], "who has a run leaves room to others"


def test_it_is_told_when_each_run_will_start() -> None:
    running, queued = [run("a1")], [run(name) for name in ("a2", "a3", "b1", "c1")]
    seconds = {"a1": 10.0, "a2": 5.0, "a3": 5.0, "b1": 30.0, "c1": 7.0}
    assert line(queued, running).expected_starts(seconds) == {
        "b1": 0.0,
        "c1": 10.0,
        "a2": 17.0,
        "a3": 22.0,
    }
    del seconds["b1"], seconds["c1"]
    assert line(queued, running).expected_starts(seconds) == {"b1": 0.0, "c1": 10.0}, "who knows how long"
    assert line(queued, running).expected_starts({}) == {"b1": 0.0}


def test_large_files_are_read_in_a_lane_of_their_own_and_get_the_time_they_need() -> None:
    def naming(megabytes: int) -> dict[str, object]:
        file = FileRef(name="a.csv", sha256="0" * 64, bytes=megabytes * 2**20)
        return {"source": {"kind": "table", "file": file.model_dump(mode="json")}, "others": [{"bytes": 2**40}]}

    read = TASKS["read_table"]
    assert (read.lane_for(naming(1)), read.lane_for(naming(36))) == ("quick", "reading")
    assert read.longest(naming(100)) == read.seconds + 100 * read.seconds_per_megabyte
    assert TASKS["audit"].lane_for(naming(36)) == "long"
    assert all(task.longest({}) <= 600 for task in TASKS.values() if task.lane == "quick")
    assert Task(lambda *_: None, fetch_nothing).lane_for({}) == "quick"


def test_libraries_of_the_models_and_tests_that_a_job_names_are_imported_before_it_is_forked() -> None:
    text, table = {"kind": "hugging_face", "file": {}}, {"kind": "sklearn"}
    audit = {"kind": "text_sensitivity", "status": {"model": text}, "words": ["sklearn"]}
    libraries = libraries_named({"plan": {"model": table, "audit": audit}})
    assert {*SklearnFile.libraries, *HuggingFaceFolder.libraries} < set(libraries)
    rooms = [name for name in libraries if name.startswith("core.audits")]
    assert rooms == ["core.audits.text_sensitivity.room", "core.audits.text_sensitivity.engine"]
    assert libraries_named({"kind": "onnx", "rows": [1, None]}) == ()


@pytest.mark.parametrize(
    ("ahead", "told"),
    [
        (0, "yours is the next to start"),
        (1, "one run is before yours"),
        (2, "two runs are before yours"),
        (1200, "1,200 runs are before yours"),
    ],
)
def test_the_place_in_the_queue_is_told_in_words(ahead: int, told: str) -> None:
    job = Job("0" * 16, "audit", {}, "queued", 0.0, "Waiting", 0.0, None, None, None, None, ahead)
    assert time_left(job) == told
