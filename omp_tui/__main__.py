"""The command `omp-tui`: without a sub-command the dashboard, else the command line."""

from __future__ import annotations

import os

from omp_core.i18n import use_language
from omp_core.logs import log_to_file
from omp_core.settings_files import preferred_language


def main() -> None:
    """Run the command line, with the dashboard's commands beside the core's."""
    log_to_file()
    if not os.environ.get("OMP_LANG"):
        use_language(preferred_language())
    from omp_core.cli import cli  # its help is worded as it is imported

    cli.lazy |= {
        "dashboard": "omp_tui.commands:dashboard",
        "demo": "omp_tui.commands:demo",
        "snapshot": "omp_tui.commands:snapshot",
    }
    cli()


if __name__ == "__main__":
    main()
