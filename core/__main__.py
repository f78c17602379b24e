"""``python -m core``."""

from core.base.memory import limit_memory, memory_of_a_run
from core.cli.app import main

if __name__ == "__main__":
    limit_memory(memory_of_a_run())
    main()
