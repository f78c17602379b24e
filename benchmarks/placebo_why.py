"""Why a test and the textbook disagree about a table as it is: a line for each."""

WHY: dict[tuple[str, str], str] = {}
