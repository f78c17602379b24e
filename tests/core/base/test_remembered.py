"""Answers that an object keeps: worked out once a question and object, and no part of what the object is."""

from dataclasses import dataclass, replace

from core.base.remembered import remembered

ASKED: list[tuple[int, float]] = []


@dataclass(frozen=True)
class Scale:
    factor: int

    @remembered
    def of(self, number: float) -> float:
        ASKED.append((self.factor, number))
        return self.factor * number


def test_each_object_is_asked_each_question_once() -> None:
    ASKED.clear()
    two = Scale(2)
    three = replace(two, factor=3)
    assert [one.of(number) for one in (two, three) for number in (1.0, 5.0, 1.0)] == [2.0, 10.0, 2.0, 3.0, 15.0, 3.0]
    assert ASKED == [(2, 1.0), (2, 5.0), (3, 1.0), (3, 5.0)]
    assert two == Scale(2)
