"""Hostile Hugging Face zips: each really does what it is refused for, and nothing of it ran or asked the network."""

import json
import os
import pickle
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.base.errors import EvenhandError, ModelError
from core.base.files import FileStore
from core.models.formats.hugging_face.source import HuggingFaceFolder
from tests import builders_hugging_face as build

_WATCHED = ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto", "os.system", "pickle.")
_watches: list[list[str]] = []


def _note(event: str, arguments: tuple[Any, ...]) -> None:
    if _watches and event.startswith(_WATCHED):
        for watch in _watches:
            watch.append(f"{event} {arguments!r}"[:200])


sys.addaudithook(_note)


@pytest.fixture
def watch() -> Iterator[list[str]]:
    """What of the watched kinds happens during a test: connections, look-ups of hosts, commands, unpickling."""
    _watches.append([])
    yield _watches[-1]
    _watches.pop()


@pytest.fixture
def files(tmp_path: Path) -> FileStore:
    return FileStore(tmp_path / "files")


@pytest.fixture
def marker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that exists only once a payload has run."""
    monkeypatch.setenv("EVENHAND_TEST_MARKER", str(tmp_path / "ran"))
    return tmp_path / "ran"


def load(files: FileStore, content: dict[str, bytes], label: str = "") -> Any:
    return HuggingFaceFolder(file=files.put(build.zipped(content), "m.zip"), label=label).load_network(files)


def refused(files: FileStore, content: dict[str, bytes], watch: list[str]) -> ModelError:
    with pytest.raises(ModelError) as caught:
        load(files, content)
    assert caught.value.what.endswith(".")
    assert caught.value.where.startswith("m.zip")
    assert caught.value.advice.endswith(".")
    assert watch == []
    return caught.value


class Evil:
    """Unpickling one writes the marker."""

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return exec, (PAYLOAD,)


PAYLOAD = "import os\nopen(os.environ['EVENHAND_TEST_MARKER'], 'w').write('ran')\n"
CODE = f"""
from transformers import BertConfig
{PAYLOAD}
class EvilConfig(BertConfig):
    model_type = "evil"
