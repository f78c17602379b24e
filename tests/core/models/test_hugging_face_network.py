"""Classifiers of transformers read from a zip: they answer as the library itself does, whatever stands beside them."""

import copy
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.base.errors import ModelError
from core.base.files import FileStore
from core.data.dataset import Dataset, Roles
from core.models.formats.hugging_face.config import FAMILIES
from core.models.formats.hugging_face.network import HuggingFaceNetwork
from core.models.formats.hugging_face.source import HuggingFaceFolder
from tests import builders_hugging_face as build

KINDS = tuple(FAMILIES)
TEXTS = ("She is a nurse and likes the town", "he works", "a surgeon, a lawyer and the doctors working", "")


@pytest.fixture
def files(tmp_path: Path) -> FileStore:
    return FileStore(tmp_path)


@pytest.fixture(scope="module")
def networks(tmp_path_factory: pytest.TempPathFactory) -> dict[str, HuggingFaceNetwork]:
    """A network of each kind; not to be changed."""
    files = FileStore(tmp_path_factory.mktemp("networks"))
    return {kind: read(files, build.network(kind)) for kind in KINDS}


def read(files: FileStore, model: Any, config: dict[str, Any] | None = None, label: str = "", **more: Any) -> Any:
    content = build.zipped(build.folder(model, config, **more))
    return HuggingFaceFolder(file=files.put(content, "model.zip"), label=label).load_network(files)


def batch(network: HuggingFaceNetwork, texts: tuple[str, ...] = TEXTS, padding: int = 0) -> tuple[Any, Any]:
    """Token numbers (B, N) with ``padding`` where there are none, and the mask (B, N)."""
    import torch

    tokens = network.read(texts)
    ids = torch.full((len(tokens), max(map(len, tokens))), padding)
    mask = torch.zeros(ids.shape, dtype=torch.bool)
    for row, one in enumerate(tokens):
        ids[row, : len(one)] = torch.from_numpy(one.ids)
        mask[row, : len(one)] = True
    return ids, mask


def logits(network: HuggingFaceNetwork, ids: Any, mask: Any) -> Any:
    return network.head()(network.pooled(network.word_embeddings(ids), mask))


def test_every_kind_that_is_read_is_tested() -> None:
    assert set(build.OPTIONS) == set(FAMILIES)


@pytest.mark.parametrize("kind", KINDS)
def test_logits_are_those_of_the_library_on_token_numbers(kind: str, networks: dict[str, HuggingFaceNetwork]) -> None:
    import torch

    model, network = build.network(kind), networks[kind]
    ids, mask = batch(network, padding=model.config.pad_token_id)
    with torch.no_grad():
        expected = model(input_ids=ids, attention_mask=mask.long()).logits
        found = logits(network, ids, mask)
    assert found.shape == (len(TEXTS), 3)
    assert float(expected.std(dim=0).min()) > 1e-3
    torch.testing.assert_close(found, expected, rtol=0, atol=1e-6)
    assert network.pooled(network.word_embeddings(ids), mask).shape == (len(TEXTS), network.pooled_width)


@pytest.mark.parametrize("kind", KINDS)
def test_padding_changes_no_answer_and_gets_no_gradient(kind: str, networks: dict[str, HuggingFaceNetwork]) -> None:
    import torch

    network = networks[kind]
    together, mask = batch(network, padding=5)
    with torch.no_grad():
        answers = logits(network, together, mask)
        for row, text in enumerate(TEXTS):
            alone = logits(network, *batch(network, (text,)))[0]
            torch.testing.assert_close(answers[row], alone, rtol=0, atol=2e-6)
    embeddings = network.word_embeddings(together).requires_grad_(True)
    (gradient,) = torch.autograd.grad(network.head()(network.pooled(embeddings, mask))[:, 0].sum(), embeddings)
    assert not gradient[~mask].any()
    assert gradient[mask].abs().sum(dim=1).min() > 0


@pytest.mark.parametrize("kind", KINDS)
def test_gradients_are_those_of_finite_differences(kind: str, networks: dict[str, HuggingFaceNetwork]) -> None:
    import torch

    network = networks[kind]
    exact = copy.copy(network)
    exact.body, head = copy.deepcopy(network.body).double(), copy.deepcopy(network.head()).double()
    ids, mask = batch(network)
    rng = np.random.default_rng(3)
    embeddings = network.word_embeddings(ids).double().requires_grad_(True)
    (gradient,) = torch.autograd.grad(head(exact.pooled(embeddings, mask))[:, 1].sum(), embeddings)
    for _ in range(3):
        direction = torch.from_numpy(rng.normal(size=embeddings.shape))
        with torch.no_grad():
            ahead = head(exact.pooled(embeddings + 1e-5 * direction, mask))[:, 1].sum()
            behind = head(exact.pooled(embeddings - 1e-5 * direction, mask))[:, 1].sum()
        assert float((ahead - behind) / 2e-5) == pytest.approx(float((gradient * direction).sum()), rel=2e-4, abs=1e-7)


