"""Findings of rooms that are not converted yet: everything through their telling."""

import dataclasses
import inspect
from functools import cached_property
from typing import Any, ClassVar

from core.errors import Notice
from core.figures.chart import Chart, Drawing
from core.finding import AbstractFinding
from core.inference.estimate import Verdict
from core.report.tables import Fact, Table
from core.report.telling import AbstractTelling


class OldFinding(AbstractFinding[Any, Any]):
    """See the module."""

    telling: ClassVar[AbstractTelling[Any, Any, Any]]

    @cached_property
    def numbers(self) -> Any:
        """Everything collected."""
        return self.telling.collect(self.result, self.decision)

    @property
    def record_hints(self) -> dict[str, tuple[Any, Any]]:
        """Name, value and type of everything the record keeps."""
        hints = inspect.get_annotations(self.telling.numbers)
        for base in self.telling.numbers.__mro__[1:]:
            hints = {**inspect.get_annotations(base), **hints} if dataclasses.is_dataclass(base) else hints
        return {name: (getattr(self.numbers, name), hint) for name, hint in hints.items()}

    @property
    def verdict(self) -> Verdict:
        """See the base class."""
        found: Verdict = self.numbers.verdict
        return found

    @property
    def reasons(self) -> tuple[Notice, ...]:
        """See the base class."""
        found: tuple[Notice, ...] = self.numbers.reasons
        return found

    @property
    def p_value(self) -> float:
        """See the base class."""
        return float(self.numbers.p_value)

    @cached_property
    def headline(self) -> str:
        """See the base class."""
        return str(self.numbers.headline)

    @cached_property
    def sentence(self) -> str:
        """See the base class."""
        return str(self.numbers.sentence)

    @cached_property
    def next_steps(self) -> tuple[str, ...]:
        """See the base class."""
        return ()

    @cached_property
    def similar(self) -> tuple[Fact, ...]:
        """See the base class."""
        return self.telling.similar(self.result)

    @cached_property
    def statistics(self) -> Table:
        """See the base class."""
        return self.telling.statistics(self.decision, self.numbers)

    @cached_property
    def tables(self) -> dict[str, Table]:
        """See the base class."""
        return self.telling.tables(self.result, self.decision, self.numbers)

    @cached_property
    def diagnostics(self) -> tuple[Fact, ...]:
        """See the base class."""
        return self.telling.diagnostics(self.result, self.decision, self.numbers)

    @cached_property
    def limits(self) -> tuple[str, ...]:
        """See the base class."""
        plan: Any = None
        return self.telling.limits(plan, self.result, self.decision)

    @cached_property
    def charts(self) -> dict[str, Chart[Any]]:
        """See the base class."""
        from core.figures.table import figures_of

        def chart(one: Any) -> Chart[Any]:
            return Chart(
                one.title,
                one.caption,
                lambda finding: Drawing(
                    one.draw(finding.result, finding.decision), one.alt(finding.result, finding.decision)
                ),
            )

        return {name: chart(one) for name, one in figures_of(self.result, self.decision).items()}
