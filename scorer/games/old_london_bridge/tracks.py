"""Move the markers on the chapel track and the gate track (rulebook, building effects).

We do not know how long the tracks are, so players say when a marker has reached the end.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from scorer.record import POINTS


@dataclass(slots=True)
class Track:
    steps: dict[str, int]
    order: list[str]  # the leader, or the marker on top, first
    ended: list[str] = field(default_factory=list)

    def move(self, name: str, spaces: int) -> None:
        """Move a player's marker forward by `spaces`, and put it on top of markers on the same space."""
        if name in self.ended:
            return
        self.steps[name] += spaces
        self.order.remove(name)
        self.order.append(name)
        self.order.sort(key=lambda other: (self.rank(other), other != name))

    def rank(self, name: str) -> int:
        return self.ended.index(name) - POINTS if name in self.ended else -self.steps[name]

    def end(self, name: str) -> None:
        """Put a player's marker at the end of the track, below markers that arrived there before."""
        if name not in self.ended:
            self.ended.append(name)
            self.order.sort(key=self.rank)
