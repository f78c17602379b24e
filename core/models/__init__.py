"""The table of model formats. A new one adds its package under ``formats`` and its line here.

Imports tables and texts (:mod:`core.data`, :mod:`core.text`); metrics and tests import models.
"""

from typing import Any

from core.models.endpoint.source import ModelEndpoint
from core.models.formats.hugging_face.source import HuggingFaceFolder
from core.models.formats.lstm.source import LstmArchive
from core.models.formats.onnx.source import OnnxFile
from core.models.formats.safetensors.source import TorchMLP
from core.models.formats.skops.source import SklearnFile
from core.models.formats.trees.source import TreesFile
from core.models.in_memory import ObjectInMemory
from core.models.predictions import PredictionColumns

ModelSource = (
    PredictionColumns
    | TorchMLP
    | OnnxFile
    | SklearnFile
    | TreesFile
    | HuggingFaceFolder
    | LstmArchive
    | ModelEndpoint
    | ObjectInMemory
)

MODEL_FORMATS: dict[str, type[Any]] = {
    "predictions": PredictionColumns,
    "torch_mlp": TorchMLP,
    "onnx": OnnxFile,
    "sklearn": SklearnFile,
    "trees": TreesFile,
    "hugging_face": HuggingFaceFolder,
    "text_lstm": LstmArchive,
    "endpoint": ModelEndpoint,
    "object": ObjectInMemory,
}
