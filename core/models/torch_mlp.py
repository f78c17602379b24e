"""To be built by the models part."""

from typing import Literal

from core.model import AbstractModelSource


class TorchMLP(AbstractModelSource):
    """Settings."""

    kind: Literal["torch_mlp"] = "torch_mlp"
