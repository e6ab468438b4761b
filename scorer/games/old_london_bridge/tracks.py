"""The markers on the chapel track or on the gate track (rulebook, building effects).

How long the tracks are is not known to us: players say when a marker has reached the end of one.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from scorer.record import POINTS


@dataclass(slots=True)
class Track:
    """The markers on one track."""

    steps: dict[str, int]
    order: list[str]  # the one ahead, or on top, first
    ended: list[str] = field(default_factory=list)

    def move(self, name: str, spaces: int) -> None:
        """Move a marker, which comes to lie on top of those that are there."""
        if name in self.ended:
            return
        self.steps[name] += spaces
        self.order.remove(name)
        self.order.append(name)
        self.order.sort(key=lambda other: (self.rank(other), other != name))

    def rank(self, name: str) -> int:
        return self.ended.index(name) - POINTS if name in self.ended else -self.steps[name]

    def end(self, name: str) -> None:
        """Put a marker at the end of the track, below those that came there before."""
        if name not in self.ended:
            self.ended.append(name)
            self.order.sort(key=self.rank)
