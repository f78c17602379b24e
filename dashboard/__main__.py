"""``python -m dashboard``: what whoever runs the machine does with what the dashboard keeps."""

import typer

from core.cli.app import main
from dashboard.forget import forget
from dashboard.health import health

app = typer.Typer(
    add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode=None
)  # fmt: skip
app.callback()(lambda: None)
app.command()(forget)
app.command()(health)

if __name__ == "__main__":
    main(app)
