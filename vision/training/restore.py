"""Make a committed network trainable again: `python -m vision.training.restore finder FOLDER finder.pt`.

In an ONNX file the normalisation layers are folded into the convolutions before them. Each is rebuilt here from the
mean and spread of the material of FOLDER at its place. The network's answers stay the same. This needs the package
`onnx` besides PyTorch.
"""

from __future__ import annotations

import argparse
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from vision.training import train_finder, train_squares
from vision.training.export import HALF, MODEL, NETWORKS
from vision.training.learning import Batches

BATCHES: dict[str, Batches] = {
    "finder": train_finder.batches,
    "finder_crowded": train_finder.batches,
    "squares": train_squares.batches,
}
MATERIAL = {"finder": "*.jpg", "finder_crowded": "*.jpg", "squares": "*.npz"}
FILES = 64
MIXED = 4  # batches that the norms are measured on
TOLERANCE = 1e-3


def folded(file: Path) -> tuple[dict[str, torch.Tensor], list[torch.Tensor]]:
    """Return the weights in an ONNX file: those that kept their names, then those of folded convolutions in order."""
    graph = onnx.load(str(file)).graph
    stock = {
        one.name.removesuffix(HALF): torch.from_numpy(numpy_helper.to_array(one).astype(np.float32))
        for one in graph.initializer
    }
    named = {name: value for name, value in stock.items() if "::" not in name}
    return named, [value for name, value in stock.items() if "::" in name]


def restore(net: torch.nn.Module, file: Path, pixels: torch.Tensor) -> None:
    """Give `net` the weights of an ONNX file, or end the program if the file is of another network. `pixels` are
    pictures to measure the normalisation layers with."""
    named, rest = folded(file)
    for name, value in named.items():
        net.get_parameter(name).data.copy_(value)
    layers = [layer for layer in net.modules() if isinstance(layer, torch.nn.Conv2d | torch.nn.BatchNorm2d)]
    pairs = [
        (one, two)
        for one, two in pairwise(layers)
        if isinstance(one, torch.nn.Conv2d) and isinstance(two, torch.nn.BatchNorm2d)
    ]
    if len(rest) != 2 * len(pairs):
        raise SystemExit(f"{file.name} is of another network: {len(rest)} folded weights, {2 * len(pairs)} expected")
    for (conv, norm), weight, bias in zip(pairs, rest[::2], rest[1::2], strict=True):
        conv.weight.data.copy_(weight)
        norm.register_forward_pre_hook(_measuring(bias))
    net.eval()
    with torch.no_grad():
        net(pixels)
    for _, norm in pairs:
        norm._forward_pre_hooks.clear()


def _measuring(bias: torch.Tensor) -> Any:
    """Return a hook that sets a normalisation layer's mean and spread to those of its input.

    The layer then only adds `bias`.
    """

    def measure(norm: torch.nn.BatchNorm2d, given: tuple[torch.Tensor]) -> None:
        mean, spread = given[0].mean(dim=(0, 2, 3)), given[0].var(dim=(0, 2, 3))
        assert norm.running_mean is not None
        assert norm.running_var is not None
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(spread)
        norm.weight.data.copy_(torch.sqrt(spread + norm.eps))
        norm.bias.data.copy_(bias + mean)

    return measure


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("network", choices=sorted(NETWORKS))
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    given = parser.parse_args()
    kind, parts = NETWORKS[given.network]
    net = kind()
    material = sorted(given.folder.glob(MATERIAL[given.network]))[:FILES]
    some = BATCHES[given.network](material, np.random.default_rng(1))
    pixels = [batch[0] for _, batch in zip(range(MIXED * 2), some, strict=False)]
    alike = [one for one in pixels if one.shape == pixels[0].shape][:MIXED]
    taken = torch.cat(alike)
    for part in parts:
        restore(net.get_submodule(part), MODEL / f"{part or given.network}.onnx", taken)
        with torch.no_grad():
            taken = net.get_submodule(part)(taken)  # the next part takes what this one gives
    torch.save(net.state_dict(), given.out)


if __name__ == "__main__":
    main()
