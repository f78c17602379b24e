"""``python -m core``."""

from core.cli.app import main

if __name__ == "__main__":
    main()