"""


def test_the_watch_sees_what_it_is_there_for(watch: list[str], marker: Path) -> None:
    with socket.socket() as one, suppress(OSError):
        one.settimeout(0.1)
        one.connect(("127.0.0.1", 9))
    pickle.loads(pickle.dumps(Evil()))
    assert marker.exists()
    assert {entry.split(" ")[0] for entry in watch} == {"socket.connect", "pickle.find_class"}


def poisoned() -> bytes:
    """A checkpoint as torch.save writes it, with a payload in its pickle."""
    import io

    import torch

    stream = io.BytesIO()
    torch.save({**build.weights(build.network()), "evil": Evil()}, stream)
    return stream.getvalue()


def test_a_poisoned_checkpoint_is_refused_and_never_opened(files: FileStore, watch: list[str], marker: Path) -> None:
    import torch

    alone = build.folder(build.network(), model__safetensors=None, pytorch_model__bin=poisoned())
    error = refused(files, alone, watch)
    assert "pickle" in error.what
    assert "save_pretrained" in error.advice
    beside = load(files, build.folder(build.network(), pytorch_model__bin=poisoned(), optimizer__pt=poisoned()))
    assert "pytorch_model.bin, optimizer.pt" in beside.caveats[0].what
    assert watch == []
    assert not marker.exists()
    (marker.parent / "p.bin").write_bytes(poisoned())
    torch.load(marker.parent / "p.bin", weights_only=False)
    assert marker.exists()


def test_custom_code_is_refused_and_never_run(files: FileStore, watch: list[str], marker: Path, tmp_path: Path) -> None:
    from transformers import AutoConfig

    model = build.network()
    config = build.config_of(model, model_type="evil", auto_map={"AutoConfig": "evil.EvilConfig"})
    content = build.folder(model, config, evil__py=CODE.encode())
    assert "program code" in refused(files, content, watch).what
    without = {name: entry for name, entry in content.items() if not name.endswith(".py")}
    assert "Python code of its own" in refused(files, without, watch).what
    for name, entry in (
        ("tokenizer_config.json", {"auto_map": {"AutoTokenizer": ["evil.Tokenizer", None]}}),
        ("config.json", build.config_of(model, custom_pipelines={"x": {"impl": "evil.Pipeline"}})),
        ("config.json", build.config_of(model, deep=[{"auto_map": {"AutoConfig": "someone/repo--evil.EvilConfig"}}])),
    ):
        assert "Python code" in refused(files, {**build.folder(model), name: json.dumps(entry).encode()}, watch).what
    assert not marker.exists()
    (tmp_path / "evil").mkdir()
    for name, piece in content.items():
        (tmp_path / "evil" / name).write_bytes(piece)
    with suppress(Exception):
        AutoConfig.from_pretrained(tmp_path / "evil", trust_remote_code=True)
    assert marker.exists()


@pytest.mark.parametrize(
    "entry",
    [
        {"_attn_implementation": "evil/kernel"},
        {"_attn_implementation": "evil/kernel@main:function"},
        {"attn_implementation": "flash_attention_2"},
        {"_attn_implementation_internal": "evil/kernel"},
        {"attn_implementation": {"": "evil/kernel"}},
        {"text_config": {"inner": [{"_attn_implementation": "evil/kernel"}]}},
        {"_ATTN_IMPLEMENTATION": "evil/kernel"},
    ],
)
def test_attention_kernels_are_refused(entry: dict[str, Any], files: FileStore, watch: list[str]) -> None:
    error = refused(files, build.folder(build.network(), build.config_of(build.network(), **entry)), watch)
    assert "attention kernel" in error.what
    assert "Remove this line" in error.advice


def test_the_library_itself_would_follow_the_configuration_to_the_kernel(tmp_path: Path) -> None:
    """``attn_implementation="eager"`` does not protect: the configuration's own entry goes before it."""
    from transformers import AutoModelForSequenceClassification

    config = build.config_of(build.network(), _attn_implementation="evil/kernel")
    for name, content in build.folder(build.network(), config).items():
        (tmp_path / name).write_bytes(content)
    with pytest.raises(ImportError, match="kernels"):
        AutoModelForSequenceClassification.from_pretrained(tmp_path, attn_implementation="eager", local_files_only=True)


def test_plain_attention_entries_are_no_reason_to_refuse(files: FileStore) -> None:
    entries = {"_attn_implementation_autoset": True, "_attn_implementation": "sdpa", "attn_implementation": "eager"}
    network = load(files, build.folder(build.network(), build.config_of(build.network(), **entries)))
    assert network.body.config._attn_implementation == "eager"


