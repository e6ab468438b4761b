"""Define the networks, small enough for a laptop without a graphics card. They need PyTorch; reading does not."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn.functional import interpolate

from vision.games.tiny_towns import SHAPE
from vision.rectify import PATCH

FINDER_OUT = 4  # boards, their corners, lattice points on their edges, lattice points inside
FEATURES = 128  # numbers that a square is seen as
HEADS = 4  # questions that a square asks of the others at a time
BOARD_OUT = 34  # 14 labels, then 5 colours x 0 to 3 cubes on top


def conv(a: int, b: int, kernel: int = 3, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(a, b, kernel, stride, (kernel - 1) // 2, bias=False), nn.BatchNorm2d(b), nn.ReLU(inplace=True)
    )


class Finder(nn.Module):
    """Answer a picture with maps of a quarter of its size, which show boards and crossings (a U-shaped network)."""

    def __init__(self, wide: tuple[int, ...] = (32, 56, 88, 112)) -> None:
        super().__init__()
        a, b, c, d = wide
        self.stem = nn.Sequential(conv(3, 16, 4, 2), conv(16, a, 3, 2), conv(a, a))
        self.down1 = nn.Sequential(conv(a, b, 3, 2), conv(b, b))
        self.down2 = nn.Sequential(conv(b, c, 3, 2), conv(c, c), conv(c, c))
        self.down3 = nn.Sequential(conv(c, d, 3, 2), conv(d, d))
        self.side3, self.up3 = nn.Conv2d(d, c, 1), conv(c, c)
        self.side2, self.up2 = nn.Conv2d(c, b, 1), conv(b, b)
        self.side1, self.up1 = nn.Conv2d(b, a, 1), conv(a, a)
        self.head = nn.Conv2d(a, FINDER_OUT, 1)
        nn.init.constant_(self.head.bias, -3.0)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        s1 = self.stem(x)
        s2 = self.down1(s1)
        s3 = self.down2(s2)
        y = self.up3(interpolate(self.side3(self.down3(s3)), scale_factor=2.0) + s3)
        y = self.up2(interpolate(self.side2(y), scale_factor=2.0) + s2)
        y = self.up1(interpolate(self.side1(y), scale_factor=2.0) + s1)
        return torch.sigmoid(self.head(y).float())


class Refined(nn.Module):
    """Add the result of one more convolution to the input.

    That result is zero at first, so this layer can be inserted into a trained network.
    """

    def __init__(self, a: int) -> None:
        super().__init__()
        self.conv, self.norm = nn.Conv2d(a, a, 3, 1, 1, bias=False), nn.BatchNorm2d(a)
        nn.init.zeros_(self.norm.weight)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x + self.norm(self.conv(x)))


class Squares(nn.Module):
    """Map an upright patch and the outline of its square to numbers for `Board`.

    Most of the network works at a third and a sixth of the patch's size, where the outline of a piece is still visible.
    """

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            conv(4, 40, 6, 3),
            conv(40, 32),
            Refined(32),
            conv(32, 48, 3, 2),
            Refined(48),
            conv(48, 64, 3, 2),
            conv(64, 96),
            conv(96, 128, 3, 2),
            nn.Flatten(),
        )
        self.head = nn.Sequential(nn.Dropout(0.2), nn.Linear(128 * (PATCH // 24) ** 2, FEATURES), nn.ReLU())

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.body(x))


class Compared(nn.Module):
    """Compare each square with all squares of its board (attention), and add the result to its numbers.

    That result is zero before the training.
    """

    def __init__(self, squares: int) -> None:
        super().__init__()
        self.squares = squares
        self.asks, self.keys, self.tells = (nn.Linear(FEATURES, FEATURES) for _ in range(3))
        self.heard = nn.Linear(FEATURES, FEATURES)
        self.inner, self.outer = nn.Linear(FEATURES, 2 * FEATURES), nn.Linear(2 * FEATURES, FEATURES)
        for last in (self.heard, self.outer):
            nn.init.zeros_(last.weight)
            nn.init.zeros_(last.bias)

    def _split(self, x: torch.Tensor) -> torch.Tensor:
        return x.reshape(-1, self.squares, HEADS, FEATURES // HEADS).transpose(1, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        asks, keys, tells = (self._split(of(x)) for of in (self.asks, self.keys, self.tells))
        shares = torch.softmax(asks * (FEATURES // HEADS) ** -0.5 @ keys.transpose(2, 3), dim=-1)
        x = x + self.heard((shares @ tells).transpose(1, 2).reshape(-1, FEATURES))
        return x + self.outer(torch.relu(self.inner(x)))


class Board(nn.Module):
    """Map the numbers that `Squares` gives for the sixteen squares of a board to numbers for labels and cubes.

    Other cottages and cubes in the same light help to distinguish a cottage from a glass cube.
    """

    def __init__(self) -> None:
        super().__init__()
        squares = SHAPE.rows * SHAPE.columns
        self.compared = nn.Sequential(Compared(squares), Compared(squares))
        self.head = nn.Linear(FEATURES, BOARD_OUT)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.compared(x))


class Reader(nn.Module):
    """Combine `Squares` and `Board` for learning: from the patches of whole boards to labels and cubes."""

    def __init__(self) -> None:
        super().__init__()
        self.squares, self.board = Squares(), Board()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.board(self.squares(x))