@pytest.mark.parametrize("kind", KINDS)
def test_the_audit_differentiates_what_the_library_differentiates(
    kind: str, networks: dict[str, HuggingFaceNetwork]
) -> None:
    """Σ_k |∂f_k/∂x| of each text alone, one backward pass a class, through the library's own network."""
    import torch

    from core.audits.text_sensitivity.gradients import differentiate

    model, network = build.network(kind), networks[kind]
    tokens = network.read(TEXTS)
    found = differentiate(network, tokens)
    for row, one in enumerate(tokens):
        embeddings = torch.from_numpy(found.embeddings[row : row + 1, : len(one)]).requires_grad_(True)
        answers = model(inputs_embeds=embeddings).logits.softmax(dim=1)[0]
        each = [torch.autograd.grad(answer, embeddings, retain_graph=True)[0].abs()[0] for answer in answers]
        slopes = torch.stack(each)
        scale = float(slopes.max())
        np.testing.assert_allclose(
            found.weighted[row, : len(one)], slopes.sum(dim=0).numpy(), rtol=1e-3, atol=1e-5 * scale
        )


@pytest.mark.parametrize("kind", KINDS)
def test_no_option_that_decides_the_network_is_left_unread(kind: str) -> None:
    """A field of the library's configuration that is not read here would silently take its default."""
    from dataclasses import fields

    from transformers import AutoConfig, PreTrainedConfig

    common = {field.name for field in fields(PreTrainedConfig)}
    own = {field.name for field in fields(type(AutoConfig.for_model(kind)))} - common
    only_in_training = {"initializer_range", "use_cache", "tie_word_embeddings", "bos_token_id", "eos_token_id"}
    other_heads = {"summary_type", "summary_use_proj", "summary_activation", "summary_last_dropout", "legacy"}
    refused_unless_off = {"is_decoder", "add_cross_attention"}
    left = own - set(FAMILIES[kind].options) - only_in_training - other_heads - refused_unless_off
    assert not {name for name in left if "drop" not in name}


def test_a_version_two_deberta_and_unusual_options_are_as_in_the_library(files: FileStore) -> None:
    import torch

    plain = {"relative_attention": False, "position_biased_input": True, "norm_rel_ebd": "none", "conv_kernel_size": 3}
    for kind, options in (
        ("deberta-v2", {**plain, "share_att_key": False, "position_buckets": -1, "type_vocab_size": 2}),
        ("deberta-v2", {"pos_att_type": ("c2p",), "share_att_key": False, "pooler_hidden_act": "tanh"}),
        ("bert", {"hidden_act": "relu", "layer_norm_eps": 1e-3, "num_attention_heads": 4}),
        ("distilbert", {"sinusoidal_pos_embds": True, "activation": "relu"}),
        ("roberta", {"pad_token_id": build.WORDS.index("an")}),
    ):
        model = build.network(kind, **options)
        network = read(files, model, build.config_of(model))
        ids, mask = batch(network, padding=model.config.pad_token_id)
        with torch.no_grad():
            expected = model(input_ids=ids, attention_mask=mask.long()).logits
            torch.testing.assert_close(logits(network, ids, mask), expected, rtol=0, atol=1e-6)


