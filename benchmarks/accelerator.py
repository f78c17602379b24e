"""An accelerator beside the processor: texts and a search. ``python -m benchmarks.accelerator`` needs few packages.

Agreement is told as the largest difference, and bytes are compared between two runs on the accelerator. ``--quick``
takes small sizes, to see that it runs; where torch sees no accelerator the processor stands in for it.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import fields
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import torch

from benchmarks.text_workloads import Bert, texts_of
from core.audits.gradient_flow.engine import SearchBench
from core.audits.gradient_flow.settings import GradientFlow
from core.audits.gradient_flow.tally import SearchedRows
from core.audits.text_sensitivity.gradients import at_once, differentiate, softmax
from core.audits.text_sensitivity.settings import TextSensitivity
from core.base import device as devices
from core.base.progress import ignore_progress
from core.contracts.audit import Given
from core.contracts.metric import FittedMetric
from core.contracts.model import Origin
from core.data.dataset import Dataset
from core.data.roles import Roles
from core.metrics import Expert
from core.models.text import TextModel
from core.protected_status.settings import NoStatus
from core.text import network as text_network
from core.text.network import computing_with
from core.text.tokens import batches, padded

HIDDEN, COLUMNS = 50, 39


def on(where: devices.Choice, work: Callable[[], Any]) -> tuple[Any, float]:
    """What work gives on the processor or on an accelerator, however little it is, and the seconds it took."""
    with devices.choosing("auto" if where == "accelerator" else where), devices.computing() as names:
        started = time.perf_counter()
        found = work()
        wait()
        seconds = time.perf_counter() - started
    assert bool(names) == (where == "accelerator" and devices._accelerator() is not None), (where, names)
    return found, seconds


def wait() -> None:
    if torch.cuda.is_available():
        torch.cuda.synchronize()


def apart(first: np.ndarray, second: np.ndarray) -> str:
    """Largest difference, and that over the largest size."""
    both = np.isfinite(first) & np.isfinite(second)
    assert (np.isfinite(first) == np.isfinite(second)).all()
    most = float(np.abs(first - second)[both].max())
    return f"{most:.1e} ({most / float(np.abs(first[both]).max()):.1e} of the largest)"


def tell(what: str) -> None:
    print(what, flush=True)


def start() -> None:
    """What beginning costs: the driver's context and its library of products."""
    began = time.perf_counter()
    place = devices._accelerator()
    found = torch.device("cpu") if place is None else place
    one = torch.ones(64, 64, device=found)
    wait()
    (one @ one).sum().item()
    tell(f"started {devices.name_of(found) if place else 'no accelerator'} in {time.perf_counter() - began:.2f} s")
    tell(f"torch {torch.__version__}, {torch.get_num_threads()} threads on the processor")


