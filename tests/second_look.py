"""Run a failed browser test once more, and report that in the summary.

Browsers sometimes fail to start, run out of time or lose connections. A test that fails twice has failed. A test that
fails once is listed with its reason, because the race may be ours. Too many of these fail the run.
"""

from __future__ import annotations

from typing import Any

import pytest
from _pytest.runner import runtestprotocol

AT_MOST = 3  # in one run
BROWSERS = {"browser", "browsers"}  # fixtures
ONCE = "failed once"  # the outcome of what is run again


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    if not isinstance(item, pytest.Function) or BROWSERS.isdisjoint(item.fixturenames):
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    reports = runtestprotocol(item, nextitem=nextitem, log=False)
    if failed := [report for report in reports if report.failed]:
        failed[0].outcome = ONCE  # type: ignore[assignment]  # pytest's type knows only its own three
        item.ihook.pytest_runtest_logreport(report=failed[0])
        item._initrequest()  # with fixtures of its own, as if it had never run
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


def pytest_report_teststatus(report: pytest.TestReport) -> tuple[str, str, str] | None:
    return (ONCE, "R", ONCE.upper()) if report.outcome == ONCE else None


def pytest_terminal_summary(terminalreporter: Any) -> None:
    once = terminalreporter.stats.get(ONCE, [])
    if once:
        terminalreporter.section(f"{ONCE}, and run again: {len(once)}")
    for report in once:
        terminalreporter.write_line(f"{report.nodeid}\n{report.longreprtext}\n")


class Count:
    """Collect the reports of all workers."""

    def __init__(self) -> None:
        self.once = 0

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.once += report.outcome == ONCE

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.once > AT_MOST and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Count())
