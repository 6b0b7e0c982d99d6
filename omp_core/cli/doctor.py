"""`omp-tui doctor`: what is set up, what is wrong, and how to mend it."""

from __future__ import annotations

import click

from omp_core.cli.session import FAILED, Answer, memory_command
from omp_core.i18n import _
from omp_core.memory import Memory
from omp_core.types import DoctorFinding


@click.command(help=_("Check the store, the vectors and the project, and say how to mend them."))
@memory_command
def doctor(memory: Memory, answer: Answer) -> int:
    findings = memory.doctor.check()
    if answer.as_json:
        import msgspec

        answer.json(msgspec.to_builtins(findings))
    else:
        for finding in findings:
            answer.line(_line(finding))
            if finding.remedy:
                answer.line(f"    {finding.remedy}")
    return 0 if all(finding.ok for finding in findings) else FAILED


def _line(finding: DoctorFinding) -> str:
    mark = "✓" if finding.ok else "✗"
    return f"{mark} {finding.name:<10} {finding.state}"