def test_reading_twice_gives_the_same_and_touches_no_random_numbers(files: FileStore) -> None:
    import torch

    torch.manual_seed(5)
    before, default, threads = torch.get_rng_state(), torch.get_default_dtype(), torch.get_num_threads()
    first, second = (read(files, build.network()) for _ in range(2))
    assert torch.equal(before, torch.get_rng_state())
    assert (torch.get_default_dtype(), torch.get_num_threads()) == (default, threads)
    ids, mask = batch(first)
    assert torch.equal(logits(first, ids, mask), logits(second, ids, mask))
    assert not any(value.requires_grad for value in (*first.body.parameters(), *first.head().parameters()))
    assert not first.body.training
    assert {value.dtype for value in first.body.parameters()} == {torch.float32}


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ({}, ()),
        ({"id2label": {"0": "nurse", "1": "surgeon", "2": "lawyer"}}, ("nurse", "surgeon", "lawyer")),
        ({"id2label": {"2": "c", "0": "a", "1": "b"}, "num_labels": 3}, ("a", "b", "c")),
        ({"id2label": {"0": 0, "1": 1, "2": 2}}, ("0", "1", "2")),
        ({"id2label": None, "num_labels": 3}, ()),
        ({"id2label": {"0": "<b>a</b>", "1": "b\nc", "2": "x" * 200}}, ("<b>a</b>", "b\nc", "x" * 200)),
    ],
)
def test_classes_are_named_by_the_file(config: dict[str, Any], expected: tuple[str, ...], files: FileStore) -> None:
    model = build.network()
    assert read(files, model, build.config_of(model, **config)).classes == expected


def test_one_logit_is_two(files: FileStore) -> None:
    import torch

    model = build.network(outputs=1)
    for names, expected in (({"id2label": {"0": "toxic"}}, ("not toxic", "toxic")), ({}, ())):
        network = read(files, model, build.config_of(model, **names))
        assert network.classes == expected
        assert any("single number" in caveat.what for caveat in network.caveats)
        ids, mask = batch(network)
        with torch.no_grad():
            found, single = logits(network, ids, mask), model(input_ids=ids, attention_mask=mask.long()).logits
        assert found.shape == (len(TEXTS), 2)
        torch.testing.assert_close(found.softmax(dim=1)[:, 1], torch.sigmoid(single[:, 0]))


def test_a_label_of_a_multi_label_model_is_a_yes_or_no_question(files: FileStore) -> None:
    import torch

    model = build.network()
    config = build.config_of(
        model,
        problem_type="multi_label_classification",
        id2label={"0": "toxic", "1": "insult", "2": "threat"},
    )
    network = read(files, model, config, label="insult")
    assert network.classes == ("not insult", "insult")
    ids, mask = batch(network)
    with torch.no_grad():
        expected = torch.sigmoid(model(input_ids=ids, attention_mask=mask.long()).logits[:, 1])
        torch.testing.assert_close(logits(network, ids, mask).softmax(dim=1)[:, 1], expected)
    with pytest.raises(ModelError, match="toxic, insult, threat") as caught:
        read(files, model, config)
    assert "3 questions" in caught.value.what
    with pytest.raises(ModelError, match="no label 'Insult'"):
        read(files, model, config, label="Insult")
    with pytest.raises(ModelError, match="one answer a text"):
        read(files, model, label="insult")


@pytest.mark.parametrize(
    ("kind", "stated", "expected"),
    [("bert", 1000000, 24), ("bert", 10, 10), ("bert", int(1e30), 24), ("roberta", 24, 22), ("mpnet", None, 22)],
)
def test_texts_are_cut_to_what_the_network_and_its_tokeniser_read(
    kind: str, stated: int | None, expected: int, files: FileStore
) -> None:
    import torch

    network = read(files, build.network(kind), tokenizer_config__json=json.dumps({"model_max_length": stated}).encode())
    assert network.reading.longest == expected
    text = "nurse " * 100
    (tokens,) = network.read([text])
    assert len(tokens) == expected
    assert tokens.ids[0] == build.WORDS.index("[CLS]")
    assert tokens.ids[-1] == build.WORDS.index("[SEP]")
    assert tokens.read < len(text)
    with torch.no_grad():
        assert torch.isfinite(logits(network, *batch(network, (text, "a")))).all()


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float64"])
def test_weights_of_other_precision_are_computed_with_as_float32_and_told(dtype: str, files: FileStore) -> None:
    import torch

    model = build.network()
    stored = {key: value.to(getattr(torch, dtype)) for key, value in build.weights(model).items()}
    network = read(files, model, build.config_of(model, dtype=dtype), model__safetensors=build.packed(stored))
    assert any("32-bit" in caveat.what for caveat in network.caveats)
    ids, mask = batch(network)
    same = copy.deepcopy(model)
    same.load_state_dict({key: value.float() for key, value in stored.items()})
    with torch.no_grad():
        expected = same(input_ids=ids, attention_mask=mask.long()).logits
        torch.testing.assert_close(logits(network, ids, mask), expected, rtol=0, atol=1e-6)


def test_counters_that_older_versions_saved_are_no_surplus(files: FileStore) -> None:
    import torch

    model = build.network()
    counters = {"bert.embeddings.position_ids": torch.arange(24)[None]}
    network = read(files, model, model__safetensors=build.packed({**build.weights(model), **counters}))
    assert network.caveats == ()


