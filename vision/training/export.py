"""Write the networks as ONNX and check that OpenCV gives the same numbers: `python -m vision.training.export -h`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import onnx
import torch
from onnx import numpy_helper

from vision.games.tiny_towns import SHAPE
from vision.looking import WIDE
from vision.rectify import PATCH
from vision.training.nets import FEATURES, Finder, Reader

MODEL = Path(__file__).parent.parent / "model"
TOLERANCE = 1e-4
HALVED = 0.02  # the same once the weights are kept in half precision
HALF = "_half"  # ends their names
FEW = 64  # weights that are kept as they are
Shape = tuple[int, ...]
# What learns as one network, and the parts of it that are written as files, each with the shape of what it takes.
NETWORKS: dict[str, tuple[type[torch.nn.Module], dict[str, Shape]]] = {
    "finder": (Finder, {"": (1, 3, WIDE, WIDE)}),
    "finder_crowded": (Finder, {"": (1, 3, WIDE, WIDE)}),
    "squares": (Reader, {"squares": (1, 4, PATCH, PATCH), "board": (SHAPE.rows * SHAPE.columns, FEATURES)}),
}
FREE = {  # sides of a shape that may be others
    "finder": {2: "high", 3: "wide"},
    "finder_crowded": {2: "high", 3: "wide"},
    "squares": {0: "n"},
    "board": {},
}


def averaged(files: Sequence[Path]) -> dict[str, torch.Tensor]:
    """Return the mean weights, by their name, of several trainings that began with the same network. The mean makes
    fewer errors than each of them."""
    trained = [torch.load(file) for file in files]
    return {
        name: sum(one[name] for one in trained) / len(trained) if first.is_floating_point() else first
        for name, first in trained[0].items()
    }


def export(net: torch.nn.Module, free: dict[int, str], shape: Shape, to: Path) -> tuple[float, float]:
    """Write a network into the ONNX file `to`; return how far OpenCV's answers are from PyTorch's at most. The first
    number is for weights in full precision, the second for the half precision that is kept. `shape` is the input's
    shape; `free` names those of its sides that may vary."""
    example = torch.rand(shape)
    net.eval()
    with torch.no_grad():
        axes = {"in": free, "out": free} if free else None
        torch.onnx.export(
            net, (example,), str(to), input_names=["in"], output_names=["out"], dynamo=False, dynamic_axes=axes
        )
        expected = net(example).numpy()
    whole = np.abs(_answer(to, example) - expected).max()
    halve(to)
    return float(whole), float(np.abs(_answer(to, example) - expected).max())


def _answer(file: Path, example: torch.Tensor) -> np.ndarray:
    reader = cv2.dnn.readNetFromONNX(str(file), cv2.dnn.ENGINE_CLASSIC)
    reader.setInput(example.numpy())
    return np.asarray(reader.forward())


def halve(file: Path) -> None:
    """Store the weights in half precision; loading the network converts them back."""
    model = onnx.load(str(file))
    graph, casts, kept = model.graph, [], []
    for weights in graph.initializer:
        values = numpy_helper.to_array(weights)
        if values.dtype == np.float32 and values.size > FEW:
            kept.append(numpy_helper.from_array(values.astype(np.float16), weights.name + HALF))
            whole = onnx.helper.make_node("Cast", [weights.name + HALF], [weights.name], to=onnx.TensorProto.FLOAT)
            casts.append(whole)
        else:
            kept.append(weights)
    nodes = list(graph.node)
    del graph.initializer[:], graph.node[:]
    graph.initializer.extend(kept)
    graph.node.extend(casts + nodes)
    onnx.save(model, str(file))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--finder", type=Path, nargs="+")
    parser.add_argument("--finder-crowded", type=Path, nargs="+", help="several are averaged")
    parser.add_argument("--squares", type=Path, nargs="+", help="several are averaged")
    parser.add_argument("--to", type=Path, default=MODEL)
    given = parser.parse_args()
    given.to.mkdir(exist_ok=True)
    for name, (kind, parts) in NETWORKS.items():
        if not (weights := getattr(given, name)):
            continue
        net = kind()
        net.load_state_dict(averaged(weights))
        for part, shape in parts.items():
            file = given.to / f"{part or name}.onnx"
            whole, halved = export(net.get_submodule(part), FREE[part or name], shape, file)
            size = file.stat().st_size / 1e6
            print(f"{file.name}: {size:.2f} MB, OpenCV and PyTorch differ by {whole:.1e}, halved by {halved:.1e}")
            if whole > TOLERANCE or halved > HALVED:
                raise SystemExit(f"{file.name} does not give the same numbers in OpenCV")


if __name__ == "__main__":
    main()
