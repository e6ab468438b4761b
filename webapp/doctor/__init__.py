"""Looks over an installation and says in plain words what is well, what to look at, and what to do."""

from webapp.doctor.examination import examine
from webapp.doctor_check import FAULT, FINE, WARNING, Finding, worst

__all__ = ["FAULT", "FINE", "WARNING", "Finding", "examine", "worst"]
