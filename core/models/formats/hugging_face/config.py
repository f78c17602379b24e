"""The config.json of a Hugging Face model, checked number by number before anything is built from it.

The library reads a configuration as settings of itself: it can name code to fetch and run, or a network of any size.
Here only options of listed kinds of networks are read, each within limits, and the rest decides nothing.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from core.base.errors import ModelError
from core.language.told import localized, say
from core.models.formats.hugging_face.families import FAMILIES, ModelFamily
from core.text.strict_json import entries

CONFIG_NAME = "config.json"
MAXIMUM_CLASSES = 1_000
LONGEST = 512
"""Tokens of a text that are read at most, whatever the network allows."""
_MAXIMUM_WORK = 4_000_000_000
_LONGEST_LABEL = 200

_COUNTED_FROM_PADDING = {"roberta", "xlm-roberta", "camembert"}


@dataclass(frozen=True)
class CheckedConfig:
    """What a checked config.json says.

    Attributes:
        model_type: A key of :data:`FAMILIES`.
        options: What the network is built from.
        labels: What its outputs are called, first output first.
        named: Whether these names are the file's own, not those the library gives for want of one.
        multi_label: Whether each output answers a question of its own with yes or no.
        longest: Tokens of a text the network has positions for, special ones among them; at most :data:`LONGEST`.
    """

    model_type: str
    options: Mapping[str, Any]
    labels: tuple[str, ...]
    named: bool
    multi_label: bool
    longest: int

    @property
    def family(self) -> ModelFamily:
        """The kind of network."""
        return FAMILIES[self.model_type]


def refuse_code(found: dict[str, Any], where: str) -> None:
    """Refuse whatever, at any depth, makes the library fetch or run something.

    Raises:
        ModelError: Custom code, a foreign attention kernel, or a quantised model.
    """
    for _, path, value in entries(found):
        key = path.rsplit(".", 1)[-1].casefold()
        if key in {"auto_map", "custom_pipelines", "trust_remote_code"} and value:
            raise ModelError(
                say("The model asks for Python code of its own, which is not run here."),
                where=f"{where}, {path}",
                advice=say(
                    "Bring a model of an architecture that is part of the transformers library, saved without it."
                ),
            )
        if "attn_implementation" in key and not (value is None or type(value) is bool or value in ("eager", "sdpa")):
            raise ModelError(
                say(
                    "The configuration names an attention kernel, {shown}, which could be fetched from the internet "
                    "and run.",
                    shown=_shown(value),
                ),
                where=f"{where}, {path}",
                advice=say("Remove this line: it changes how fast the model computes, not what it answers."),
            )
        if key in {"quantization_config", "compression_config"} and value is not None:
            raise ModelError(
                say("The model is quantised: its weights are rounded to a few bits, so there are no exact gradients."),
                where=f"{where}, {path}",
                advice=say("Bring the model it was made from, with weights in 32 or 16 bits."),
            )


def check_config(found: dict[str, Any], where: str) -> CheckedConfig:
    """Check a configuration.

    Args:
        found: The content of config.json.
        where: How errors name it.

    Raises:
        ModelError: It asks for code, kernels or quantisation; is of a kind that is not read or no classifier; or an
            option is not of its type or beyond its limits.
    """
    refuse_code(found, where)
    model_type = found.get("model_type")
    if not isinstance(model_type, str) or model_type not in FAMILIES:
        raise ModelError(
            say("The configuration is of the kind {model_type}, which is not read here.", model_type=_shown(model_type))
            if model_type
            else say("The configuration does not say what kind of network it describes."),
            where=say("{where}, model_type", where=where),
            advice=say("Bring a classifier of one of these kinds: {families}.", families=", ".join(FAMILIES)),
        )
    family = FAMILIES[model_type]
    _check_architecture(found, family, where)
    options = {}
    for key, fits in family.options.items():
        value = found.get(key)
        if value is None:
            continue
        if not fits(value):
            raise ModelError(
                say(
                    "The configuration sets {key} to {shown}, which is of the wrong type or beyond limits.",
                    key=key,
                    shown=_shown(value),
                ),
                where=f"{where}, {key}",
                advice=say("Bring an unchanged configuration as save_pretrained writes it, or a smaller model."),
            )
        options[key] = value
    _check_work(options, where)
    labels, named = _labels(found, where)
    return CheckedConfig(
        model_type=model_type,
        options=options,
        labels=labels,
        named=named,
        multi_label=_multi_label(found, labels, where),
        longest=min(LONGEST, _positions(model_type, options)),
    )


def _check_architecture(found: dict[str, Any], family: ModelFamily, where: str) -> None:
    declared = found.get("architectures")
    if declared is not None and declared != [family.architecture]:
        said = ", ".join(map(str, declared)) if isinstance(declared, list) else str(declared)
        raise ModelError(
            say("The model was saved from {said}, which is no text classifier of this kind.", said=said[:120])
            if said
            else say("The model was saved from no class, which is no text classifier of this kind."),
            where=say("{where}, architectures", where=where),
            advice=say("Bring one that was fine-tuned and saved as {architecture}.", architecture=family.architecture),
        )
    ordinary: tuple[tuple[str, Any, str], ...] = (
        ("is_decoder", False, say("a decoder, which writes text")),
        ("is_encoder_decoder", False, say("an encoder with a decoder, which writes text")),
        ("add_cross_attention", False, say("a decoder, which reads another network's states")),
        (
            "position_embedding_type",
            "absolute",
            say("one of another kind of positions, which the library no longer computes"),
        ),
        ("pruned_heads", {}, say("one with attention heads cut out")),
        ("per_layer_config", {}, say("one with layers that differ from each other")),
    )
    for key, plain, meaning in ordinary:
        if found.get(key) is not None and (type(found[key]) is not type(plain) or found[key] != plain):
            raise ModelError(
                say("The configuration describes a network that is not read here: {meaning}.", meaning=meaning),
                where=f"{where}, {key}",
                advice=say("Bring an ordinary text classifier as save_pretrained writes it."),
            )


def _check_work(options: Mapping[str, Any], where: str) -> None:
    """Bound the multiplications a token, which shared layers make independent of the number of weights."""
    hidden, inner = options.get("hidden_size", options.get("dim", 4096)), options.get("intermediate_size", 0)
    layers = options.get("num_hidden_layers", options.get("n_layers", 12)) * options.get("inner_group_num", 1)
    work = layers * (4 * hidden**2 + 2 * hidden * (inner or options.get("hidden_dim", 4 * hidden)))
    if work > _MAXIMUM_WORK:
        raise ModelError(
            say(
                "The network needs {work} thousand million multiplications a token; at most {most} are computed.",
                work=localized(f"{work / 1e9:.0f}"),
                most=localized(f"{_MAXIMUM_WORK / 1e9:.0f}"),
            ),
            where=say("{where}, {layers} layers of width {hidden}", where=where, layers=layers, hidden=hidden),
            advice=say("Bring a smaller model, or its answers as a column of the table."),
        )


def _positions(model_type: str, options: Mapping[str, Any]) -> int:
    positions = int(options.get("max_position_embeddings", LONGEST))
    if model_type in _COUNTED_FROM_PADDING:
        return positions - int(options.get("pad_token_id", 1)) - 1
    return positions - 2 if model_type == "mpnet" else positions


def _labels(found: dict[str, Any], where: str) -> tuple[tuple[str, ...], bool]:
    """Names of the outputs, and whether they are the file's own."""
    names, count = found.get("id2label"), found.get("num_labels", found.get("_num_labels"))
    if names is None:
        count = 2 if count is None else count
        if type(count) is not int or not 1 <= count <= MAXIMUM_CLASSES:
            raise _bad_labels(say("num_labels is {count}", count=_shown(count)), where)
        return tuple(f"LABEL_{number}" for number in range(count)), False
    if not isinstance(names, dict) or not 1 <= len(names) <= MAXIMUM_CLASSES:
        raise _bad_labels(say("id2label is no list of 1 to {most} names", most=MAXIMUM_CLASSES), where)
    if set(names) != {str(number) for number in range(len(names))}:
        raise _bad_labels(say("id2label does not number its names 0, 1, 2, …"), where)
    if count is not None and count != len(names):
        raise _bad_labels(
            say("num_labels is {count} and id2label has {names} names", count=_shown(count), names=len(names)), where
        )
    labels = tuple(names[str(number)] for number in range(len(names)))
    labels = tuple(str(label) if type(label) is int else label for label in labels)
    for label in labels:
        if not isinstance(label, str) or not label.strip() or len(label) > _LONGEST_LABEL:
            raise _bad_labels(say("a class is called {label}", label=_shown(label)), where)
    if len(set(labels)) < len(labels):
        raise _bad_labels(say("two classes have the same name"), where)
    return labels, labels != tuple(f"LABEL_{number}" for number in range(len(labels)))


