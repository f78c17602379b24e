"""A dashboard under attack: its processes are killed and its disk is taken away while audits run."""

import os
import random
import resource
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from core.audits.group_fairness import KIND
from core.base.files import FileRef, FileStore
from core.data.roles import Roles
from core.models.predictions import PredictionColumns
from core.plan import AuditPlan
from core.records.codec import load_result
from core.sources.upload.uploaded import UploadedTable
from core.study import Study
from dashboard.jobs import queue as jobs
from dashboard.jobs.job import Job
from dashboard.jobs.removal import DAY, Removal
from dashboard.jobs.table import JobTable
from tests.dashboard.walking import REPOSITORY, assert_sound, open_app, open_page, texts
from tests.hostile.disks import fill, read_only

PATIENCE = 90.0


class House:
    """A home with a worker, a table and the audits of it that were asked for.

    Args:
        home: Its folder.
        seed: Of every choice.
        mounted: Whether the home is a file system of its own, which may be filled.
    """

    def __init__(self, home: Path, seed: int, *, mounted: bool) -> None:
        self.home = home
        self.rng = random.Random(seed)  # noqa: S311
        self._mounted = mounted
        rows = "\n".join(f"{i % 5},{'ab'[i % 2]},{'yn'[i % 3 > 0]},{'yn'[i % 7 > 2]}" for i in range(400))
        self.table = FileStore().put(f"hours,group,passed,said\n{rows}\n".encode(), "people.csv")
        self.done: list[Job] = []
        self._asked = 0

    def ask(self) -> Job:
        """Start an audit that nobody started before."""
        self._asked += 1
        roles = Roles(
            outcome="passed", favourable="y", protected=("group",), features=("hours",), predictions=("said",)
        )
        plan = AuditPlan(
            data=UploadedTable(file=self.table),
            roles=roles,
            model=PredictionColumns(columns=("said",)),
            audit=KIND.settings(),
            seed=self._asked,
            decision=KIND.decision(),
        )
        return jobs.submit("audit", {"study": Study(plans=(plan,)).model_dump(mode="json")}, again=True)

    def strike(self, blow: str) -> None:
        """One blow, and every page a sentence meanwhile."""
        getattr(self, f"_{blow}")()

    def finish(self, job: Job) -> None:
        """Run a job again until it is done, as a user would, and look at all that was done before."""
        until = time.monotonic() + PATIENCE
        while job.state != "done":
            assert time.monotonic() < until, f"{job.state}: {job.failure}"
            assert job.failure is None or job.failure.kind in ("Killed", "StorageError"), job.failure
            job = jobs.submit(job.kind, job.arguments, again=True)
            time.sleep(0.2)
        self.done.append(job)
        for kept in self.done:
            found = JobTable().get(kept.id)
            assert found is not None
            assert (found.state, found.answer) == ("done", kept.answer), "something finished was lost"
            load_result(self.home / "results" / kept.answer["results"][0])

    def pages(self) -> None:
        """A page that a visitor may have open is sound: the first, a step, a result."""
        name = self.rng.choice(("home", "data", "audit") if self.done else ("home", "data"))
        audit = self.rng.choice(self.done).id if name == "audit" else ""
        shown = open_app() if name == "home" else open_page(name, **({"audit": audit} if audit else {}))
        assert_sound(shown)
        assert not audit or "people.csv" in texts(shown)

    def end(self) -> None:
        """Stop the worker, and see that no process and no file is left that nobody knows.

        A worker that was asked for twice may take the lock only when the first has gone.
        """
        stopped, until = set(), time.monotonic() + 20
        while self.processes():
            worker = (jobs.running_worker(JobTable().folder) or {}).get("pid")
            if worker and worker not in stopped:
                stopped.add(worker)
                os.kill(worker, signal.SIGTERM)
            assert time.monotonic() < until, f"orphans: {self.processes()}"
            time.sleep(0.1)
        for path in self.home.rglob("*"):
            os.utime(path, (time.time() - 2 * DAY,) * 2)
        Removal(JobTable()).sweep()
        assert list(self.strays()) == []

    def strays(self) -> Iterator[str]:
        """Files in the home that no job and no draft accounts for."""
        everything = JobTable().everything()
        known = {job.id for job in everything}
        results = {name for job in everything if job.kind == "audit" and job.answer for name in job.answer["results"]}
        for path in self.home.rglob("*"):
            kind, *rest = path.relative_to(self.home).parts
            if (
                path.is_dir()
                or kind in ("files", "drafts")
                or path.name.startswith(("jobs.sqlite", "register.sqlite", "worker."))
            ):
                fine = not path.name.startswith(".")
            elif kind == "jobs":
                fine = rest[0] in ("asked", "answered", "logs") and path.stem in known
            else:
                fine = kind == "results" and rest[0] in results
            if not fine:
                yield str(path)

    def processes(self) -> list[str]:
        """Processes, other than this one, that work in this home."""
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                ours = f"EVENHAND_HOME={self.home}".encode() in (process / "environ").read_bytes().split(b"\0")
                if ours and int(process.name) != os.getpid():
                    command = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                    found.append(f"{process.name} {command}")
        return found

    def _child(self) -> None:
        """Kill one that runs a task, if one does now."""
        working = [line.split() for line in self.processes() if "dashboard.jobs" in line]
        parents = {int(words[0]): _parent(int(words[0])) for words in working}
        children = [pid for pid, parent in parents.items() if parents.get(parent) in parents]
        if children:
            _kill(self.rng.choice(children))
        self.pages()

    def _worker(self) -> None:
        if worker := jobs.running_worker(JobTable().folder):
            _kill(worker.get("pid", 0))
        self.pages()

    def _full_disk(self) -> None:
        with self._full():
            self.pages()
            time.sleep(self.rng.random())

    def _read_only(self) -> None:
        self._worker()
        until = time.monotonic() + 10
        while self.processes() and time.monotonic() < until:
            time.sleep(0.05)
        with ExitStack() as stack:
            with suppress(subprocess.CalledProcessError):  # a process that was killed may still hold a file open
                stack.enter_context(read_only(self.home))
            self.pages()

    @contextmanager
    def _full(self) -> Iterator[None]:
        """No room: on the disk where it is our own, and otherwise by the limits of every process."""
        if self._mounted:
            filler = fill(self.home)
            try:
                yield
            finally:
                filler.unlink()
            return
        limited = [int(line.split()[0]) for line in self.processes()] + [os.getpid()]
        before = {pid: resource.prlimit(pid, resource.RLIMIT_FSIZE) for pid in limited}
        try:
            for pid, (_, hard) in before.items():
                with suppress(OSError):
                    resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, hard))
            yield
        finally:
            for line in (*self.processes(), str(os.getpid())):
                with suppress(OSError):
                    resource.prlimit(int(line.split()[0]), resource.RLIMIT_FSIZE, before[os.getpid()])


class Server:
    """The dashboard's server, which can be killed and comes back at the same address."""

    def __init__(self, home: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self._port = probe.getsockname()[1]
        self._home = home
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and wait until it answers."""
        command = [sys.executable, "-m", "streamlit", "run", "dashboard/app.py", "--server.port", str(self._port)]
        self._process = subprocess.Popen(
            [*command, "--server.fileWatcherType", "none"],
            cwd=REPOSITORY,
            env=os.environ | {"EVENHAND_HOME": str(self._home)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until = time.monotonic() + PATIENCE
        while True:
            with suppress(OSError):
                urllib.request.urlopen(f"http://127.0.0.1:{self._port}/_stcore/health", timeout=2)
                return
            assert time.monotonic() < until, "the server did not come back"
            time.sleep(0.2)

    def kill(self) -> None:
        """Kill it, if it runs."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()


def _kill(pid: int) -> None:
    if pid > 0:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _parent(pid: int) -> int:
    with suppress(OSError):
        return int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
    return 0


def kept(file: FileRef) -> bool:
    """Whether an upload is still there."""
    return FileStore().holds(file)
