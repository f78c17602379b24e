"""Weights of a Hugging Face model: compared with what its configuration needs, then put into the network."""

from __future__ import annotations

import copy
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.base.errors import ModelError
from core.language.phrases import count, first_few, whole
from core.language.told import retold, say
from core.models.formats.hugging_face.config import CheckedConfig
from core.models.formats.safetensors.header import Header, TensorInfo, read_header
from core.models.formats.safetensors.weights import read_weights

if TYPE_CHECKING:
    import torch
    from transformers import PreTrainedModel

_COUNTERS = (".position_ids", ".token_type_ids")
"""Tensors that older versions of the library saved though they are no weights: 0, 1, 2, … and 0, 0, 0, …"""

_SAVE_AGAIN = say(
    "Load the model where it was trained, with a current version of the transformers library, and "
    "save it again with save_pretrained."
)


def skeleton(config: CheckedConfig, where: str) -> PreTrainedModel:
    """The network without numbers, built by the library from checked options alone.

    Args:
        config: What the network is.
        where: How errors name the configuration.

    Raises:
        ModelError: The options do not fit each other.
    """
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    import torch
    from transformers import AutoConfig, AutoModelForSequenceClassification

    classifiers: Any = AutoModelForSequenceClassification
    try:
        settings = AutoConfig.for_model(
            config.model_type, **copy.deepcopy(dict(config.options)), num_labels=len(config.labels)
        )
        with torch.device("meta"):
            empty: PreTrainedModel = classifiers.from_config(settings, attn_implementation="eager")
    except Exception as error:  # the library raises whatever an option that does not fit another makes it raise
        said = " ".join(str(error).split())[:200]
        raise ModelError(
            say("No network can be built from the configuration: {said}.", said=said or say("its numbers clash")),
            where=where,
            advice=say("Bring an unchanged configuration as save_pretrained writes it."),
        ) from error
    return empty


def fill(empty: PreTrainedModel, path: Path, where: str) -> tuple[PreTrainedModel, Header]:
    """The network with its weights, frozen, in eval mode, float32, on the CPU; torch's random numbers are untouched.

    Args:
        empty: The network without numbers.
        path: Its safetensors file.
        where: How errors name that file.

    Raises:
        ModelError: A weight is missing, surplus, of another shape or not finite, or the file is damaged.
    """
    header = read_header(path, where, counters=True)
    shapes = {key: tuple(value.shape) for key, value in empty.state_dict().items()}
    _compare(header.tensors, shapes, where)
    weights = read_weights(path, shapes, where, advice=retold(_SAVE_AGAIN))
    with _silent():
        loaded: Any = type(empty).from_pretrained(
            None,
            config=empty.config,
            state_dict=weights,
            attn_implementation="eager",
            dtype=next(iter(weights.values())).dtype,
            local_files_only=True,
            trust_remote_code=False,
            use_safetensors=True,
            output_loading_info=True,
        )
    network, said = loaded
    kept = network.state_dict()
    if any(said.values()) or any(not kept[key].equal(value) for key, value in weights.items()):
        raise ModelError(
            say("The library did not take the weights as they are."), where=where, advice=retold(_SAVE_AGAIN)
        )
    network.eval().requires_grad_(False)
    return network, header


def take_out(network: PreTrainedModel, place: str) -> torch.nn.Linear:
    """Replace the last linear layer at ``place`` by the identity and return it."""
    import torch

    parent, _, last = place.rpartition(".")
    holder = network.get_submodule(parent)
    head = getattr(holder, last)
    setattr(holder, last, torch.nn.Identity())
    if not isinstance(head, torch.nn.Linear):
        raise TypeError(f"{place} is a {type(head).__name__}")
    return head


def _compare(found: Mapping[str, TensorInfo], needed: Mapping[str, tuple[int, ...]], where: str) -> None:
    missing = [key for key in needed if key not in found]
    if missing:
        raise ModelError(
            say(
                "{missing} of the network's {needed} tensors are missing; the library would fill them with "
                "random numbers.",
                missing=whole(len(missing)),
                needed=whole(len(needed)),
            ),
            where=f"{where}: {first_few([one[:80] for one in missing], 5)}",
            advice=say(
                "Bring the fine-tuned classifier, not the model it was made from. {save}", save=retold(_SAVE_AGAIN)
            ),
        )
    surplus = [key for key in found if key not in needed and not key.endswith(_COUNTERS)]
    if surplus:
        raise ModelError(
            say("The file holds {surplus} that the network has no place for.", surplus=count(len(surplus), "tensor")),
            where=f"{where}: {first_few([one[:80] for one in surplus], 5)}",
            advice=say("The configuration may be that of another model. {save}", save=retold(_SAVE_AGAIN)),
        )
    for key, shape in needed.items():
        if found[key].dtype == "I64":
            raise ModelError(
                say("A weight is stored as whole numbers."),
                where=say("{where}, tensor {key}", where=where, key=repr(key)),
                advice=retold(_SAVE_AGAIN),
            )
        if found[key].shape != shape:
            raise ModelError(
                say(
                    "A tensor has shape {shape}, where the configuration asks for {needed}.",
                    shape=found[key].shape,
                    needed=shape,
                ),
                where=say("{where}, tensor {key}", where=where, key=repr(key)),
                advice=say("The configuration is not that of these weights. {save}", save=retold(_SAVE_AGAIN)),
            )


@contextmanager
def _silent() -> Iterator[None]:
    """Without the library's progress bar."""
    from transformers.utils import logging

    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()  # type: ignore[no-untyped-call]