def _bad_labels(what: str, where: str) -> ModelError:
    return ModelError(
        say("The configuration's names of the classes cannot be read: {what}.", what=what),
        where=say("{where}, id2label", where=where),
        advice=say('Write id2label as {"0": first class, "1": second class, …}, a name for every output.'),
    )


def _multi_label(found: dict[str, Any], labels: tuple[str, ...], where: str) -> bool:
    problem = found.get("problem_type")
    if problem == "regression":
        raise ModelError(
            say("The model estimates a quantity (regression); its answers are no classes."),
            where=say("{where}, problem_type", where=where),
            advice=say("Bring a classifier."),
        )
    if problem not in (None, "single_label_classification", "multi_label_classification"):
        raise ModelError(
            say("The configuration states an unknown kind of problem, {problem}.", problem=_shown(problem)),
            where=say("{where}, problem_type", where=where),
            advice=say("Bring a classifier as save_pretrained writes it."),
        )
    return problem == "multi_label_classification" and len(labels) > 1


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:79]}…"


def tokeniser_limit(found: dict[str, Any]) -> Iterator[int]:
    """The longest text a tokenizer_config.json allows, in tokens, if it states a sensible one."""
    stated = found.get("model_max_length")
    if type(stated) is int and stated >= 3:
        yield stated


def cuts_beginning(found: dict[str, Any], where: str) -> bool | None:
    """Whether a tokenizer_config.json says that a long text loses its beginning; None if it does not say.

    Raises:
        ModelError: It names no side of a text.
    """
    side = found.get("truncation_side")
    if side not in (None, "left", "right"):
        raise ModelError(
            say("The configuration cuts texts on the side {side}, which is neither left nor right.", side=_shown(side)),
            where=say("{where}, truncation_side", where=where),
            advice=say("Save the tokeniser again: AutoTokenizer.from_pretrained(folder).save_pretrained(folder)."),
        )
    return None if side is None else side == "left"
