"""`omp-tui health`: how well the memory is, and the cure of an alert."""

from __future__ import annotations

import click

from omp_core import present
from omp_core.cli.session import Answer, memory_command
from omp_core.cli.text import padded, say_receipt
from omp_core.i18n import _
from omp_core.memory import Memory
from omp_core.types import HealthReport


@click.command(help=_("Judge the memory: score, hit rate, staleness, alerts with their cures."))
@click.option("--fix", "alert_id", metavar="ALERT", help=_("Carry out the cure of this alert."))
@memory_command
def health(memory: Memory, answer: Answer, alert_id: str | None) -> None:
    if alert_id is not None:
        receipt = memory.fix(alert_id)
        say_receipt(answer, receipt)
        return
    report = memory.health()
    if answer.as_json:
        answer.json(present.health(report))
        return
    for line in _lines(report):
        answer.line(line)


def _lines(report: HealthReport) -> list[str]:
    view = report.view
    if view.score is None or view.grade is None:
        lines = [_("health unknown")]
    else:
        lines = [_("health {score} · {grade}").format(score=view.score, grade=_(view.grade))]
    for row in view.rows:
        mark = "✓" if row.ok else "✗"
        cost = f"  -{row.lost:.1f}  {row.reason}" if row.reason else ""
        lines.append(f"  {mark} {padded(_(row.name), 11)} {row.value:>6}  {row.target:<7}{cost}")
    rate = view.hit_rate
    if rate.last_7d is None:
        lines.append(_("hit rate: {reason}").format(reason=rate.reason))
    else:
        lines.append(
            _("hit rate {week} % in 7 days, {month} % in 30 days, {trend}").format(
                week=round(rate.last_7d * 100),
                month=round((rate.last_30d or 0) * 100),
                trend=rate.trend or "-",
            )
        )
    if report.known:
        lines.append(
            _("stale {count} of {total}").format(count=view.stale.count, total=view.stale.of)
        )
    for alert in view.alerts:
        mark = "▲" if alert.level == "warning" else "·"
        lines += [f"{mark} {alert.message}", f"    {alert.cure}  [{alert.id}]"]
    return lines
