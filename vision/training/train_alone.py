"""Trains the reader of single squares: `python -m vision.training.train_alone FOLDER OUT.pt --passes 12 --seed 1`."""

from __future__ import annotations

import torch

from vision.training.learning import learn, options
from vision.training.nets import Alone
from vision.training.train_squares import PER_FILE, batches, loss_of


def main() -> None:
    given = options(__doc__, passes=12)
    torch.manual_seed(given.seed)
    learn(given, Alone(), batches, loss_of, per_file=PER_FILE, decay=1e-3)


if __name__ == "__main__":
    main()
