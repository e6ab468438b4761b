"""Check an installation and say in plain words what is right, what is wrong, and what to do."""

from webapp.doctor.examination import examine
from webapp.doctor_check import FAULT, FINE, WARNING, Finding, worst

__all__ = ["FAULT", "FINE", "WARNING", "Finding", "examine", "worst"]
