"""Text models under the name by which texts know them; see :mod:`core.models.text_model`."""

from core.models.text_model import TextModel, TextModelSource

__all__ = ["TextModel", "TextModelSource"]
