"""The command `omp-tui`: without a sub-command the dashboard, else the command line."""

from __future__ import annotations

from omp_core.cli import cli
from omp_core.logs import log_to_file


def main() -> None:
    """Run the command line, with the dashboard's commands beside the core's."""
    log_to_file()
    cli.lazy |= {
        "dashboard": "omp_tui.commands:dashboard",
        "demo": "omp_tui.commands:demo",
        "snapshot": "omp_tui.commands:snapshot",
    }
    cli()


if __name__ == "__main__":
    main()
