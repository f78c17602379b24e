"""The process that tokenises for us: whatever a hostile tokeniser does to it becomes a sentence."""

import json
import os
import signal
import subprocess
import sys
import threading
import weakref
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np

from core.base.errors import ModelError
from core.language.phrases import number
from core.language.told import localized, say
from core.text import tokenising
from core.text.tokeniser_file import TokeniserFile

MEMORY_BYTES = 4 * 1024**3
OPENING_SECONDS = 30.0
"""Computing time for building the tokeniser; the largest published ones need about 2 s."""
SECONDS = 10.0
CHARACTERS_A_SECOND = 20_000
"""Computing time for a message: so many seconds and one more for so many characters; a usual tokeniser reads 50 times
as many."""
_PATIENCE = 8.0
"""How many times as long a process may take on a busy machine."""


class TokeniserProcess:
    """One tokeniser in a process of its own, started on first use and again after a fork.

    Args:
        file: The checked tokeniser.
        name: How errors name it.
    """

    def __init__(self, file: TokeniserFile, name: str) -> None:
        self._file = file
        self._name = name
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0

    def tokenise(self, texts: Sequence[str], longest: int) -> np.ndarray:
        """What :func:`core.text.tokenising.tokenise` gives, as one int64 array.

        Raises:
            ModelError: The tokeniser fails, hangs or ends its process.
        """
        seconds = SECONDS + sum(map(len, texts)) / CHARACTERS_A_SECOND
        with self._lock:
            if self._process is None or self._owner != os.getpid() or self._process.poll() is not None:
                self._start()
            answer = self._ask({"texts": list(texts), "longest": longest}, seconds)
        return np.frombuffer(answer, dtype=np.int64)

    def open(self) -> None:
        """Start the process now.

        Raises:
            ModelError: The tokeniser cannot be built.
        """
        with self._lock:
            self._start()

    def _start(self) -> None:
        environment = os.environ | {"TOKENIZERS_PARALLELISM": "false", "RAYON_NUM_THREADS": "1"}
        self._process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-P", str(Path(tokenising.__file__))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
        )
        self._owner = os.getpid()
        weakref.finalize(self, _end, self._process, self._owner)
        opening = {"tokeniser": self._file.text, "added": self._file.added, "memory": MEMORY_BYTES}
        self._ask(opening, OPENING_SECONDS)

    def _ask(self, request: dict[str, object], seconds: float) -> bytes:
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            raise RuntimeError("the process was not started with pipes")
        watch = threading.Timer(_PATIENCE * seconds, process.kill)
        watch.daemon = True
        watch.start()
        try:
            tokenising.send(process.stdin, json.dumps({**request, "seconds": seconds}).encode())
            answer = tokenising.receive(process.stdout)
        except OSError:
            answer = None
        finally:
            watch.cancel()
        if answer is None or answer[:1] != b"R":
            raise self._failure(process, answer, seconds)
        return answer[1:]

    def _failure(self, process: "subprocess.Popen[bytes]", answer: bytes | None, seconds: float) -> ModelError:
        advice = say("Bring another model, or save its tokeniser again with a current version of the library.")
        if answer is not None:
            reason = answer[1:].decode("utf-8", "replace")
            return ModelError(say("The model's tokeniser fails."), where=f"{self._name}: {reason}", advice=advice)
        process.kill()
        code = process.wait()
        self._process = None
        if code in {-getattr(signal, one, 0) for one in ("SIGKILL", "SIGXCPU")}:
            what = say(
                "The model's tokeniser did not come to an end within {seconds} seconds of computing.",
                seconds=number(seconds, 0),
            )
        else:
            what = say(
                "The model's tokeniser fails badly, or asks for more than {memory} GB of memory.",
                memory=localized(f"{MEMORY_BYTES / 2**30:.3g}"),
            )
        return ModelError(what, where=self._name, advice=advice)


def _end(process: "subprocess.Popen[bytes]", owner: int) -> None:
    if os.getpid() != owner:
        return
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with suppress(OSError):
                stream.close()
    try:
        process.wait(timeout=1)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
