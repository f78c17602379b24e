"""``python -m core``."""

from core.cli.app import main
from core.memory import limit_memory, memory_of_a_run

if __name__ == "__main__":
    limit_memory(memory_of_a_run())
    main()
