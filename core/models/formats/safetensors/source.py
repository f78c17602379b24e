"""Torch weights as safetensors with a declared multilayer perceptron: numbers only, no code."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from core.base.errors import ModelError
from core.base.files import FileRef, FileStore
from core.base.settings import setting
from core.contracts.model import Origin
from core.data.dataset import Dataset
from core.data.encoder import Encoder
from core.language.phrases import count, first_few
from core.language.told import retold, say
from core.models.card import CARD_KEY, Activation, NetworkCard, Output, read_card
from core.models.checked import class_order, model_fingerprint, require_number, require_width, wants_number
from core.models.formats.safetensors.header import TensorInfo, read_header
from core.models.formats.safetensors.weights import read_weights
from core.models.module import ModuleModel
from core.models.prepared import PreparedSource, prepared_for
from core.models.sniff import require_format

if TYPE_CHECKING:
    import torch

_MAXIMUM_LAYERS = 64
_MAXIMUM_WIDTH = 65_536

_NUMBERED = re.compile(r"^(?P<stem>(?:[A-Za-z_]\w*\.)*)(?P<number>\d{1,9})\.(?P<part>weight|bias)$")
_NAMED = re.compile(r"^(?P<stem>(?:[A-Za-z_]\w*\.)*[A-Za-z_]+)(?P<number>\d{1,9})\.(?P<part>weight|bias)$")
_SINGLE = re.compile(r"^(?P<stem>(?:[A-Za-z_]\w*\.)*)(?P<number>)(?P<part>weight|bias)$")
_ARRAYS = re.compile(r"^(?P<stem>)(?P<part>[Wb])(?P<number>\d{1,9})$")
_NAMES_ACCEPTED = say(
    "Name the layers 0.weight, 0.bias, 2.weight, … (torch Sequential, with or without a prefix), "
    "fc1.weight, fc1.bias, … or W1, b1, W2, … (used as x @ W1 + b1)."
)


class TorchMLP(PreparedSource):
    """A multilayer perceptron whose weights lie in a safetensors file."""

    kind: Literal["torch_mlp"] = "torch_mlp"
    file: FileRef = setting(
        label=say("Weights file"), help=say("A .safetensors file with the weights of linear layers.")
    )
    activation: Activation | None = setting(
        None,
        label=say("Activation"),
        help=say("The function between the layers. Left empty: as the file says, and ReLU where it says nothing."),
    )
    hidden: tuple[Annotated[int, Field(ge=1, le=_MAXIMUM_WIDTH)], ...] = setting(
        (),
        label=say("Hidden widths"),
        help=say("Width of each hidden layer, first to last. Left empty: read from the weights; filled in: checked."),
    )
    output: Output | None = setting(
        None,
        label=say("Output"),
        help=say(
            "One logit per class, a single logit or the probability of the second class, or the number itself for an "
            "outcome that is a number. Left empty: as the file says, else by the outcome and the width of the last "
            "layer. A softmax or sigmoid after the last layer has no weights and changes nothing here."
        ),
    )

    def load(self, files: FileStore, dataset: Dataset) -> ModuleModel:
        """Check the header, build the network the tensors describe, and fit it to the table.

        Raises:
            ModelError: The file is damaged or no perceptron, or does not fit the table.
        """
        from core.models.layers import LogOdds, perceptron

        path = files.path(self.file)
        require_format("torch_mlp", path, self.file.name)
        header = read_header(path, self.file.name)
        card = read_card(header.metadata, self.file.name)
        order = _layer_order(header.tensors, self.file.name)
        inputs, outputs = _check_chain(order, header.tensors, self.hidden, self.file.name)
        declared = self.output or card.output
        number = declared == "number" or (declared is None and wants_number(dataset) and not card.classes)
        if number:
            require_number(self.classes, dataset, self.file.name, outputs=outputs)
        elif declared is not None and (declared in ("single logit", "probability")) != (outputs == 1):
            raise ModelError(
                say(
                    "The last layer gives {outputs} numbers, which is not what was declared ({declared}).",
                    outputs=outputs,
                    declared=declared,
                ),
                where=self.file.name,
                advice=say("Leave the output empty to go by the width of the last layer."),
            )
        prepared, caveats = prepared_for(self.encoder or card.encoder, self.numbers, dataset, inputs, self.file.name)
        classes: tuple[str, ...] = ()
        if not number:
            classes, assumed = class_order(self.classes, card.classes, dataset, max(outputs, 2), self.file.name)
            caveats = (*caveats, *assumed)
        network = perceptron(
            _read_layers(path, header.tensors, order, self.file.name), self.activation or card.activation or "relu"
        )
        if declared == "probability":
            network = network.append(LogOdds())
        return ModuleModel(
            prepared.in_front_of(network),
            prepared.encoder,
            classes,
            self.file.name,
            origin=Origin(say("Neural network (safetensors)"), model_fingerprint(self, prepared.reads), caveats),
            preprocessing=prepared.reads,
        )


def write_mlp(path: Path, module: torch.nn.Module, *, encoder: Encoder, classes: tuple[str, ...]) -> None:
    """Write :func:`mlp_bytes` to a file."""
    path.write_bytes(mlp_bytes(module, encoder=encoder, classes=classes))


def mlp_bytes(module: torch.nn.Module, *, encoder: Encoder, classes: tuple[str, ...]) -> bytes:
    """A perceptron as safetensors with its own card; the same module gives the same bytes.

    Args:
        module: ``Sequential`` of ``Linear`` layers with one kind of activation between them. Dropout is left out, and
            so is the closing softmax, log-softmax or sigmoid of a classifier: they change nothing about the logits. Of
            one that ends in :class:`core.models.layers.LogOdds` the last layer gives a probability.
        encoder: The preprocessing the network was trained with.
        classes: The outcome each output stands for; two for a network with a single logit; none for a network whose
            one output is a number in the outcome's units.

    Raises:
        ModelError: The module is anything else.
    """
    from safetensors.torch import save
    from torch import nn

    from core.models.layers import LogOdds

    probability = isinstance(module, nn.Sequential) and isinstance(module[-1], LogOdds)
    module = module[:-1] if isinstance(module, nn.Sequential) and probability else module
    layers, activation = _linear_layers(module, closing=bool(classes))
    require_width(layers[0].in_features, encoder, say("the module"))
    outputs = layers[-1].out_features
    if outputs != 1 if not classes else max(outputs, 2) != len(classes):
        raise ModelError(
            say(
                "The module has {outputs} and {classes} named.",
                outputs=count(outputs, "output"),
                classes=count(len(classes), "class was", "classes were"),
            ),
            advice=say(
                "Name one class per output, two for a single logit, or none for a single output that is a number."
            ),
        )
    single: Output = "probability" if probability else "single logit"
    output: Output = "logits" if outputs > 1 else single if classes else "number"
    card = NetworkCard(classes=classes, activation=activation, output=output, encoder=encoder)
    tensors = {}
    for number, layer in enumerate(layers):
        tensors[f"{2 * number}.weight"] = layer.weight.detach().cpu().contiguous()
        if layer.bias is not None:
            tensors[f"{2 * number}.bias"] = layer.bias.detach().cpu().contiguous()
    text = json.dumps(card.model_dump(mode="json"), sort_keys=True, separators=(",", ":"))
    return save(tensors, metadata={CARD_KEY: text})


def _linear_layers(module: torch.nn.Module, *, closing: bool) -> tuple[list[torch.nn.Linear], Activation]:
    """The layers and the activation between them; ``closing`` leaves out a softmax or sigmoid at the end."""
    from torch import nn

    from core.models.layers import ACTIVATIONS

    stages = [
        stage
        for stage in module.modules()
        if not isinstance(stage, nn.Sequential | nn.Dropout) and (stage is not module or isinstance(stage, nn.Linear))
    ]
    if closing and stages and isinstance(stages[-1], nn.Softmax | nn.LogSoftmax | nn.Sigmoid):
        stages.pop()
    layers, between = stages[::2], stages[1::2]
    names = {repr(kind()): name for name, kind in ACTIVATIONS.items()}
    kinds = {names.get(repr(stage), "") for stage in between} or {"relu"}
    if (
        not isinstance(module, nn.Sequential | nn.Linear)
        or len(stages) % 2 == 0
        or not all(isinstance(layer, nn.Linear) for layer in layers)
        or len(kinds) != 1
        or "" in kinds
    ):
        raise ModelError(
            say("Only a Sequential of Linear layers with one kind of activation between them can be written."),
            where=say(
                "{kind} of {stages}",
                kind=type(module).__name__,
                stages=", ".join(type(stage).__name__ for stage in stages),
            ),
            advice=say("Export other networks as ONNX."),
        )
    return layers, kinds.pop()  # type: ignore[return-value]


Layer = tuple[str, str | None, bool]
"""Names of a layer's weight and bias tensors, and whether the weight is stored (inputs, outputs)."""


