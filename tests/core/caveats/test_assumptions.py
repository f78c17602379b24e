"""What every test says of its tolerance and its error rate."""

from core.audits import KINDS
from core.caveats.assumptions import chosen_tolerance, is_proposed


def test_only_a_tolerance_that_somebody_moved_was_chosen() -> None:
    for kind in KINDS.values():
        decision = kind.decision()
        moved = decision.model_copy(update={"delta": decision.delta + 0.5})
        assert (is_proposed(decision), is_proposed(moved)) == (True, False)
        assert "is the one that Evenhand proposes" in chosen_tolerance("so much", decision)
        assert "was chosen by the reader" in chosen_tolerance("so much", moved)
