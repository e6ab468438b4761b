"""Writes the networks as ONNX and checks that OpenCV gives the same numbers: `python -m vision.training.export -h`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import torch

from vision.classify import AT_ONCE
from vision.locate import WIDE
from vision.rectify import PATCH
from vision.training.nets import Finder, Squares

MODEL = Path(__file__).parent.parent / "model"
TOLERANCE = 1e-4
NETWORKS: dict[str, tuple[type[torch.nn.Module], tuple[int, ...]]] = {
    "finder": (Finder, (1, 3, WIDE, WIDE)),
    "squares": (Squares, (AT_ONCE, 4, PATCH, PATCH)),
    "squares_harsh": (Squares, (AT_ONCE, 4, PATCH, PATCH)),
}


def averaged(files: Sequence[Path]) -> dict[str, torch.Tensor]:
    """The mean of the weights of several trainings that began alike, which errs less than each of them."""
    trained = [torch.load(file) for file in files]
    return {
        name: sum(one[name] for one in trained) / len(trained) if first.is_floating_point() else first
        for name, first in trained[0].items()
    }


def export(net: torch.nn.Module, weights: Sequence[Path], shape: tuple[int, ...], to: Path) -> float:
    """Write `net` with its `weights`; the largest difference between OpenCV's answer and PyTorch's."""
    example = torch.rand(shape)
    net.eval()
    with torch.no_grad():
        net(example)
        net.load_state_dict(averaged(weights))
        free = {0: "n"} if shape[0] > 1 else {2: "high", 3: "wide"}
        axes = {"in": free, "out": free}
        torch.onnx.export(
            net, (example,), str(to), input_names=["in"], output_names=["out"], dynamo=False, dynamic_axes=axes
        )
        expected = net(example).numpy()
    reader = cv2.dnn.readNetFromONNX(str(to))
    reader.setInput(example.numpy())
    return float(np.abs(reader.forward() - expected).max())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--finder", type=Path, nargs="+")
    parser.add_argument("--squares", type=Path, nargs="+", help="several are averaged")
    parser.add_argument("--squares_harsh", type=Path, nargs="+")
    parser.add_argument("--to", type=Path, default=MODEL)
    given = parser.parse_args()
    given.to.mkdir(exist_ok=True)
    for name, (kind, shape) in NETWORKS.items():
        weights, file = getattr(given, name), given.to / f"{name}.onnx"
        if not weights:
            continue
        apart = export(kind(), weights, shape, file)
        print(f"{file.name}: {file.stat().st_size / 1e6:.2f} MB, OpenCV and PyTorch differ by {apart:.1e}")
        if apart > TOLERANCE:
            raise SystemExit(f"{file.name} does not give the same numbers in OpenCV")


if __name__ == "__main__":
    main()
