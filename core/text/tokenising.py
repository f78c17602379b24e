"""The program of the process that runs the tokenizers library, which a hostile file may hang, abort or bloat.

Started by :mod:`core.text.tokeniser_process` with ``python -P <this file>``; it imports nothing of ours. Messages in
both directions are a length (8 bytes, little-endian) and so many bytes. The first is ``{"tokeniser": "...", "added":
[[token, number], ...], "memory": BYTES, "seconds": S}``; each further one is ``{"texts": [...], "longest": N,
"seconds": S}``. An answer begins with ``E`` and is a sentence, or with ``R`` and is int64 numbers: for each text the
count of its tokens, for each text the characters read, then of all texts one after the other the numbers, begins, ends
and special marks of the tokens.
"""

import json
import sys
from array import array
from typing import IO, Any


def receive(stream: IO[bytes]) -> bytes | None:
    """The next message; None at the end of the stream."""
    head = stream.read(8)
    if len(head) < 8:
        return None
    length = int.from_bytes(head, "little")
    content = stream.read(length)
    return content if len(content) == length else None


def send(stream: IO[bytes], content: bytes) -> None:
    """Write one message."""
    stream.write(len(content).to_bytes(8, "little"))
    stream.write(content)
    stream.flush()


def tokenise(tokeniser: Any, texts: list[str], longest: int) -> bytes:
    """The tokens of the texts as one array, cut to ``longest`` a text by leaving out tokens that are not special."""
    counts, read, ids, start, end, special = (array("q") for _ in range(6))
    for text in texts:
        found = tokeniser.encode(text)
        numbers, offsets, marks = found.ids, found.offsets, found.special_tokens_mask
        covered = len(text)
        if len(numbers) > longest:
            room = longest - sum(marks)
            if room < 0:
                raise ValueError(f"{sum(marks)} closing tokens do not fit into {longest} tokens")
            real = [place for place, mark in enumerate(marks) if not mark]
            left_out = set(real[room:])
            covered = offsets[real[room]][0]
            kept = [place for place in range(len(numbers)) if place not in left_out]
            numbers, offsets, marks = ([values[place] for place in kept] for values in (numbers, offsets, marks))
        counts.append(len(numbers))
        read.append(covered)
        ids.extend(numbers)
        start.extend(pair[0] for pair in offsets)
        end.extend(pair[1] for pair in offsets)
        special.extend(marks)
    return b"".join(part.tobytes() for part in (counts, read, ids, start, end, special))


def _limit(seconds: float) -> None:
    """Let the system end this process once it has computed ``seconds`` more; where the system can."""
    try:
        import resource
    except ImportError:
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime + seconds) + 1, hard))


def _limit_memory(size: int) -> None:
    """Let the system refuse this process more than ``size`` bytes; where the system can."""
    try:
        import resource
    except ImportError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (size if hard == resource.RLIM_INFINITY else min(size, hard), hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _sentence(error: BaseException) -> bytes:
    return b"E" + (str(error).strip().split("\n", maxsplit=1)[0][:200] or type(error).__name__).encode(
        "utf-8", "replace"
    )


def main() -> None:
    """Answer until the stream ends."""
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    first = receive(requests)
    if first is None:
        return
    request = json.loads(first)
    _limit_memory(request["memory"])
    _limit(request["seconds"])
    try:
        from tokenizers import Tokenizer

        tokeniser = Tokenizer.from_str(request["tokeniser"])
        for token, number in request["added"]:
            if tokeniser.token_to_id(token) != number:
                raise ValueError(f"the added token {token[:40]!r} would not get its number {number}")
    except BaseException as error:
        send(answers, _sentence(error))
        return
    send(answers, b"R")
    while (content := receive(requests)) is not None:
        request = json.loads(content)
        _limit(request["seconds"])
        try:
            answer = b"R" + tokenise(tokeniser, request["texts"], request["longest"])
        except BaseException as error:
            answer = _sentence(error)
        send(answers, answer)


if __name__ == "__main__":
    main()
