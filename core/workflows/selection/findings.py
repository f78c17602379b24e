"""What a reader of a selection has to know, most serious first."""

from collections.abc import Iterator, Sequence

from core.audits.transport.decision import TransportDecision
from core.audits.transport.unseen import ForEverybody
from core.base.errors import Caveat, most_serious_first
from core.data.dataset import Dataset
from core.data.table_caveats import caveats_of
from core.inference.evidence import Drawn
from core.language.phrases import count, first_few, whole
from core.language.told import say
from core.workflows.selection.choice import Choice, draws_needed, is_measured
from core.workflows.selection.path import FittedPath
from core.workflows.selection.result import Candidate
from core.workflows.selection.settings import OwnModels, Rule, SelectionPlan


def findings(
    plan: SelectionPlan,
    *,
    decision: TransportDecision,
    dataset: Dataset,
    path: FittedPath | None,
    candidates: Sequence[Candidate],
    choice: Choice,
) -> tuple[Caveat, ...]:
    """Caveats about rows, fits, candidates and the choice; the audit of the chosen model has its own."""
    said = [*caveats_of(dataset), *(path.caveats() if path is not None else ())]
    if isinstance(plan.candidates, OwnModels):
        said += [caveat for model in plan.candidates.models for caveat in model.provenance]
    said += _of_rule(plan, decision, candidates)
    if choice.chosen is not None:
        said += _of_choice(plan, decision, path, candidates, choice.chosen)
    return most_serious_first(said)


def _of_rule(plan: SelectionPlan, decision: TransportDecision, candidates: Sequence[Candidate]) -> Iterator[Caveat]:
    yield Caveat(
        "info",
        say(
            "The {candidates} were compared on the validation rows, so the numbers of the chosen one there "
            "are flattered by the choice. Quote those of the audit, whose rows had no part in it.",
            candidates=count(len(candidates), "candidate"),
        ),
    )
    needed = draws_needed(len(candidates), plan.decision.alpha)
    if plan.rule.together and needed > plan.audit.draws and isinstance(candidates[0].unfairness.seen, Drawn):
        yield Caveat(
            "warning",
            say(
                "Bounds that hold for {candidates} together lie far in the tail, where {draws} bootstrap draws "
                "say little.",
                candidates=count(len(candidates), "candidate"),
                draws=whole(plan.audit.draws),
            ),
            say("Set {needed} draws, or fewer candidates.", needed=whole(needed)),
        )
    near = [one for one in candidates if is_measured(one) and _within_its_error(one.unfairness, plan.rule, decision)]
    if near:
        yield Caveat(
            "warning",
            say(
                "{candidates} so near the tolerance that other bootstrap draws might decide otherwise who may be "
                "chosen: {names}.",
                candidates=count(len(near), "candidate"),
                names=first_few([one.name for one in near], 3),
            ),
            say("Set more than {draws} draws.", draws=whole(plan.audit.draws)),
        )
    unclear = [one.unclear for one in candidates if one.unclear]
    if unclear and plan.rule.admissible == "shown to be fair":
        yield Caveat(
            "warning",
            say(
                "{candidates} cannot be shown to be fair. {reason}",
                candidates=count(len(unclear), "candidate"),
                reason=unclear[0],
            ),
        )


def _within_its_error(unfairness: ForEverybody, rule: Rule, decision: TransportDecision) -> bool:
    """Whether the bound that decides is nearer to the tolerance than twice its Monte-Carlo error."""
    if rule.admissible == "not found unfair":
        bound, error = unfairness.lower_bound(decision.alpha), unfairness.lower_error(decision.alpha)
    else:
        bound, error = unfairness.upper_bound(decision.alpha), unfairness.upper_error(decision.alpha)
    return abs(bound - decision.delta) < 2 * error


def _of_choice(
    plan: SelectionPlan,
    decision: TransportDecision,
    path: FittedPath | None,
    candidates: Sequence[Candidate],
    chosen: int,
) -> Iterator[Caveat]:
    one = candidates[chosen]
    if one.gives_one_answer:
        yield Caveat(
            "warning",
            say("The chosen model gives everybody the same answer. It treats all people alike and decides nothing."),
            say("Allow a larger tolerance, or bring better candidates."),
        )
    if plan.rule.admissible == "not found unfair" and one.unfairness.upper_bound(decision.alpha) > decision.delta:
        yield Caveat(
            "warning",
            say(
                "On the validation rows the chosen model was not found unfair, but it was not shown to be fair "
                "either: its unfairness may exceed the tolerance."
            ),
            say("Bring more rows, or choose among the models shown to be fair."),
        )
    if path is not None and chosen == len(candidates) - 1:
        yield Caveat(
            "info",
            say("The chosen model is the last of the grid; a weaker penalty may do better."),
            say("Extend the grid to larger values of 1/λ."),
        )
