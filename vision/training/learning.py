"""Train both networks: options of the command line, and passes over a folder of material."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import torch

Batches = Callable[[list[Path], np.random.Generator], Iterator[tuple[torch.Tensor, ...]]]

WARM_UP = 200  # steps
LOWEST = 0.01  # share of the rate at the end
TELL = 100  # steps between two lines of progress, and between two times that the weights are kept
MOST = 1000  # passes, if only time bounds them


def options(description: str | None, passes: int) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--passes", type=int, default=passes)
    parser.add_argument("--minutes", type=float, help="end then, with whatever pass; files may be added meanwhile")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--start", type=Path)
    parser.add_argument("--frozen", action="store_true", help="keep the norms' means and spreads as they are")
    parser.add_argument("--threads", type=int, default=1)
    return parser.parse_args()


def ahead(batches: Iterator[tuple[torch.Tensor, ...]]) -> Iterator[tuple[torch.Tensor, ...]]:
    """Yield the batches, each prepared while the one before is in use."""
    with ThreadPoolExecutor(1) as other:
        coming = other.submit(next, batches, None)
        while (batch := coming.result()) is not None:
            coming = other.submit(next, batches, None)
            yield batch


def learn(
    given: argparse.Namespace,
    net: torch.nn.Module,
    batches: Batches,
    loss_of: Callable[..., torch.Tensor],
    per_file: float,
    decay: float,
    files: str = "*.npz",
) -> None:
    """Train `net` on those files of the folder that fit `files`; save its weights in `given.out`. `given` has the
    options of the command. `batches` yields pixels and the truth, about `per_file` times per file. `loss_of`
    compares the network's answer with that truth; `decay` is the weight decay."""
    torch.set_num_threads(given.threads)
    net = _prepared(given, net)
    steps = torch.optim.AdamW(net.parameters(), lr=given.rate, weight_decay=decay)
    began, lately, done = time.time(), 0.0, 0
    for share, (pixels, *truth) in _material(given, batches, per_file, files):
        for group in steps.param_groups:
            group["lr"] = given.rate * pace(share, done)
        with torch.autocast("cpu", torch.bfloat16):  # twice as fast where the processor has it
            got = net(pixels.to(memory_format=torch.channels_last))
        loss: Any = loss_of(got.float(), *truth)
        steps.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        steps.step()
        lately, done = 0.98 * lately + 0.02 * loss.item(), done + 1
        if done % TELL == 0:
            print(f"step {done}, {100 * share:.0f}%: loss {lately:.3f}, {time.time() - began:.0f} s", flush=True)
            torch.save(net.state_dict(), given.out)
    torch.save(net.state_dict(), given.out)


def _prepared(given: argparse.Namespace, net: torch.nn.Module) -> torch.nn.Module:
    """Return the network, with the weights from the file `given.start` if that is set. With `given.frozen`, its
    normalisation layers are frozen."""
    if given.start:
        net.load_state_dict(torch.load(given.start))
    if given.frozen:
        for layer in net.modules():
            if isinstance(layer, torch.nn.BatchNorm2d):
                layer.eval()
    return net.to(memory_format=torch.channels_last)


def _material(
    given: argparse.Namespace, batches: Batches, per_file: float, files: str
) -> Iterator[tuple[float, tuple[torch.Tensor, ...]]]:
    """Yield the share of the training that is done (0 to 1) and a batch, again and again. In each pass, `batches` makes
    about `per_file` batches from each file whose name fits `files`."""
    rng, began = np.random.default_rng(given.seed), time.time()
    for turn in range(given.passes if given.minutes is None else MOST):
        material = sorted(given.folder.glob(files))
        material = [material[k] for k in rng.permutation(len(material))]
        for at, batch in enumerate(ahead(batches(material, rng))):
            share = (turn + at / (len(material) * per_file)) / given.passes
            if given.minutes is not None:
                share = (time.time() - began) / (60 * given.minutes)
                if share >= 1:
                    return
            yield min(share, 1), batch


def pace(share: float, done: int) -> float:
    """Return the factor by which to multiply the learning rate. It rises in the first steps (`done` counts them), then
    falls along a cosine. `share` is the share of the training that is done, from 0 to 1."""
    return float(max(min(1, (done + 1) / WARM_UP) * (1 + np.cos(np.pi * share)) / 2, LOWEST))
