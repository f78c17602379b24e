"""Text networks and texts to differentiate, and the usual ways to do it."""

import sys
import time
from collections.abc import Sequence

import numpy as np
import pandas as pd
import torch
from transformers import BertConfig, BertForSequenceClassification

from core.audits.text_sensitivity.gradients import NUMBERS_AT_ONCE, differentiate, softmax
from core.contracts.audit import Given
from core.contracts.model import Origin
from core.data.dataset import Dataset, Roles
from core.models.text import TextModel
from core.text.data import EncodedTexts
from core.text.network import AbstractTextNetwork
from core.text.tokens import Tokens, batches
from core.text.words import spans

VOCABULARY = 4000


class Bert(AbstractTextNetwork):
    """A BERT of random weights that reads words and signs as tokens; the sample model's size unless told otherwise."""

    def __init__(
        self,
        classes: int,
        *,
        width: int = 64,
        layers: int = 2,
        heads: int = 4,
        longest: int = 512,
        seed: int = 0,
        attention: str = "sdpa",
    ) -> None:
        config = BertConfig(
            vocab_size=VOCABULARY,
            hidden_size=width,
            num_hidden_layers=layers,
            num_attention_heads=heads,
            intermediate_size=4 * width,
            max_position_embeddings=longest,
            num_labels=classes,
            attn_implementation=attention,
        )
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            self.bert = BertForSequenceClassification(config).eval().requires_grad_(False)
            torch.nn.init.normal_(self.bert.classifier.weight)
        self.vocabulary, self.width, self.pooled_width = "words", width, width
        self.classes = tuple(f"class {number:02d}" for number in range(classes))
        self.longest = longest

    def read(self, texts: Sequence[str]) -> tuple[Tokens, ...]:
        return tuple(map(self._read, texts))

    def word_embeddings(self, ids: torch.Tensor) -> torch.Tensor:
        return self.bert.bert.embeddings.word_embeddings(ids)

    def pooled(self, embeddings: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        return self.bert.bert(inputs_embeds=embeddings, attention_mask=mask.long()).pooler_output

    def head(self) -> torch.nn.Module:
        return self.bert.classifier

    def parts(self) -> tuple[torch.nn.Module, ...]:
        return (self.bert,)

    def _read(self, text: str) -> Tokens:
        places = spans(text)[: self.longest - 2]
        ids = [2 + hash_of(text[start:end]) for start, end in places]
        return Tokens(
            np.array([0, *ids, 1]),
            np.r_[0, places[:, 0], 0],
            np.r_[0, places[:, 1], 0],
            np.array([True, *[False] * len(ids), True]),
            len(text),
        )


def hash_of(word: str) -> int:
    """A number below the vocabulary's size that depends on the word alone."""
    return sum(place * ord(letter) for place, letter in enumerate(word, 1)) % (VOCABULARY - 2)


def texts_of(lengths: np.ndarray, rng: np.random.Generator) -> list[str]:
    """Texts of so many tokens, two of them special, with a word that names a group."""
    return [
        " ".join(["she", *(f"word{number}" for number in rng.zipf(1.3, length - 3).clip(max=VOCABULARY))])
        for length in lengths
    ]


def lengths_of(kind: str, count: int, rng: np.random.Generator) -> np.ndarray:
    """128 tokens each, or as biographies have them: between 16 and 400, 75 at the median."""
    if kind == "equal":
        return np.full(count, 128)
    return np.exp(rng.normal(np.log(75), 0.6, count)).clip(16, 400).astype(int)


def ours(network: AbstractTextNetwork, tokens: Sequence[Tokens]) -> list[np.ndarray]:
    """Σ_k |∂f_k/∂x| / K of each text."""
    weights = np.full(len(network.classes), 1 / len(network.classes))
    found: list[np.ndarray] = [np.empty(0)] * len(tokens)
    for batch in batches(tokens, NUMBERS_AT_ONCE // network.width):
        weighted = differentiate(network, [tokens[place] for place in batch], weights).weighted
        for row, place in enumerate(batch):
            found[place] = weighted[row, : len(tokens[place])]
    return found


def one_by_one(network: AbstractTextNetwork, tokens: Sequence[Tokens]) -> list[np.ndarray]:
    """The same, a text and a class at a time: one forward pass a text, one backward pass a class."""
    found, classes = [], len(network.classes)
    for one in tokens:
        ids = torch.from_numpy(one.ids)[None]
        x = network.word_embeddings(ids).detach().requires_grad_()
        f = softmax(network.head()(network.pooled(x, torch.ones_like(ids, dtype=torch.bool))))
        total = torch.zeros_like(x)
        for k in range(classes):
            total += torch.autograd.grad(f[0, k], x, retain_graph=k < classes - 1)[0].abs() / classes
        found.append(total[0].numpy())
    return found


def class_by_class(network: AbstractTextNetwork, tokens: Sequence[Tokens]) -> list[np.ndarray]:
    """The same, a text and a class at a time with a forward and a backward pass for each, as it is usually written."""
    found, classes = [], len(network.classes)
    for one in tokens:
        ids = torch.from_numpy(one.ids)[None]
        mask, total = torch.ones_like(ids, dtype=torch.bool), torch.zeros(1, len(one), network.width)
        for k in range(classes):
            x = network.word_embeddings(ids).detach().requires_grad_()
            f = softmax(network.head()(network.pooled(x, mask)))
            total += torch.autograd.grad(f[0, k], x)[0].abs() / classes
        found.append(total[0].numpy())
    return found


def captum(network: AbstractTextNetwork, tokens: Sequence[Tokens], size: int = 32) -> list[np.ndarray]:
    """The same by captum's Saliency, ``size`` texts in the order given and a class at a time."""
    from captum.attr import Saliency

    found, classes = [], len(network.classes)
    for first in range(0, len(tokens), size):
        some = tokens[first : first + size]
        mask = torch.nn.utils.rnn.pad_sequence([torch.ones(len(one), dtype=torch.bool) for one in some], True)
        ids = torch.nn.utils.rnn.pad_sequence([torch.from_numpy(one.ids) for one in some], True)
        saliency = Saliency(lambda x, mask: softmax(network.head()(network.pooled(x, mask))))
        x = network.word_embeddings(ids).detach().requires_grad_()
        total = torch.zeros_like(x).detach()
        for k in range(classes):
            total += saliency.attribute(x, target=k, additional_forward_args=(mask,)) / classes
        found += [total[row, : len(one)].detach().numpy() for row, one in enumerate(some)]
    return found


def model_and_data(count: int, classes: int, tokens: int) -> tuple[TextModel, EncodedTexts]:
    """The sample model's size on texts of so many tokens, as an audit gets them."""
    rng = np.random.default_rng(0)
    network = Bert(classes)
    model = TextModel(network, "text", network.classes, "bert.zip", Origin("BERT", "f" * 64))
    frame = pd.DataFrame({"text": texts_of(np.full(count, tokens), rng)})
    return model, model.encode(Dataset(frame, Roles(text="text"), count))


def audit_once(count: int, classes: int, tokens: int) -> tuple[float, float]:
    """Seconds of a whole audit with word lists, and the memory it adds at its peak, in MB."""
    from core.audits.text_sensitivity.engine import run
    from core.audits.text_sensitivity.settings import TextSensitivity
    from core.protected_status.settings import NoStatus

    model, data = model_and_data(count, classes, tokens)
    before = status("VmRSS")
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")
    start = time.perf_counter()
    run(TextSensitivity(status=NoStatus()), Given(model, data, np.random.default_rng(0)))
    return time.perf_counter() - start, status("VmHWM") - before


def status(name: str) -> float:
    """A line of /proc/self/status, in MB."""
    with open("/proc/self/status") as lines:
        return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(name))


if __name__ == "__main__":
    print(*audit_once(*map(int, sys.argv[1:])))