def noise(length: int) -> bytes:
    """Letters that cannot be compressed to a fraction."""
    return np.random.default_rng(0).bytes(length // 2 + 1).hex().encode()[:length]


def shards() -> "Files":
    index = {"metadata": {}, "weight_map": {"classifier.weight": "../../../etc/passwd"}}
    return {"model__safetensors__index__json": json.dumps(index).encode()}


def changed(change: Callable[[dict[str, Any]], object], kind: str = "bert") -> bytes:
    tensors = build.weights(build.network(kind))
    change(tensors)
    return build.packed(tensors)


def with_nan(tensors: dict[str, Any]) -> None:
    tensors["classifier.bias"][1] = float("nan")


def with_infinity(tensors: dict[str, Any]) -> None:
    tensors["bert.embeddings.word_embeddings.weight"][3, 3] = float("inf")


def without_head(tensors: dict[str, Any]) -> None:
    del tensors["classifier.weight"], tensors["classifier.bias"]


def with_surplus(tensors: dict[str, Any]) -> None:
    tensors["lm_head.weight"] = tensors["classifier.weight"].clone()


def with_wrong_shape(tensors: dict[str, Any]) -> None:
    tensors["classifier.weight"] = tensors["classifier.weight"][:2].clone()


def with_integers(tensors: dict[str, Any]) -> None:
    tensors["classifier.bias"] = tensors["classifier.bias"].long()


def with_old_names(tensors: dict[str, Any]) -> None:
    tensors["bert.pooler.dense.kernel"] = tensors.pop("bert.pooler.dense.weight")


Files = dict[str, bytes | Callable[[], bytes] | None]

FOLDERS: dict[str, tuple[Files, str]] = {
    "index": (shards(), "several files by an index"),
    "index alone": ({**shards(), "model__safetensors": None}, "several files by an index"),
    "shard": ({"model-00001-of-00002__safetensors": b"x"}, "several files by an index"),
    "adapter": ({"adapter_config__json": b'{"base_model_name_or_path": "evil/model"}'}, "adapter"),
    "no tokeniser": ({"tokenizer__json": None, "vocab__txt": b"a"}, "no tokenizer.json"),
    "no configuration": ({"config__json": None}, "no config.json"),
    "no weights": ({"model__safetensors": None}, "no model.safetensors"),
    "weights elsewhere": ({"model__safetensors": None, "a__safetensors": b"x"}, "not where they are looked for"),
    "library": ({"kernel__so": b"\x7fELF"}, "program code"),
    "NaN": ({"model__safetensors": partial(changed, with_nan)}, "not a finite number"),
    "infinity": ({"model__safetensors": partial(changed, with_infinity)}, "not a finite number"),
    "random head": (
        {"model__safetensors": partial(changed, without_head)},
        "2 of the network's 41 tensors",
    ),
    "surplus": ({"model__safetensors": partial(changed, with_surplus)}, "1 tensor that the network has no place for"),
    "shape": ({"model__safetensors": partial(changed, with_wrong_shape)}, "has shape (2, 8), where"),
    "integers": ({"model__safetensors": partial(changed, with_integers)}, "whole numbers"),
    "renamed": ({"model__safetensors": partial(changed, with_old_names)}, "1 of the network's 41 tensors are missing"),
    "no safetensors": ({"model__safetensors": b"PK\x03\x04 not weights at all"}, "no safetensors file"),
    "pickle as weights": ({"model__safetensors": pickle.dumps(Evil())}, "safetensors file"),
    "foreign weights": ({"model__safetensors": partial(changed, dict, "electra")}, "are missing"),
    "no opening": ({"tokenizer__json": partial(build.tokeniser_bytes, opening=False)}, "no opening token"),
    "many tokens": (
        {"tokenizer__json": partial(build.tokeniser_bytes, (*build.WORDS, "extra"))},
        "up to 21 and the network",
    ),
    "empty tokeniser": ({"tokenizer__json": b"{}"}, "tokenizer.json"),
    "tokeniser bomb": ({"tokenizer__json": b"[" * 100_000}, "tokenizer.json"),
    "configuration bomb": ({"config__json": b'{"a":' * 100_000}, "nested deeper"),
    "deep configuration": ({"config__json": b'{"a":' * 50 + b"1" + b"}" * 50}, "nested deeper"),
    "long configuration": (
        {"config__json": partial(noise, 2**22 + 1)},
        "at most 4,194,304 are read",
    ),
    "no JSON": ({"config__json": b"hello"}, "no JSON"),
    "no text": ({"config__json": b"\xff\xfe\x00"}, "no JSON"),
    "a list": ({"config__json": b"[1, 2]"}, "holds a list"),
    "twice": ({"config__json": b'{"model_type": "bert", "model_type": "gpt2"}'}, "occurs twice"),
    "long number": ({"config__json": b'{"vocab_size": ' + b"9" * 10_000 + b"}"}, "no JSON"),
    "NaN in JSON": ({"config__json": b'{"layer_norm_eps": NaN}'}, "NaN is not JSON"),
    "tokeniser configuration": ({"tokenizer_config__json": b"hello"}, "no JSON"),
}


def spoilt(case: str) -> dict[str, bytes]:
    """A good folder with the changes of a case."""
    changes: dict[str, Any] = {name: entry() if callable(entry) else entry for name, entry in FOLDERS[case][0].items()}
    return build.folder(build.network(), **changes)


@pytest.mark.parametrize("case", FOLDERS)
def test_folders_are_refused(case: str, files: FileStore, watch: list[str], marker: Path) -> None:
    assert FOLDERS[case][1] in str(refused(files, spoilt(case), watch))
    assert not marker.exists()


CONFIGS: dict[str, tuple[dict[str, Any], str]] = {
    "quantised": ({"quantization_config": {"quant_method": "bitsandbytes", "load_in_4bit": True}}, "quantised"),
    "quantised within": ({"sub": {"quantization_config": {}}}, "quantised"),
    "generation": ({"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"]}, "kind 'gpt2'"),
    "no kind": ({"model_type": None}, "what kind of network"),
    "kind of another type": ({"model_type": ["bert"]}, "which is not read here"),
    "kind as a path": ({"model_type": "../../evil"}, "which is not read here"),
    "masked words": ({"architectures": ["BertForMaskedLM"]}, "no text classifier of this kind"),
    "two architectures": ({"architectures": ["BertForSequenceClassification", "X"]}, "no text classifier of this kind"),
    "decoder": ({"is_decoder": True}, "decoder"),
    "decoder as a number": ({"is_decoder": 1}, "decoder"),
    "encoder and decoder": ({"is_encoder_decoder": True}, "decoder"),
    "cross attention": ({"add_cross_attention": True}, "decoder"),
    "positions": ({"position_embedding_type": "relative_key"}, "kind of positions"),
    "pruned": ({"pruned_heads": {"0": [1]}}, "cut out"),
    "layers that differ": ({"per_layer_config": {"0": {}}}, "differ from each other"),
    "regression": ({"problem_type": "regression"}, "regression"),
    "unknown problem": ({"problem_type": "evil"}, "unknown kind of problem"),
    "layers": ({"num_hidden_layers": 10**9}, "num_hidden_layers to 1000000000"),
    "no layers": ({"num_hidden_layers": 0}, "num_hidden_layers to 0"),
    "negative": ({"vocab_size": -5}, "vocab_size to -5"),
    "huge vocabulary": ({"vocab_size": 10**12}, "vocab_size"),
    "huge width": ({"hidden_size": 10**7}, "hidden_size"),
    "huge heads": ({"num_attention_heads": 10**7}, "num_attention_heads"),
    "huge positions": ({"max_position_embeddings": 10**10}, "max_position_embeddings"),
    "huge inner": ({"intermediate_size": 10**10}, "intermediate_size"),
    "huge types": ({"type_vocab_size": 10**10}, "type_vocab_size"),
    "text for a number": ({"hidden_size": "8"}, "hidden_size to '8'"),
    "fraction": ({"hidden_size": 8.0}, "hidden_size to 8.0"),
    "truth for a number": ({"num_hidden_layers": True}, "num_hidden_layers to True"),
    "list for a number": ({"vocab_size": [21]}, "vocab_size"),
    "activation": ({"hidden_act": "os.system"}, "hidden_act"),
    "activation of another type": ({"hidden_act": {"x": 1}}, "hidden_act"),
    "epsilon": ({"layer_norm_eps": -1}, "layer_norm_eps"),
    "endless epsilon": ({"layer_norm_eps": float("1e300")}, "layer_norm_eps"),
    "pad": ({"pad_token_id": 10**9}, "pad_token_id"),
    "pad beyond": ({"pad_token_id": 21}, "No network can be built"),
    "heads that do not divide": ({"num_attention_heads": 3}, "No network can be built"),
    "work": ({"num_hidden_layers": 64, "hidden_size": 8192, "intermediate_size": 32768}, "multiplications a token"),
    "another width": ({"hidden_size": 16}, "has shape"),
    "more layers": ({"num_hidden_layers": 3}, "are missing"),
    "fewer layers": ({"num_hidden_layers": 1}, "no place for"),
    "other classes": ({"id2label": {str(i): str(i) for i in range(4)}}, "has shape"),
    "no numbers": ({"id2label": {"a": "b"}}, "does not number its names"),
    "a gap": ({"id2label": {"0": "a", "2": "b"}}, "does not number its names"),
    "no names": ({"id2label": {}}, "no list of 1 to"),
    "too many names": ({"id2label": {str(i): str(i) for i in range(1001)}}, "no list of 1 to"),
    "doubled names": ({"id2label": {"0": "a", "1": "b", "2": "a"}}, "same name"),
    "empty name": ({"id2label": {"0": "a", "1": "b", "2": " "}}, "is called"),
    "long name": ({"id2label": {"0": "a", "1": "b", "2": "x" * 201}}, "is called"),
    "name of another type": ({"id2label": {"0": "a", "1": "b", "2": ["c"]}}, "is called"),
    "another number": ({"num_labels": 7}, "num_labels is 7"),
    "endless number": ({"id2label": None, "num_labels": 10**9}, "num_labels is 1000000000"),
}