def _layer_order(tensors: dict[str, TensorInfo], name: str) -> list[Layer]:
    """The layers, first to last, by one of the accepted ways of naming them."""
    for pattern in (_NUMBERED, _NAMED, _SINGLE, _ARRAYS):
        matches = [pattern.match(key) for key in tensors]
        if not all(matches) or len({match["stem"] for match in matches if match}) != 1:
            continue
        parts: dict[int, dict[str, str]] = {}
        for match in matches:
            if match:
                parts.setdefault(int(match["number"] or 0), {})[match["part"].lower()[0]] = match.string
        if all("w" in layer for layer in parts.values()) and len(parts) <= _MAXIMUM_LAYERS:
            return [(parts[number]["w"], parts[number].get("b"), pattern is _ARRAYS) for number in sorted(parts)]
    raise ModelError(
        say(
            "The tensors are not those of a multilayer perceptron of at most {most} layers.",
            most=_MAXIMUM_LAYERS,
        ),
        where=f"{name}: {first_few([f'{key:.80}' for key in tensors], 8)}",
        advice=say("{names_accepted} Export other architectures as ONNX.", names_accepted=retold(_NAMES_ACCEPTED)),
    )


def _check_chain(
    order: list[Layer], tensors: dict[str, TensorInfo], hidden: tuple[int, ...], name: str
) -> tuple[int, int]:
    """Check that each layer reads what the one before it gives; returns the network's input and output width."""
    widths: list[int] = []
    for weight, bias, transposed in order:
        shape = tensors[weight].shape
        if len(shape) != 2 or min(shape) < 1 or max(shape) > _MAXIMUM_WIDTH:
            raise ModelError(
                say(
                    "A weight has shape {shape}, where (outputs, inputs), each from 1 to {most}, is needed.",
                    shape=shape,
                    most=_MAXIMUM_WIDTH,
                ),
                where=say("{name}, tensor {tensor}", name=name, tensor=f"{weight!r:.80}"),
                advice=say("Only linear layers are read here; export other architectures as ONNX."),
            )
        inputs, outputs = shape if transposed else shape[::-1]
        if widths and widths[-1] != inputs:
            raise ModelError(
                say(
                    "A layer reads {inputs} numbers and the layer before it gives {width}.",
                    inputs=inputs,
                    width=widths[-1],
                ),
                where=say("{name}, tensor {tensor}", name=name, tensor=f"{weight!r:.80}"),
                advice=_NAMES_ACCEPTED,
            )
        if bias is not None and tensors[bias].shape != (outputs,):
            raise ModelError(
                say(
                    "A bias has shape {shape}, where ({outputs},) fits its weight.",
                    shape=tensors[bias].shape,
                    outputs=outputs,
                ),
                where=say("{name}, tensor {tensor}", name=name, tensor=f"{bias!r:.80}"),
                advice=_NAMES_ACCEPTED,
            )
        widths = [*(widths or [inputs]), outputs]
    if hidden and tuple(widths[1:-1]) != hidden:
        raise ModelError(
            say(
                "The weights have hidden widths {widths}, and {declared} was declared.",
                widths=widths[1:-1],
                declared=list(hidden),
            ),
            where=name,
            advice=say("Correct the hidden widths, or leave them empty."),
        )
    return widths[0], widths[-1]


def _read_layers(path: Path, keys: Iterable[str], order: list[Layer], name: str) -> list[Any]:
    import torch

    from core.models.layers import linear

    tensors = read_weights(path, keys, name, advice=say("Save the file again with safetensors."), as_stored=True)
    exact = torch.float64 if any(value.dtype == torch.float64 for value in tensors.values()) else torch.float32
    return [
        linear(
            (tensors[weight].T if transposed else tensors[weight]).to(exact).contiguous(),
            None if bias is None else tensors[bias].to(exact),
        )
        for weight, bias, transposed in order
    ]
