"""Leaves of several numbers as XGBoost before 3.2 wrote them: later versions end the process that loads them."""

import json
import re
from typing import Any

from core.language.told import say
from core.wall.inside import RefusedError

_SIZES = re.compile(rb'size_leaf_vector(?:(":\s*")|SL\0{7}[\1-\5])(\d{1,5})')


def as_written_now(content: bytes) -> bytes:
    """The file with leaves as XGBoost 3.2 writes them: their numbers in one list, and the place of each leaf in it.

    Raises:
        RefusedError: It has such leaves and is no JSON.
    """
    found = [match for match in _SIZES.finditer(content) if int(match[2]) > 1]
    if not found or b"leaf_weights" in content:
        return content
    if not found[0][1]:
        raise RefusedError(
            say("Each leaf holds several numbers (multi_output_tree), which XGBoost before 3.2 wrote in another way."),
            say(
                "Save the model as JSON with the XGBoost that wrote it: booster.load_model('model.ubj'), "
                "booster.save_model('model.json'). Or train it with XGBoost 3.2 or newer."
            ),
        )
    file = json.loads(content)
    booster = file["learner"]["gradient_booster"]
    for tree in booster.get("gbtree", booster)["model"]["trees"]:
        _rewrite(tree, int(tree["tree_param"]["size_leaf_vector"]))
    return json.dumps(file).encode()


def _rewrite(tree: dict[str, Any], each: int) -> None:
    """Rewrite a tree whose nodes hold ``each`` numbers."""
    leaves = [node for node, child in enumerate(tree["left_children"]) if child == -1]
    tree["leaf_weights"] = [one for leaf in leaves for one in tree["base_weights"][leaf * each : (leaf + 1) * each]]
    for place, leaf in enumerate(leaves):
        tree["right_children"][leaf] = place
        tree["split_conditions"][leaf] = 0.0
    for unknown in ("loss_changes", "sum_hessian"):
        tree.setdefault(unknown, [0.0] * len(tree["left_children"]))
