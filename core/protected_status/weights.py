"""A trained network for given texts: from the memo, or by training it now."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.base.device import choosing
from core.base.progress import OnProgress
from core.protected_status import memo
from core.protected_status.architectures import untrained
from core.protected_status.settings import TrainedStatus
from core.protected_status.training import Recipe, Texts, reproducible, train
from core.text.network import AbstractTextNetwork, computing_with

if TYPE_CHECKING:
    from core.models.text import TextModel

_STEPS = 40
"""Steps an epoch takes about, between the limits of the batch."""
_SMALLEST_BATCH, _LARGEST_BATCH = 8, 64


@dataclass(frozen=True)
class Ready:
    """A trained network.

    Attributes:
        network: Frozen and in eval mode.
        name: What people call its architecture.
        epochs: Epochs until the best one.
    """

    network: AbstractTextNetwork
    name: str
    epochs: int


def trained_network(
    source: TrainedStatus,
    model: TextModel,
    groups: tuple[str, ...],
    halves: tuple[Texts, Texts],
    *,
    seed: int,
    on_progress: OnProgress,
) -> Ready:
    """Train a network to tell the groups apart, unless the same was trained on this machine before.

    The processor trains it: training makes much of rounding, so that an accelerator's would be another network.

    Args:
        source: Which architecture, and how many epochs at most.
        model: The audited model, whose tokens the texts are made of.
        groups: What the outputs stand for.
        halves: Texts to train on, and texts that decide when to stop.
        seed: Seed of first weights, order of texts, and units left out.
        on_progress: Told epoch and loss; may raise to stop.

    Raises:
        AuditError: Training gave no finite numbers.
        CancelledError: ``on_progress`` asked to stop.
    """
    architecture, (learning, stopping) = source.architecture, halves
    batch = min(max(_SMALLEST_BATCH, len(learning.tokens) // _STEPS), _LARGEST_BATCH)
    with reproducible(seed), choosing("processor"):
        start = untrained(architecture, model.network, groups, Recipe(epochs=source.epochs, batch=batch), seed)
        with computing_with(start.network):
            known_by = memo.key(
                architecture,
                model.fingerprint if architecture == "as the model" else model.network.vocabulary,
                groups,
                start.recipe.fingerprint,
                _digest(learning),
                _digest(stopping),
                seed,
            )
            kept = memo.recall(known_by)
            if kept is not None:
                tensors, noted = kept
                start.module.load_state_dict(tensors)
                start.module.eval().requires_grad_(False)
                return Ready(start.network, start.name, int(noted["epochs"]))
            done = train(
                start.network,
                start.module,
                learning,
                stopping,
                recipe=start.recipe,
                on_progress=on_progress,
            )
            memo.keep(known_by, start.module.state_dict(), {"epochs": str(done.epochs)})
    return Ready(start.network, start.name, done.epochs)


def _digest(texts: Texts) -> str:
    digest = hashlib.sha256(texts.codes.tobytes())
    for tokens in texts.tokens:
        digest.update(len(tokens).to_bytes(8, "big"))
        digest.update(tokens.ids.tobytes())
    return digest.hexdigest()
