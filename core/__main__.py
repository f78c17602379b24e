"""``python -m core``, and the command ``evenhand``."""

from core.base.memory import limit_memory, memory_of_a_run
from core.cli import app


def main() -> None:
    """The command line, with no more memory than a run may take."""
    limit_memory(memory_of_a_run())
    app.main()


if __name__ == "__main__":
    main()
