"""A zip of a Hugging Face folder: configuration, tokeniser and safetensors; nothing of it is run."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from core.archive import Archive
from core.base.errors import Caveat, ModelError
from core.base.files import FileRef, FileStore
from core.base.settings import setting
from core.data.dataset import Dataset
from core.language.phrases import first_few
from core.language.told import say
from core.models.formats.hugging_face.config import (
    CONFIG_NAME,
    LONGEST,
    CheckedConfig,
    check_config,
    cuts_beginning,
    refuse_code,
    tokeniser_limit,
)
from core.models.formats.hugging_face.members import (
    TOKENISER_CONFIG_NAME,
    TOKENISER_NAME,
    WEIGHTS_NAME,
    check_names,
    inside,
    unread,
)
from core.models.formats.hugging_face.network import HuggingFaceNetwork, TextReading
from core.models.formats.safetensors.header import MAXIMUM_BYTES, Header
from core.models.sniff import require_format
from core.models.text import TextModel, TextModelSource, fit_to_table
from core.models.zipped import open_folder
from core.text import tokeniser_file
from core.text.strict_json import read_object
from core.text.tokeniser import Tokeniser

if TYPE_CHECKING:
    import torch

_JSON_BYTES = 4 * 2**20


class HuggingFaceFolder(TextModelSource):
    """A text classifier of the transformers library."""

    libraries: ClassVar = ("transformers.models.auto.modeling_auto", "transformers.modeling_utils")

    kind: Literal["hugging_face"] = "hugging_face"
    file: FileRef = setting(
        label=say("Model file"), help=say("A .zip with config.json, tokenizer.json and model.safetensors.")
    )
    label: str = setting(
        "",
        label=say("Label to audit"),
        help=say("For models that answer several questions with yes or no at once: which of them."),
        empty=say("the model has one answer a text"),
    )

    def load(self, files: FileStore, dataset: Dataset) -> TextModel:
        """Check the archive, build the network, and fit it to the table.

        Raises:
            ModelError: The file is refused or damaged, or does not fit the table's texts and outcomes.
        """
        network = self.load_network(files)
        model = fit_to_table(self, network, dataset, self.file.name, kind=say("Text classifier (transformers)"))
        model.caveats = network.caveats + model.caveats
        return model

    def load_network(self, files: FileStore) -> HuggingFaceNetwork:
        """Check the archive and build the network.

        Raises:
            ModelError: The file is refused or damaged.
        """
        path = files.path(self.file)
        require_format("hugging_face", path, self.file.name)
        return read_archive(path, self.file.name, self.label)


def read_archive(path: Path, name: str, label: str = "") -> HuggingFaceNetwork:
    """Read a network; every file of its archive is checked before anything is built.

    Args:
        path: The zip.
        name: How errors name it.
        label: For networks whose outputs each answer a question of their own: which of them.

    Raises:
        ModelError: The archive, its configuration, its tokeniser or its weights are refused or damaged.
    """
    from core.models.formats.hugging_face.weights import fill, skeleton, take_out

    archive = open_folder(path, name)
    check_names(archive)
    where = inside(archive, CONFIG_NAME)
    config = check_config(read_object(archive.read(CONFIG_NAME, _JSON_BYTES), where), where)
    chosen = _chosen_label(config, label, name)
    told = _tokeniser_config(archive)
    longest = min(config.longest, *tokeniser_limit(told), LONGEST)
    tokeniser = Tokeniser(archive.read(TOKENISER_NAME, tokeniser_file.MAXIMUM_BYTES), inside(archive, TOKENISER_NAME))
    empty = skeleton(config, where)
    with tempfile.TemporaryDirectory() as folder:
        weights = Path(folder) / WEIGHTS_NAME
        archive.unpack(WEIGHTS_NAME, weights, MAXIMUM_BYTES)
        body, header = fill(empty, weights, inside(archive, WEIGHTS_NAME))
    head = _logits(take_out(body, config.family.head), chosen)
    keeps_end = tokeniser.keeps_end if (cut := cuts_beginning(told, name)) is None else cut
    network = HuggingFaceNetwork(
        body,
        head,
        TextReading(tokeniser, longest, keeps_end),
        classes=_classes(config, chosen),
        caveats=tuple(_caveats(archive, config, header)),
    )
    _try_out(network, name)
    return network


def _tokeniser_config(archive: Archive) -> dict[str, Any]:
    """What tokenizer_config.json says; nothing where there is none."""
    if TOKENISER_CONFIG_NAME not in archive.names:
        return {}
    where = inside(archive, TOKENISER_CONFIG_NAME)
    found = read_object(archive.read(TOKENISER_CONFIG_NAME, _JSON_BYTES), where)
    refuse_code(found, where)
    return found


def _chosen_label(config: CheckedConfig, label: str, name: str) -> int | None:
    """Which output is audited alone; None for all of them together.

    Raises:
        ModelError: Several questions are answered and none is chosen, or there is no such label.
    """
    if not config.multi_label:
        if label:
            raise ModelError(
                say("A label to audit is chosen, and the model gives one answer a text."),
                where=say("{name}, label {label}", name=name, label=repr(label[:80])),
                advice=say("Leave the label to audit empty."),
            )
        return None
    if label in config.labels:
        return config.labels.index(label)
    known = first_few(config.labels, 40)
    raise ModelError(
        say("The model has no label {label}.", label=repr(label[:80]))
        if label
        else say(
            "The model answers {labels} questions with yes or no, each of its own (multi-label).",
            labels=len(config.labels),
        ),
        where=name,
        advice=say("Choose the label to audit: {known}.", known=known),
    )


def _logits(head: torch.nn.Linear, chosen: int | None) -> torch.nn.Module:
    """The last layer with at least two logits; one of them alone, or a single one z, as [0, z]."""
    from torch import nn

    from core.models.layers import linear, two_logits

    if chosen is not None:
        bias = None if head.bias is None else head.bias[chosen : chosen + 1]
        head = linear(head.weight[chosen : chosen + 1], bias)
    return two_logits(nn.Sequential(head)).eval() if head.out_features == 1 else head


def _classes(config: CheckedConfig, chosen: int | None) -> tuple[str, ...]:
    """What the K outputs of the audited head are called; empty where the file does not say."""
    if not config.named:
        return ()
    if chosen is None and len(config.labels) > 1:
        return config.labels
    label = config.labels[chosen or 0]
    return (f"not {label}", label)  # verbatim


def _caveats(archive: Archive, config: CheckedConfig, header: Header) -> Iterator[Caveat]:
    yield from unread(archive)
    kinds = sorted({tensor.dtype for tensor in header.tensors.values()} - {"F32", "I64"})
    if kinds:
        yield Caveat(
            "info",
            say("Weights stored as {kinds} are computed with as 32-bit numbers.", kinds=", ".join(kinds)),
            say("Answers may differ in the last digits from those of the same model at another precision."),
        )
    if len(config.labels) == 1:
        yield Caveat(
            "info",
            say("The model gives a single number a text; it was taken for the log-odds of the second class."),
            say("If it estimates a quantity instead (regression), its answers are no probabilities."),
        )


def _try_out(network: HuggingFaceNetwork, name: str) -> None:
    """Compute one text as long as any may be, so that a network that fails does so here.

    Raises:
        ModelError: It fails, or its answer is not finite.
    """
    import torch

    opening = network.read(["a"])[0].ids
    ids = torch.from_numpy(opening)[torch.arange(network.reading.longest) % len(opening)][None]
    try:
        with torch.no_grad():
            pooled = network.pooled(network.word_embeddings(ids), torch.ones_like(ids, dtype=torch.bool))
            answer = network.head()(pooled)
    except Exception as error:  # the library raises whatever the network makes it raise
        raise ModelError(
            say(
                "The network fails on a text of {longest} tokens: {error}.",
                longest=network.reading.longest,
                error=str(error)[:200],
            ),
            where=name,
            advice=say("Check the configuration, above all the numbers of positions and heads."),
        ) from error
    if not torch.isfinite(answer).all():
        raise ModelError(
            say(
                "The network's answer to a text of {longest} tokens is not a finite number.",
                longest=network.reading.longest,
            ),
            where=name,
            advice=say("The training probably diverged: bring a checkpoint from before it did."),
        )
