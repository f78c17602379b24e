"""Kills, a full disk and a read-only disk while audits run: nothing finished is lost, and nothing is left behind."""

import sys
import time
from pathlib import Path

import pytest

from dashboard.jobs import queue as jobs
from tests.hostile.chaos import House, Server, kept
from tests.hostile.disks import small_disk

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Processes are found through /proc.")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("EVENHAND_HOME", str(tmp_path))
    monkeypatch.setattr(jobs, "_SECONDS_BETWEEN_STARTS", 2.0)
    return tmp_path


def test_a_blow(home: Path) -> None:
    """The smallest of the hundred below; what a full disk does to files is in ``test_disk.py``."""
    house = House(home, seed=7, mounted=False)
    job = house.ask()
    time.sleep(house.rng.random() * 0.5)
    house.strike("child")
    house.finish(job)
    house.end()
    assert kept(house.table)


@pytest.mark.long
def test_a_hundred_blows(home: Path) -> None:
    with small_disk(home, 60) as mounted:
        house, server = House(home, seed=20261122, mounted=mounted), Server(home)
        server.start()
        for number in range(100):
            job = house.ask()
            time.sleep(house.rng.random() * 2)
            blow = house.rng.choice(("child", "child", "worker", "server", "full_disk", "read_only"))
            print(number, blow, job.state, flush=True)
            if blow == "server":
                server.kill()
                house.pages()
                server.start()
            else:
                house.strike(blow)
            house.finish(job)
        server.kill()
        house.end()
        assert kept(house.table)
