"""A model file behind the wall: what comes through, how each way of failing ends, and that nothing is left behind."""

import gc
import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.base.errors import ModelError
from core.wall import behind
from core.wall.behind import Behind, open_behind, own_environment
from core.wall.forks import Forks, NoRoomError
from core.wall.sandbox import missing_walls

STRANGE = "tests.core.wall.strange_inside"
ROWS = pd.DataFrame({"a": [1.0, 2.5, 4.0, 8.0]})
all_walls = pytest.mark.skipif(bool(missing_walls()), reason="This system has not every wall.")

Opener = Callable[..., Behind]


def nested(message: str, levels: int) -> str:
    """A sentence whose part is a sentence, and so on: each level is eight times as long."""
    part: object = "a"
    for _ in range(levels):
        part = {"told": "say", "of": [message], "with": {"a": part}}
    return json.dumps(part)


@pytest.fixture
def opened(tmp_path: Path) -> Opener:
    """Open a file that does what it is asked to do."""
    path = tmp_path / "model.strange"
    path.write_text("a model")

    def open_it(**asked: Any) -> Behind:
        return open_behind(STRANGE, path, asked, name="model.strange")

    return open_it


def test_what_the_file_says_its_arrays_and_its_answers_come_through(opened: Opener) -> None:
    model = opened(kinds=["x"])
    assert model.said == {"read": "a model", "kinds": ["x"]}
    assert model.arrays["w"].tolist() == [0.0, 1.0, 2.0]
    assert model.answer(ROWS).tolist() == [[1.0, 2.0], [2.5, 5.0], [4.0, 8.0], [8.0, 16.0]]


