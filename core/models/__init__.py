"""The table of model formats. A new one adds its file and its line here."""

from core.models.hugging_face import HuggingFaceFolder
from core.models.onnx_model import OnnxFile
from core.models.predictions import PredictionColumns
from core.models.sklearn_model import SklearnFile
from core.models.text_lstm import LstmArchive
from core.models.torch_mlp import TorchMLP

ModelSource = PredictionColumns | TorchMLP | OnnxFile | SklearnFile | HuggingFaceFolder | LstmArchive

MODEL_FORMATS = {
    "predictions": PredictionColumns,
    "torch_mlp": TorchMLP,
    "onnx": OnnxFile,
    "sklearn": SklearnFile,
    "hugging_face": HuggingFaceFolder,
    "text_lstm": LstmArchive,
}
