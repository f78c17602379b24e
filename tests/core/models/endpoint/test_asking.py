"""Answers are asked for once, kept, and found out where the model changed meanwhile."""

import numpy as np
import pandas as pd
import pytest

from core.base.errors import ModelError
from core.base.progress import Progress, ignore_progress
from core.models.endpoint.asking import ASKED_AGAIN, Asker, caveats
from core.models.endpoint.rows import Rows
from tests.model_server import ModelServer

FRAME = pd.DataFrame({"income": [*range(90), 5, 5], "sex": ["f", "m"] * 46})
ROWS = Rows.of(FRAME, ("income", "sex"))
PROTOCOLS = ("plain", "mlflow", "open inference")


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_each_row_is_asked_once_in_batches_and_never_again(server: ModelServer, protocol: str) -> None:
    settings = server.settings(protocol, batch_rows=20)
    seen: list[Progress] = []
    asker = Asker(settings)
    first = asker.ask(ROWS, seen.append)
    assert first == [(server.answer(row),) for row in FRAME.to_dict("records")]
    assert server.rows == len(FRAME.drop_duplicates()) == 91
    assert server.posts == 5
    assert [part.done for part in seen] == sorted(part.done for part in seen)
    assert seen[-1].done == 1
    history = asker.conclude()
    assert (history.rows, history.checked, history.others) == (91, ASKED_AGAIN, 0)
    asked = server.rows
    again = Asker(settings)
    assert again.ask(ROWS, ignore_progress) == first
    assert again.conclude() == history
    assert server.rows == asked


def test_what_was_answered_before_a_fault_is_kept(server: ModelServer) -> None:
    settings = server.settings(batch_rows=20, retries=0)
    server.faults = [0.0, 0.0, 500]
    with pytest.raises(ModelError):
        Asker(settings).ask(ROWS, ignore_progress)
    assert server.rows == 40
    Asker(settings).ask(ROWS, ignore_progress)
    assert server.rows == 91


def test_patience_and_pace_ask_the_same_model_and_a_mark_another(server: ModelServer) -> None:
    Asker(server.settings()).ask(ROWS, ignore_progress)
    Asker(server.settings(batch_rows=7, seconds=9.0, retries=9)).ask(ROWS, ignore_progress)
    assert server.rows == 91
    Asker(server.settings(asked_as_of="later")).ask(ROWS, ignore_progress)
    assert server.rows == 182


@pytest.mark.parametrize("protocol", ["plain", "open inference"])
def test_a_model_that_changes_between_two_answers_is_found_and_told(server: ModelServer, protocol: str) -> None:
    asker = Asker(server.settings(protocol))
    asker.ask(ROWS, ignore_progress)
    server.answer = lambda row: 0.255
    with pytest.raises(ModelError, match="changed during the audit: 50 of 50 rows"):
        asker.conclude()
    with pytest.raises(ModelError, match="changed during the audit"):
        Asker(server.settings(protocol)).ask(ROWS, ignore_progress)
    fresh = Asker(server.settings(protocol, asked_as_of="afresh"))
    assert set(fresh.ask(ROWS, ignore_progress)) == {(0.255,)}
    assert fresh.conclude().others == 0


def test_another_version_is_found_before_its_answers_are_used(server: ModelServer) -> None:
    asker = Asker(server.settings("open inference", batch_rows=20))
    asker.ask(ROWS.take(range(40)), ignore_progress)
    server.version = "2"
    with pytest.raises(ModelError, match="of the versions 1 and 2"):
        asker.ask(ROWS, ignore_progress)
    assert server.rows == 60


def test_a_model_that_cannot_be_asked_again_is_told_and_what_it_answered_stays(server: ModelServer) -> None:
    settings = server.settings(retries=0)
    asker = Asker(settings)
    found = asker.ask(ROWS, ignore_progress)
    server.faults = [500]
    told = caveats(settings, asker.conclude())
    assert [one.level for one in told] == ["info", "warning"]
    assert "during the last 91 answers would not have been noticed" in told[1].what
    assert Asker(settings).ask(ROWS, ignore_progress) == found


def test_a_model_that_draws_its_answers_is_told(server: ModelServer) -> None:
    drawn = np.random.default_rng(0)
    server.answer = lambda row: drawn.random()
    settings = server.settings()
    asker = Asker(settings)
    asker.ask(ROWS, ignore_progress)
    told = caveats(settings, asker.conclude())
    assert [one.level for one in told] == ["info", "serious"]
    assert "different answers for the same row: 50 of 50 rows" in told[1].what


def test_it_is_told_when_which_model_was_asked(server: ModelServer) -> None:
    settings = server.settings("open inference")
    asker = Asker(settings)
    assert caveats(settings, asker.conclude()) == ()
    asker.ask(ROWS, ignore_progress)
    (told,) = caveats(settings, asker.conclude())
    assert told.what.startswith(
        "The answers come from the model income at 127.0.0.1 (the server names it version 1), asked on 20"
    )
    assert "repeating the audit does not contact the server" in told.what


def test_a_table_larger_than_a_request_of_the_store_is_kept_whole(server: ModelServer) -> None:
    frame = pd.DataFrame({"income": range(1201)})
    rows = Rows.of(frame, ("income",))
    assert len(Asker(server.settings(batch_rows=1000)).ask(rows, ignore_progress)) == 1201