def test_a_long_table_is_asked_in_parts_and_answered_as_a_whole(
    opened: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(behind, "ROWS_AT_ONCE", 7)
    values = np.arange(50) / 3
    answers = opened().answer(pd.DataFrame({"a": values}))
    assert np.array_equal(answers, np.column_stack([values, 2 * values]))


def test_columns_keep_their_types(opened: Opener) -> None:
    """Cells of text, numbers, gaps, categories and dates are inside what they are outside."""
    frame = pd.DataFrame(
        {
            "whole": [1, 2, 3],
            "number": [0.1, np.nan, np.inf],
            "text": ["a", None, "ö"],
            "yes": [True, False, True],
            "category": pd.Categorical(["x", "y", None], categories=["y", "x", "z"]),
        }
    )
    for name in frame.columns:
        answer = opened(does="kinds").answer(pd.concat([frame[[name]]] * 1, axis=1).head(1))
        assert answer.tolist() == [[float(len(str(frame[name].dtype)))]], name


def test_a_refusal_names_the_file_and_says_what_to_do(opened: Opener) -> None:
    with pytest.raises(ModelError) as refused:
        opened(does="refuse")
    error = refused.value
    assert (error.what, error.where, error.advice) == (
        "The file is refused.",
        "model.strange: line 3",
        "Bring another.",
    )


@pytest.mark.parametrize("does", ["crash", "abort"])
def test_a_file_that_kills_its_library_ends_in_a_sentence(opened: Opener, does: str) -> None:
    with pytest.raises(ModelError, match=r"crash.*\(model.strange\).*Export"):
        opened(does=does)


def test_an_error_of_the_library_tells_nothing_of_the_file(opened: Opener) -> None:
    with pytest.raises(ModelError, match="cannot make sense of it") as failed:
        opened(does="break_down")
    cause = str(failed.value.__cause__)
    assert "KeyError" in cause
    assert "secret" not in str(failed.value) + cause


def test_a_file_that_dies_later_says_so_at_every_question(opened: Opener) -> None:
    model = opened(does="crash later")
    for _ in range(2):
        with pytest.raises(ModelError, match="crash"):
            model.answer(ROWS)


@pytest.mark.parametrize("does", ["hang", "spin", "raise_its_limit", "flood"])
def test_what_takes_too_long_is_stopped(opened: Opener, does: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(behind, "SECONDS", 1.0)
    begun = time.monotonic()
    with pytest.raises(ModelError, match=r"longer than the 1 second|broke the rules"):
        opened(does=does)
    assert time.monotonic() - begun < 30


@pytest.mark.parametrize("does", ["take_memory", "take_shared_memory"])
@all_walls
def test_what_takes_too_much_memory_is_stopped(opened: Opener, does: str) -> None:
    with pytest.raises(ModelError, match="more memory than the 4 GB"):
        opened(does=does)


@pytest.mark.parametrize("does", ["fewer rows", "another width", "no columns", "three dimensions"])
def test_answers_of_another_shape_are_not_taken(opened: Opener, does: str) -> None:
    model = opened(does=does)
    if does == "another width":
        model.answer(ROWS.head(2))
    with pytest.raises(ModelError, match="broke the rules"):
        model.answer(ROWS)


PICKLE = (
    b"\x93NUMPY\x01\x00v\x00"
    + b"{'descr': '|O', 'fortran_order': False, 'shape': (1,), }".ljust(117)
    + b"\n"
    + b"cposix"
)
LONG = (
    b"\x93NUMPY\x01\x00v\x00" + b"{'descr': '<f8', 'fortran_order': False, 'shape': (999999999,), }".ljust(117) + b"\n"
)
TEXT = (
    b"\x93NUMPY\x01\x00v\x00"
    + b"{'descr': '<U1', 'fortran_order': False, 'shape': (1,), }".ljust(117)
    + b"\n"
    + b"a\0\0\0"
)


@pytest.mark.parametrize(
    "claimed",
    [
        {"head": {"done": {"said": {}, "arrays": ["w"]}}, "parts": [PICKLE.hex()]},
        {"head": {"done": {"said": {}, "arrays": ["w"]}}, "parts": [LONG.hex()]},
        {"head": {"done": {"said": {}, "arrays": ["w"]}}, "parts": [TEXT.hex()]},
        {"head": {"done": {"said": {}, "arrays": ["w"]}}, "parts": [b"no array".hex()]},
        {"head": {"done": {"said": {}, "arrays": ["w", "v"]}}},
        {"head": {"done": {"said": [], "arrays": []}}},
        {"head": {"done": []}},
        {"head": {"failed": "of its own"}},
        {"head": {"refused": ["x" * 5000, "", ""]}},
        {"head": {"refused": [1, 2, 3]}},
        {"head": {"refused": [json.dumps({"told": "number", "of": [1.0, 300_000_000], "with": {}}), "", ""]}},
        {"head": {"refused": [nested("{a}" * 8, 5), "", ""]}},
        {"head": {"refused": [json.dumps({"told": "say", "of": ["\ud800"], "with": {}}), "", ""]}},
        {"head": {}},
    ],
    ids=lambda claimed: str(claimed["head"])[:40],
)
def test_what_no_child_says_is_not_believed(opened: Opener, claimed: dict[str, Any]) -> None:
    with pytest.raises(ModelError, match="broke the rules"):
        opened(does="claim", **claimed)


@pytest.mark.parametrize(
    "said",
    [
        b"\xff" * 8,
        b"\x00\x00\x00\x02\x00\x00\x00\x00[]",
        b"\x00\x00\x00\x02\x00\x00\x00\x00{x",
        b"\x00\x00\x00\x0e\x00\x00\x00\x00" + b'{"a":"\\ud800"}',
        b"\x00\x00\x00\x0b\x00\x00\x00\x00" + b'{"a":"\xed\xa0\x80"}',
        b"\x00\x00\x17\x76\x00\x00\x00\x00" + b'{"a":' + b"9" * 6000 + b"}",
        b"\x00\x00\x00\x09\x00\x00\x00\x00" + b'{"a":NaN}',
        b"\x00\x00\x00\x02\x00\x00\x00\x01{}" + b"\x7f" * 8,
        b"\x00\x01\x00\x00\x00\x00\x00\x00" + b"[" * 65536,
    ],
)
def test_bytes_that_are_no_message_end_the_child(opened: Opener, said: bytes) -> None:
    with pytest.raises(ModelError, match="broke the rules"):
        opened(does="say_raw", bytes=said.hex())


def test_a_sentence_longer_than_a_sentence_is_cut(opened: Opener) -> None:
    with pytest.raises(ModelError) as refused:
        opened(does="claim", head={"refused": ["x" * 3000, "", ""]})
    assert len(refused.value.what) < 700


@all_walls
def test_a_file_that_took_its_library_over_reaches_nothing(opened: Opener, tmp_path: Path) -> None:
    other = tmp_path / "somebody else's"
    other.write_text("kept")
    model = opened(
        does="reach_out",
        read=[str(other), "/etc/passwd", str(Path.home()), f"/proc/{os.getpid()}/cmdline"],
        list=["/", "/usr/..", "/proc", str(tmp_path), str(Path.home())],
        write=[str(other), str(tmp_path / "model.strange"), str(Path(behind.__file__))],
        owner=os.getpid(),
    )
    attempts = dict(model.said["attempts"])
    assert attempts.pop("thread") == "RuntimeError", "which is how Python says that it could start none"
    assert attempts.pop("more memory") == "ValueError", "which is how Python says that it may not"
    assert {name: how for name, how in attempts.items() if how != "PermissionError"} == {}
    pipe, *nowhere = sorted(model.said["descriptors"], key=lambda one: not one.startswith("socket:"))
    assert pipe.startswith("socket:")
    assert set(nowhere) == {"/dev/null"}
    assert not {one for one in model.said["environment"] if "SECRET" in one or "KEY" in one or "TOKEN" in one}
    assert other.read_text() == "kept"


def children_of_the_forks() -> list[int]:
    """Living and dead processes that the process which forks has started."""
    forks = behind._forks[os.getpid()]._process
    assert forks is not None
    return [int(one) for one in Path(f"/proc/{forks.pid}/task/{forks.pid}/children").read_text().split()]


@all_walls
def test_nothing_is_left_behind(opened: Opener) -> None:
    """Neither children, living or dead, nor descriptors, whether a file answered, crashed or hung."""
    opened()
    gc.collect()
    descriptors, before = len(os.listdir("/proc/self/fd")), children_of_the_forks()
    model = opened()
    assert len(children_of_the_forks()) == len(before) + 1
    del model
    for does in ("crash", "leave", "refuse", "break_down"):
        with pytest.raises(ModelError):
            opened(does=does)
    opened().close()
    gc.collect()
    assert children_of_the_forks() == before
    assert len(os.listdir("/proc/self/fd")) == descriptors


def computed_until_it_stands(pid: int) -> int:
    """Wait until a process is stopped; how long it had computed then, in the kernel's ticks."""
    until = time.monotonic() + 20
    while True:
        state, *numbers = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        if state == "T":
            return int(numbers[10]) + int(numbers[11])
        assert time.monotonic() < until
        time.sleep(0.01)


@all_walls
def test_a_child_stands_still_unless_it_is_asked(opened: Opener) -> None:
    model, spinning = opened(), opened(does="spin_later")
    before = [computed_until_it_stands(one._pid) for one in (model, spinning)]
    time.sleep(1.3)
    assert [computed_until_it_stands(one._pid) for one in (model, spinning)] == before
    assert model.answer(ROWS).tolist() == [[1.0, 2.0], [2.5, 5.0], [4.0, 8.0], [8.0, 16.0]]
    computed_until_it_stands(model._pid)


@all_walls
def test_what_the_machine_has_no_memory_for_is_not_asked(opened: Opener) -> None:
    model = opened()
    model._memory, kept = 2**60, model._memory
    with pytest.raises(ModelError, match="the machine has less to give at present"):
        model.answer(ROWS)
    model._memory = kept
    assert len(model.answer(ROWS)) == len(ROWS)


@all_walls
def test_the_kernel_ends_children_before_all_others(opened: Opener) -> None:
    model = opened()
    assert Path(f"/proc/{model._pid}/oom_score_adj").read_text().strip() == "1000"


def test_one_child_more_than_there_may_be_is_refused_and_the_others_stay() -> None:
    forks = Forks.start(own_environment(), (STRANGE,))
    pipes = [forks.fork(STRANGE, {}) for _ in range(100)]
    with pytest.raises(NoRoomError):
        forks.fork(STRANGE, {})
    forks.end(pipes.pop()[0])
    pipes.append(forks.fork(STRANGE, {}))
    for _, pipe in pipes:
        pipe.close()
    forks.close()


def test_one_file_more_than_can_be_open_is_refused_in_a_sentence(
    opened: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise NoRoomError

    opened()
    monkeypatch.setattr(Forks, "fork", full)
    with pytest.raises(ModelError, match="As many model files are open as can be open at once"):
        opened()


def test_a_closed_file_says_so(opened: Opener) -> None:
    model = opened()
    model.close()
    with pytest.raises(ModelError, match="closed"):
        model.answer(ROWS)


def test_the_process_that_forks_is_started_again_if_it_has_ended(opened: Opener) -> None:
    opened()
    forks = behind._forks[os.getpid()]._process
    assert forks is not None
    forks.kill()
    forks.wait()
    assert opened().said["read"] == "a model"


@all_walls
def test_a_file_that_is_forgotten_while_another_is_opened_ends_without_a_deadlock(
    opened: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The garbage collector may interrupt the very thread that talks to the process which forks."""
    forgotten = [opened()]
    forks = behind._forks[os.getpid()]
    pid, before = forgotten[0]._pid, behind.Forks._end

    def interrupted(self: Any, child: int) -> int:
        forgotten.clear()
        return before(self, child)

    monkeypatch.setattr(behind.Forks, "_end", interrupted)
    opened().close()
    assert not forgotten
    assert pid not in children_of_the_forks()
    assert forks._turn.acquire(blocking=False)
    forks._turn.release()


def test_a_question_that_was_broken_off_leaves_no_answer_for_the_next(
    opened: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody presses Ctrl-C while a model computes, and asks again."""
    model = opened()

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr(behind, "receive", interrupted)
        with pytest.raises(KeyboardInterrupt):
            model.answer(ROWS)
    with pytest.raises(ModelError, match="closed"):
        model.answer(ROWS + 1)


@all_walls
def test_a_file_whose_opening_was_broken_off_is_not_taken_for_the_next(
    opened: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened()

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr("core.wall.forks.socket.recv_fds", interrupted)
        with pytest.raises(KeyboardInterrupt):
            opened(kinds=["first"])
    assert opened(kinds=["second"]).said["kinds"] == ["second"]