@pytest.mark.parametrize("case", CONFIGS)
def test_configurations_are_refused(case: str, files: FileStore, watch: list[str]) -> None:
    more, message = CONFIGS[case]
    assert message in str(
        refused(files, build.folder(build.network(), build.config_of(build.network(), **more)), watch)
    )


def test_each_reason_has_its_own_sentence(files: FileStore, watch: list[str]) -> None:
    reasons: tuple[str, ...] = (
        "index",
        "adapter",
        "no tokeniser",
        "no configuration",
        "no weights",
        "weights elsewhere",
        "library",
    )
    reasons += ("NaN", "random head", "surplus", "shape", "integers", "no opening", "many tokens", "twice", "no JSON")
    said = [refused(files, spoilt(case), watch).what for case in reasons]
    for case in ("quantised", "generation", "masked words", "decoder", "regression", "layers", "work"):
        config = build.config_of(build.network(), **CONFIGS[case][0])
        said.append(refused(files, build.folder(build.network(), config), watch).what)
    assert len(set(said)) == len(said)


def test_nothing_large_is_built_before_weights_and_configuration_agree(files: FileStore, watch: list[str]) -> None:
    """A configuration of 2 thousand million numbers beside weights of a few: refused without making room for them."""
    import tracemalloc

    config = build.config_of(build.network(), vocab_size=10**6, hidden_size=2048, intermediate_size=2048)
    tracemalloc.start()
    assert "has shape" in refused(files, build.folder(build.network(), config), watch).what
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 50 * 2**20