def test_what_is_not_read_is_told(files: FileStore) -> None:
    extra: dict[str, Any] = {
        "pytorch_model__bin": b"x",
        "training_args__bin": b"x",
        "tf_model__h5": b"x",
        "README__md": b"x",
    }
    network = read(files, build.network(), **extra)
    said = [caveat.what for caveat in network.caveats]
    assert len(said) == 2
    assert "pytorch_model.bin, training_args.bin" in said[0]
    assert "not opened" in said[0]
    assert "tf_model.h5" in said[1]


def table(outcomes: tuple[str, ...] = ("nurse", "surgeon", "lawyer")) -> Dataset:
    frame = pd.DataFrame({"text": np.resize(TEXTS[:3], 33), "sex": np.resize(["f", "m"], 33)})
    frame["job"] = np.resize(outcomes, 33)
    return Dataset.build(frame, Roles(text="text", outcome="job", protected=("sex",)))


def test_a_table_is_answered_as_the_library_answers(files: FileStore) -> None:
    import torch

    model = build.network()
    config = build.config_of(model, id2label={"0": "nurse", "1": "surgeon", "2": "lawyer"})
    file = files.put(build.zipped(build.folder(model, config, pytorch_model__bin=b"x")), "model.zip")
    found = HuggingFaceFolder(file=file).load(files, table())
    assert found.classes == ("nurse", "surgeon", "lawyer")
    assert any("pickle" in caveat.what for caveat in found.caveats)
    answers = found.predict_proba(found.encode(table()))
    ids, mask = batch(found.network, TEXTS[:3])  # type: ignore[arg-type]
    with torch.no_grad():
        expected = model(input_ids=ids, attention_mask=mask.long()).logits.softmax(dim=1).numpy()
    np.testing.assert_allclose(answers, np.resize(expected, (33, 3)), atol=1e-6)


def test_an_outcome_that_the_model_does_not_know_is_named(files: FileStore) -> None:
    model = build.network()
    config = build.config_of(model, id2label={"0": "nurse", "1": "surgeon", "2": "lawyer"})
    source = HuggingFaceFolder(file=files.put(build.zipped(build.folder(model, config)), "model.zip"))
    with pytest.raises(ModelError, match=r"'dentist'.*nurse, surgeon, lawyer"):
        source.load(files, table(("nurse", "surgeon", "dentist")))
    assert source.load(files, table(("nurse", "surgeon"))).classes == ("nurse", "surgeon", "lawyer")


def test_the_label_is_part_of_the_fingerprint(files: FileStore) -> None:
    model = build.network()
    config = build.config_of(model, problem_type="multi_label_classification")
    file = files.put(build.zipped(build.folder(model, config)), "model.zip")
    found = {
        HuggingFaceFolder(file=file, label=label, classes=("no", "yes")).load(files, table(("no", "yes"))).fingerprint
        for label in ("LABEL_0", "LABEL_1")
    }
    assert len(found) == 2


CUT = {
    "by its configuration": ({"tokenizer_config__json": b'{"truncation_side": "left", "model_max_length": 5}'}, True),
    "right": ({"tokenizer_config__json": b'{"truncation_side": "right", "model_max_length": 5}'}, False),
    "by its tokeniser": ({"tokenizer_config__json": b'{"model_max_length": 5}'}, True),
}


@pytest.mark.parametrize("case", CUT)
def test_a_model_that_reads_the_end_of_texts_answers_no_text_that_is_too_long(case: str, files: FileStore) -> None:
    more, left = CUT[case]
    own = json.loads(build.tokeniser_bytes())
    cut = {"direction": "Left", "max_length": 5, "strategy": "LongestFirst", "stride": 0}
    tokeniser = json.dumps({**own, "truncation": cut}).encode()
    network = read(files, build.network(), tokenizer__json=tokeniser, **more)
    (short,) = network.read(["she"])
    assert len(short) <= 5
    if left:
        with pytest.raises(ModelError, match="the end of texts that are longer than 5 tokens"):
            network.read(["she", "she is a nurse and he is a surgeon"])
    else:
        assert len(network.read(["she is a nurse and he is a surgeon"])[0]) == 5


def test_a_side_of_texts_that_is_none_is_refused(files: FileStore) -> None:
    with pytest.raises(ModelError, match="neither left nor right"):
        read(files, build.network(), tokenizer_config__json=b'{"truncation_side": 3}')
