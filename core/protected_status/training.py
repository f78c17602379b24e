"""Training of a text network: balanced loss, early stopping, the same bytes for the same seed."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.base.errors import AuditError
from core.base.progress import OnProgress, Progress
from core.base.settings import Settings, setting
from core.language.told import localized, say
from core.text.network import AbstractTextNetwork, computing_with
from core.text.tokens import Tokens, padded

if TYPE_CHECKING:
    import torch

_LONGEST_NORM = 1.0
_POOL = 16
"""Batches among whose texts those of like length are put together."""


class Recipe(Settings):
    """How a network is trained: AdamW with clipped gradients on batches of texts of like length."""

    epochs: int = setting(30, label=say("Longest training"), unit=say("epochs"), help=say("Epochs at most."), ge=1)
    patience: int = setting(
        5,
        label=say("Patience"),
        unit=say("epochs"),
        help=say("Epochs without a lower loss after which training stops."),
        ge=1,
    )
    batch: int = setting(16, label=say("Batch"), unit=say("texts"), help=say("Texts a step."), ge=1)
    learning_rate: float = setting(3e-3, label=say("Learning rate"), help=say("Step size of AdamW."), gt=0)
    weight_decay: float = setting(1e-2, label=say("Weight decay"), help=say("Strength of the ridge."), ge=0)
    left_out: float = setting(
        0.3,
        label=say("Tokens left out"),
        help=say(
            "Share of the tokens whose embedding is set to zero at every step, drawn anew, so that the "
            "network learns to use every word that tells something rather than the first it finds."
        ),
        ge=0,
        lt=1,
    )


@dataclass(frozen=True)
class Texts:
    """Tokens with what is to be told from them.

    Attributes:
        tokens: The tokens of m texts; none of them is empty.
        codes: Class of each, shape (m,), int.
    """

    tokens: Sequence[Tokens]
    codes: np.ndarray


@dataclass(frozen=True)
class Trained:
    """Attributes:
    epochs: Epochs until the best one.
    loss: Its balanced loss on the stopping texts, in nats.
    """

    epochs: int
    loss: float


@contextmanager
def reproducible(seed: int) -> Iterator[None]:
    """Torch on one thread with its own random state and with gradients; as it was afterwards."""
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with torch.random.fork_rng(devices=[]), torch.enable_grad():
            torch.manual_seed(seed)
            yield
    finally:
        torch.set_num_threads(threads)


def train(
    network: AbstractTextNetwork,
    module: torch.nn.Module,
    learning: Texts,
    stopping: Texts,
    *,
    recipe: Recipe,
    on_progress: OnProgress,
) -> Trained:
    """Train the parameters of ``module`` that want gradients; it ends frozen, in eval mode, at its best epoch.

    Every class weighs the same. Random choices come from torch's global generator: wrap it in :func:`reproducible`.

    Args:
        network: How texts become logits; it computes with the parameters of ``module``.
        module: Everything to train.
        learning: Texts to train on; every class occurs.
        stopping: Texts whose loss decides which epoch was best.
        recipe: How.
        on_progress: Told the epoch and the loss; may raise to stop.

    Raises:
        AuditError: The loss is not a finite number in any epoch.
        CancelledError: ``on_progress`` asked to stop.
    """
    import torch

    what, classes = say("Training the protected status model"), int(learning.codes.max()) + 1
    weight = torch.from_numpy(1 / np.maximum(np.bincount(learning.codes, minlength=classes), 1)).float()
    weight = weight * len(learning.codes) / classes
    labels = torch.from_numpy(learning.codes.astype(np.int64))
    parameters = [parameter for parameter in module.parameters() if parameter.requires_grad]
    optimiser = torch.optim.AdamW(parameters, lr=recipe.learning_rate, weight_decay=recipe.weight_decay)
    batches = -(-len(learning.tokens) // recipe.batch)
    best: dict[str, torch.Tensor] = {}
    lowest, at, loss = float("inf"), 0, float("nan")
    for epoch in range(1, recipe.epochs + 1):
        module.train()
        for number, picked in enumerate(_batches([len(tokens) for tokens in learning.tokens], recipe.batch)):
            on_progress(
                Progress(
                    (epoch - 1 + number / batches) / recipe.epochs,
                    _told(what, epoch, loss),
                )
            )
            chosen = picked.tolist()
            logits = logits_of(network, [learning.tokens[place] for place in chosen], left_out=recipe.left_out)
            each = torch.nn.functional.cross_entropy(logits, labels[picked], reduction="none")
            optimiser.zero_grad()
            (each * weight[labels[picked]]).mean().backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(parameters, _LONGEST_NORM)
            optimiser.step()
        module.eval()
        loss = balanced_loss(network, stopping)
        if loss < lowest:
            lowest, at = loss, epoch
            best = {name: value.detach().clone() for name, value in module.state_dict().items()}
        elif epoch - at >= recipe.patience:
            break
    if not best:
        raise AuditError(
            say("Training gave no finite numbers."),
            where=what,
            advice=say("Choose the small architecture, bring a model, or use word lists only."),
        )
    module.load_state_dict(best)
    module.eval().requires_grad_(False)
    on_progress(
        Progress(
            1.0,
            say(
                "{what}: best after epoch {epoch}, held-out loss {loss}",
                what=what,
                epoch=at,
                loss=localized(f"{lowest:.3f}"),
            ),
        )
    )
    return Trained(at, lowest)


def balanced_loss(network: AbstractTextNetwork, texts: Texts) -> float:
    """Mean over the classes that occur of their mean cross-entropy, in nats."""
    probability = probabilities(network, texts.tokens)
    of_true = np.log(np.maximum(probability[np.arange(len(texts.codes)), texts.codes], np.finfo(np.float64).tiny))
    return float(-np.mean([of_true[texts.codes == code].mean() for code in np.unique(texts.codes)]))


def probabilities(network: AbstractTextNetwork, tokens: Sequence[Tokens], *, batch: int = 64) -> np.ndarray:
    """Softmax of the logits of m texts, shape (m, K), float64; texts of like length are computed together."""
    import torch

    order = np.argsort([len(each) for each in tokens], kind="stable")
    found = []
    with torch.no_grad(), computing_with(network):
        for first in range(0, len(order), batch):
            logits = logits_of(network, [tokens[place] for place in order[first : first + batch]])
            found.append(torch.softmax(logits.cpu().double(), dim=1).numpy())
    answers = np.concatenate(found)
    placed = np.empty_like(answers)
    placed[order] = answers
    return placed


def logits_of(network: AbstractTextNetwork, tokens: Sequence[Tokens], *, left_out: float = 0.0) -> torch.Tensor:
    """Logits of a batch of B texts padded at the end, shape (B, K); one logit z becomes [0, z].

    Args:
        network: The network.
        tokens: The texts, length B.
        left_out: Share of the tokens whose embedding is set to zero, drawn from torch's global generator.
    """
    import torch

    ids, mask = padded(tokens, network.device)
    embeddings = network.word_embeddings(ids)
    if left_out:
        embeddings = embeddings * (torch.rand(ids.shape) >= left_out)[:, :, None]
    logits: torch.Tensor = network.head()(network.pooled(embeddings, mask))
    return logits if logits.shape[1] > 1 else torch.cat([torch.zeros_like(logits), logits], dim=1)


def _batches(lengths: list[int], size: int) -> Iterator[torch.Tensor]:
    """Every text once, in random batches of texts of like length; drawn from torch's global generator."""
    import torch

    length = torch.tensor(lengths)
    batches: list[torch.Tensor] = []
    for pool in torch.split(torch.randperm(len(lengths)), size * _POOL):
        batches += torch.split(pool[torch.argsort(length[pool], stable=True)], size)
    yield from (batches[place] for place in torch.randperm(len(batches)).tolist())


def _told(what: str, epoch: int, loss: float) -> str:
    """How far training is, with the loss of the epoch before; NaN for none."""
    if math.isnan(loss):
        return say("{what}: epoch {epoch}", what=what, epoch=epoch)
    return say("{what}: epoch {epoch}, held-out loss {loss}", what=what, epoch=epoch, loss=localized(f"{loss:.3f}"))