def texts(count: int, few: int, width: int, layers: int) -> None:
    """A BERT of this size on texts of 128 tokens, two classes, word lists: its own passes, and the whole audit."""
    from core.audits.text_sensitivity.engine import run

    heads = max(1, width // 64)
    net = Bert(2, width=width, layers=layers, heads=heads, attention="eager")
    torch.nn.init.normal_(net.bert.classifier.weight, std=width**-0.5)
    weights = sum(one.numel() for one in net.bert.parameters())
    tell(f"\ntexts: BERT of {weights / 1e6:.0f} million weights, 128 tokens")
    model = TextModel(net, "text", net.classes, "bert.zip", Origin("BERT", "f" * 64))

    def written(number: int) -> list[str]:
        return texts_of(np.full(number, 128), np.random.default_rng(1))

    def passes(number: int) -> float:
        tokens = net.read(written(number))
        with computing_with(net):
            for warm in (True, False):
                began = time.perf_counter()
                for places in batches(tokens[:8] if warm else tokens, at_once(net)):
                    ids, mask = padded([tokens[place] for place in places], net.device)
                    with torch.enable_grad():
                        x = net.word_embeddings(ids).detach().requires_grad_()
                        torch.autograd.grad(softmax(net.head()(net.pooled(x, mask)))[:, 0].sum(), x)
                wait()
        return time.perf_counter() - began

    def audit(number: int) -> Any:
        data = Dataset(pd.DataFrame({"text": written(number)}), Roles(text="text"), number)
        given = Given(model, model.unanswered(data), np.random.default_rng(0))
        found = run(TextSensitivity(status=NoStatus()), given)[0]
        model.answers(model.encode(data))
        return found

    def derivatives() -> Any:
        with computing_with(net):
            return differentiate(net, net.read(written(8)), np.full(2, 0.5))

    for where, number in (("processor", few), ("accelerator", few), ("accelerator", count)):
        alone, _ = on(where, lambda number=number: passes(number))
        _, whole = on(where, lambda number=number: audit(number))
        tell(
            f"  {where}, {number} texts: passes {alone:.2f} s ({1e3 * alone / number:.1f} ms a text), answers and "
            f"audit {whole:.2f} s, {whole / alone:.2f} times"
        )
    ours, theirs, again = (on(one, derivatives)[0] for one in ("processor", "accelerator", "accelerator"))
    for field in fields(ours):
        tell(f"  {field.name}: {apart(getattr(ours, field.name), getattr(theirs, field.name))}")
    same = all(getattr(theirs, one.name).tobytes() == getattr(again, one.name).tobytes() for one in fields(ours))
    found, other = (on(one, lambda: audit(few))[0].audited.measures for one in ("processor", "accelerator"))
    tell(f"  measures of the audit: {apart(found, other)}; same bytes twice: {same}")
    if torch.cuda.is_available():
        tell(f"  accelerator's memory at most {torch.cuda.max_memory_allocated() / 2**30:.1f} GB")


def table(rows: int) -> tuple[torch.nn.Sequential, SearchedRows, FittedMetric]:
    """Adult's width, a network with two hidden layers, and a metric that frees two directions."""
    torch.manual_seed(0)
    sizes = (COLUMNS, HIDDEN, HIDDEN, 2)
    layers: list[torch.nn.Module] = []
    for inside, outside in pairwise(sizes):
        linear = torch.nn.Linear(inside, outside)
        torch.nn.init.normal_(linear.weight, std=2 / inside**0.5)
        layers += [linear, torch.nn.ReLU()]
    module = torch.nn.Sequential(*layers[:-1]).eval().requires_grad_(False)
    rng = np.random.default_rng(0)
    x = rng.standard_normal((rows, COLUMNS))
    x[:, 8:] = x[:, 8:] > 1.2
    y = rng.integers(2, size=rows)
    searched = SearchedRows(x, y, np.arange(rows), rng.integers(4, size=rows).astype(np.int32), 4)
    free = np.linalg.qr(rng.standard_normal((COLUMNS, 2)))[0].T
    matrix = np.eye(COLUMNS) - free.T @ free
    return module, searched, FittedMetric("two free", tuple(f"x{i}" for i in range(COLUMNS)), matrix, free, np.empty(0))


def search(rows: int) -> None:
    """The search by default over so many rows, by the quick path, by autograd and in float64."""
    module, searched, metric = table(rows)
    plain = torch.nn.Sequential(torch.nn.Flatten(), module)
    tell(f"\nsearch: {rows:,} rows, {COLUMNS}-{HIDDEN}-{HIDDEN}-2")
    for called, network, precision, part in (
        ("by hand", module, "float32", rows),
        ("autograd", plain, "float32", rows // 4),
        ("by hand, float64", module, "float64", rows // 4),
    ):
        bench = SearchBench.of(GradientFlow(metric=Expert(), integrator="etd2rk", precision=precision), network)
        some = searched.part((0, part))

        def once(bench: SearchBench = bench, some: SearchedRows = some) -> Any:
            return bench.search(some, metric, ignore_progress)

        on("accelerator", lambda some=some, bench=bench: bench.search(some.part((0, 5000)), metric, ignore_progress))
        (ours, slow), (theirs, fast), (again, _) = (
            on(one, once) for one in ("processor", "accelerator", "accelerator")
        )
        tell(
            f"  {called}, {part:,} rows, {bench.gradients} gradients: processor {slow:.2f} s, "
            f"accelerator {fast:.2f} s, {slow / fast:.1f} times as fast; "
            f"S_n {ours.ratio.mean():.6f} and {theirs.ratio.mean():.6f}, "
            f"{abs(theirs.ratio.mean() / ours.ratio.mean() - 1):.1e} apart"
        )
        each = np.abs(theirs.ratio / ours.ratio - 1)
        tell(
            f"    ratios: mean {each.mean():.1e}, 99.9% below {np.quantile(each, 0.999):.1e}, "
            f"largest {each.max():.1e}; same bytes twice: {theirs.ratio.tobytes() == again.ratio.tobytes()}"
        )


def limited() -> None:
    """Whether an accelerator starts in a process whose memory is limited as that of the command line is."""
    said = subprocess.run(
        [
            sys.executable,
            "-c",
            "from core.base.memory import limit_memory, memory_of_a_run\n"
            "limit_memory(memory_of_a_run())\n"
            "import torch\n"
            "place = 'cuda' if torch.cuda.is_available() else 'cpu'\n"
            "one = torch.randn(2048, 2048, device=place)\n"
            "print('computes on', place, float((one @ one).abs().mean()))",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    tell(f"\nunder the command line's limit of memory: {said.stdout.strip() or said.stderr.strip()[-600:]}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", default="texts,search,limited")
    given = parser.parse_args()
    chosen = given.only.split(",")
    os.environ.pop(devices.DEVICE, None)
    devices.WORTH, text_network.SMALL_WIDTH = 0.0, 0
    start()
    if "texts" in chosen:
        texts(*((40, 30, 64, 2) if given.quick else (300, 40, 768, 12)))
    if "search" in chosen:
        search(20_000 if given.quick else 1_000_000)
    if "limited" in chosen:
        limited()


if __name__ == "__main__":
    main()