def test_no_file_is_left_behind(
    files: FileStore, watch: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import tempfile

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "private"))
    (tmp_path / "private").mkdir()
    load(files, build.folder(build.network()))
    refused(files, spoilt("NaN"), watch)
    assert os.listdir(tmp_path / "private") == []


def scrambled(content: bytes, rng: np.random.Generator) -> bytes:
    broken = bytearray(content)
    for position in rng.integers(0, len(content), int(rng.integers(1, 4))):
        broken[position] ^= 1 << int(rng.integers(0, 8))
    return bytes(broken[: rng.integers(0, len(content))]) if rng.random() < 0.1 else bytes(broken)


def fuzz(files: FileStore, rounds: int, seed: int) -> tuple[int, int]:
    """Scramble the zip, or a file within a good zip; returns how many were read and how many refused."""
    import torch

    rng = np.random.default_rng(seed)
    good = build.folder(build.network())
    read = refusals = 0
    for _ in range(rounds):
        inside = str(rng.choice(["", "config.json", "config.json", "model.safetensors", "tokenizer.json"]))
        if inside:
            content = build.zipped({**good, inside: scrambled(good[inside], rng)})
        else:
            content = scrambled(build.zipped(good), rng)
        try:
            network = HuggingFaceFolder(file=files.put(content, "m.zip")).load_network(files)
            (tokens,) = network.read(["she is a nurse"])
        except EvenhandError:
            refusals += 1
            continue
        ids = torch.from_numpy(tokens.ids)[None]
        with torch.no_grad():
            pooled = network.pooled(network.word_embeddings(ids), torch.ones_like(ids, dtype=torch.bool))
            assert torch.isfinite(network.head()(pooled)).all()
        read += 1
    return read, refusals


def test_scrambled_uploads_are_refused_or_read(files: FileStore, watch: list[str], marker: Path) -> None:
    read, refusals = fuzz(files, 40, 1)
    assert min(read, refusals) > 0
    assert watch == []
    assert not marker.exists()


@pytest.mark.long
def test_many_scrambled_uploads(files: FileStore, watch: list[str]) -> None:
    read, refusals = fuzz(files, 600, 2)
    assert min(read, refusals) > 50
    assert watch == []
