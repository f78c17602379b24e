"""Registers on SQLite, and among the long tests on a real PostgreSQL."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.engine import make_url

from core.register.database import Database
from core.register.register import Register


@pytest.fixture(scope="session")
def cluster() -> Iterator[str]:
    """The address of a PostgreSQL of its own on a socket in a temporary folder, without its database."""
    if shutil.which("initdb") is None:
        pytest.skip("No PostgreSQL on the PATH: the register was tested on SQLite only.")
    nobody = {"user": "nobody", "group": "nogroup"} if os.geteuid() == 0 else {}
    folder = Path(tempfile.mkdtemp(prefix="evenhand-pg-", dir="/tmp"))
    if nobody:
        shutil.chown(folder, **nobody)
    data = folder / "data"

    def run(*command: object) -> None:
        subprocess.run(list(map(str, command)), cwd=folder, stdout=subprocess.DEVNULL, check=True, **nobody)

    run("initdb", "-D", data, "-U", "evenhand", "-A", "trust", "-E", "UTF8")
    options = f"-c listen_addresses='' -c unix_socket_directories='{folder}' -c fsync=off"
    run("pg_ctl", "-D", data, "-w", "-l", folder / "log", "-o", options, "start")
    yield f"postgresql+psycopg://evenhand@/{{}}?host={folder}"
    run("pg_ctl", "-D", data, "-m", "immediate", "stop")
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def postgres(cluster: str, request: pytest.FixtureRequest) -> str:
    """The address of an empty PostgreSQL database."""
    name = f"r{abs(hash(request.node.nodeid))}"
    with create_engine(cluster.format("postgres"), isolation_level="AUTOCOMMIT").connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    return cluster.format(name)


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of an empty register: to run all migrations takes longer than what most tests do with it."""
    file = tmp_path_factory.mktemp("migrated") / "register.sqlite"
    with Database(make_url(f"sqlite:///{file}")).writing():
        return file


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.long)])
def register(request: pytest.FixtureRequest, migrated: Path, tmp_path: Path) -> Register:
    """An empty register."""
    if request.param == "sqlite":
        return Register(Database(make_url(f"sqlite:///{shutil.copy(migrated, tmp_path / 'register.sqlite')}")))
    return Register(Database(make_url(request.getfixturevalue("postgres"))))
