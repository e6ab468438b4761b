"""Draw solids and flat things in perspective: soft shadows on the ground, shaded faces, from far to near."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.training.pieces import Floats, Image, Solid

Rng = np.random.Generator


@dataclass(slots=True)
class Camera:
    matrix: Floats  # 3 x 4
    eye: Floats

    def see(self, points: Floats) -> Floats:
        seen = points @ self.matrix[:, :3].T + self.matrix[:, 3]
        return np.asarray(seen[:, :2] / np.maximum(seen[:, 2:], 1e-3))

    def depth(self, points: Floats) -> Floats:
        return np.asarray(points @ self.matrix[2, :3] + self.matrix[2, 3])


def camera(rng: Rng, size: tuple[int, int], fill: float, elevation: float, across: float = 5.0) -> Camera:
    """Return a random camera that looks at board 0 from `elevation` degrees above the table. An area `across` squares
    wide around the board takes about the share `fill` of the picture's shorter side. `size` is the picture's width
    and height."""
    focal = max(size) * float(np.exp(rng.uniform(np.log(0.55), np.log(1.9))))
    azimuth, tilt = rng.uniform(0, 2 * np.pi), np.radians(elevation)
    away = np.array([np.cos(azimuth) * np.cos(tilt), np.sin(azimuth) * np.cos(tilt), np.sin(tilt)])
    # Never so near that the board's first corner is beside the lens.
    distance = max(focal * across / (fill * min(size)), 1.5 + 0.566 * across * np.cos(tilt))
    shift = rng.normal(0, across / 5, 2) / max(fill, 0.25)
    forward = -away
    right = np.cross(forward, [0, 0, 1.0])
    right = right / np.linalg.norm(right) if np.linalg.norm(right) > 1e-6 else np.array([1.0, 0, 0])
    down = np.cross(forward, right)
    roll = rng.normal(0, 0.12) if rng.random() < 0.8 else rng.uniform(0, 2 * np.pi)
    right, down = np.cos(roll) * right + np.sin(roll) * down, np.cos(roll) * down - np.sin(roll) * right
    aside = 0.3 if rng.random() < 0.85 else 0.8  # now and then the frame cuts a good part of the board
    eye = np.array([2, 2, 0]) + np.append(shift * aside, 0) + away * distance
    lens = np.array([[focal, 0, size[0] / 2], [0, focal, size[1] / 2], [0, 0, 1]])
    turn = np.array([right, down, forward])
    return Camera(lens @ np.column_stack([turn, -turn @ eye]), eye)


@dataclass(slots=True)
class Light:
    towards: Floats
    spread: float
    ambient: float
    direct: float
    shadow: float

    @classmethod
    def any(cls, rng: Rng) -> Light:
        height, angle = np.radians(rng.uniform(20, 88)), rng.uniform(0, 2 * np.pi)
        towards = np.array([np.cos(angle) * np.cos(height), np.sin(angle) * np.cos(height), np.sin(height)])
        ambient = rng.uniform(0.15, 0.8)
        return cls(towards, rng.uniform(0.02, 0.35), ambient, 1.1 * (1 - ambient), rng.uniform(0.15, 0.65))


class Drawing:
    """Hold a canvas, its camera, the lamp above it, and the solids that will stand on it."""

    ground = (-4.0, 12.0, 28)  # the shadows' field: from, across, pixels a square

    def __init__(self, rng: Rng, size: tuple[int, int], lens: Camera) -> None:
        self.rng, self.size, self.camera = rng, size, lens
        self.light = Light.any(rng)
        self.canvas: Image = np.zeros((size[1], size[0], 3), np.uint8)
        self.solids: list[Solid] = []

    def lay(self, texture: Image, plane: Floats, wrap: bool = False) -> None:
        """Draw a texture on a plane; `plane` (3 x 3, columns x, y, origin) maps its pixels to the world.

        `wrap` repeats the texture without end.
        """
        to_picture = self.camera.matrix[:, :3] @ plane
        to_picture[:, 2] += self.camera.matrix[:, 3]
        if wrap:
            warped = cv2.warpPerspective(texture, to_picture, self.size, borderMode=cv2.BORDER_WRAP)
            below = np.linalg.inv(to_picture)[2]
            columns, rows = np.arange(self.size[0]), np.arange(self.size[1])
            seen = below[0] * columns[None, :] + below[1] * rows[:, None] + below[2] > 0  # before the camera
            self.canvas = np.where(seen[..., None], warped, self.canvas).astype(np.uint8)
            return
        high, wide = texture.shape[:2]
        rim = np.array([(0, 0, 1), (wide, 0, 1), (wide, high, 1), (0, high, 1)], float) @ to_picture.T
        if rim[:, 2].min() < 0.6:
            return
        edge = rim[:, :2] / rim[:, 2:]
        x0, y0 = np.maximum(np.floor(edge.min(0)).astype(int) - 1, 0)
        x1, y1 = np.minimum(np.ceil(edge.max(0)).astype(int) + 2, self.size)
        if x1 - x0 < 2 or y1 - y0 < 2:
            return
        moved = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1.0]]) @ to_picture
        box = (int(x1 - x0), int(y1 - y0))
        if np.linalg.norm(edge[1] - edge[0]) < wide * 0.6:
            texture, moved = _halved(texture, moved)
        piece = cv2.warpPerspective(texture, moved, box, borderMode=cv2.BORDER_REPLICATE)
        mask = np.zeros(box[::-1], np.uint8)
        cv2.fillPoly(mask, [np.round((edge - [x0, y0]) * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
        view = self.canvas[y0:y1, x0:x1]
        np.copyto(view, cv2.blendLinear(piece, view, mask / np.float32(255), 1 - mask / np.float32(255)))

    def shadows(self) -> None:
        """Draw soft shadows of everything that stands, darker where it touches the ground."""
        start, across, fine = self.ground
        side = int(across * fine)
        total = np.zeros((side, side), np.float32)
        rays = 5
        for _ in range(rays):
            towards = self.light.towards + self.rng.normal(0, self.light.spread, 3)
            towards[2] = max(towards[2], 0.25)
            mask = np.zeros((side, side), np.uint8)
            for solid in self.solids:
                for face in solid.faces:
                    ground = face[:, :2] - face[:, 2:] * (towards[:2] / towards[2])
                    cv2.fillPoly(mask, [fixed((ground - start) * fine)], 255, cv2.LINE_8, 4)
            total += mask
        total = cv2.GaussianBlur(total / np.float32(255 * rays), (0, 0), 1.0) * np.float32(self.light.shadow)
        touch = np.zeros((side, side), np.uint8)
        for solid in self.solids:
            for face in solid.faces:
                low = face[face[:, 2] < solid.base[2] + 0.12]
                if len(low) >= 2 and solid.base[2] < 0.3:
                    cv2.polylines(touch, [fixed((low[:, :2] - start) * fine)], True, 255, 2, cv2.LINE_AA, 4)
        total += cv2.GaussianBlur(touch, (0, 0), 0.09 * fine).astype(np.float32) * np.float32(0.35 / 255)
        plane = np.array([[1 / fine, 0, start], [0, 1 / fine, start], [0, 0, 0]])
        to_picture = self.camera.matrix[:, :3] @ plane
        to_picture[:, 2] += self.camera.matrix[:, 3]
        dark = cv2.warpPerspective(np.clip(total * 255, 0, 235).astype(np.uint8), to_picture, self.size)
        self.canvas = cv2.multiply(self.canvas, cv2.cvtColor(255 - dark, cv2.COLOR_GRAY2BGR), scale=1 / 255)

    def stand(self) -> None:
        """Draw all solids, the farthest first; a solid on top of another is drawn right after that one."""
        far = [float(np.linalg.norm((s.base - self.camera.eye)[:2])) for s in self.solids]
        level = [round(float(s.base[2]) / 0.25) for s in self.solids]
        # A cube on a roof belongs to the depth of the building below it, and comes right after it.
        order = sorted(range(len(far)), key=lambda i: (-self._ground_distance(i, far, level), level[i], -far[i]))
        for i in order:
            self._solid(self.solids[i])

    def _ground_distance(self, index: int, far: list[float], level: list[int]) -> float:
        while level[index] > 0 and index > 0:
            index -= 1
        return far[index]

    def _solid(self, solid: Solid) -> None:
        centres = np.array([face.mean(0) for face in solid.faces])
        if self.camera.depth(centres).min() < 1:
            return
        facing = np.einsum("ij,ij->i", solid.normals, self.camera.eye - centres) > 0
        towards = self.light.towards / np.linalg.norm(self.light.towards)
        lit = self.light.ambient * (0.75 + 0.25 * solid.normals[:, 2])
        lit = lit + self.light.direct * np.maximum(solid.normals @ towards, 0) * self._lit(solid)
        lit = np.clip(lit * self.rng.normal(1, 0.03, len(lit)), 0.03, 1.6) ** 0.7
        depth = np.linalg.norm(centres - self.camera.eye, axis=1)
        depth[-2:] = 0  # a cap hides the sides behind it
        flat = self.camera.see(np.vstack(solid.faces))
        if flat.max() < -50 or (flat.min(0) > np.array(self.size) + 50).any():
            return
        ends = np.cumsum([len(face) for face in solid.faces])
        for i in np.argsort(-depth):
            if not facing[i]:
                continue
            shape = fixed(flat[ends[i] - len(solid.faces[i]) : ends[i]])
            tone = np.clip(solid.rgb[::-1] * lit[i], 0, 255)
            cv2.fillPoly(self.canvas, [shape], tone.tolist(), cv2.LINE_AA, 4)
            if self.rng.random() < 0.6:  # the worn edge catches the light
                rim = np.clip(tone * self.rng.uniform(0.9, 1.2) + 6, 0, 255)
                cv2.polylines(self.canvas, [shape], True, rim.tolist(), 1, cv2.LINE_AA, 4)
        self._grain(flat)

    def _lit(self, solid: Solid) -> float:
        """Return the share of the lamp's light that reaches this piece: 1, or less if a neighbour shades it."""
        reach = self.light.towards[:2] / max(self.light.towards[2], 0.2)
        for other in self.solids:
            gap = other.base[:2] - solid.base[:2]
            if other is solid or np.hypot(*gap) > 1.6 or np.hypot(*gap) < 0.05 or other.base[2] > 0.2:
                continue
            along = gap @ reach / (np.linalg.norm(reach) + 1e-9)
            aside = abs(gap[0] * reach[1] - gap[1] * reach[0]) / (np.linalg.norm(reach) + 1e-9)
            if along > 0 and aside < 0.25 and along < 0.45 * np.linalg.norm(reach):
                return float(self.rng.uniform(0.3, 0.9))
        return 1.0

    def _grain(self, flat: Floats) -> None:
        """Make the brightness of one piece uneven, and its foot darker; `flat` are its points in the picture."""
        x0, y0 = np.clip(flat.min(0).astype(int), 0, self.size)
        x1, y1 = np.clip(flat.max(0).astype(int) + 1, 0, self.size)
        if x1 - x0 < 3 or y1 - y0 < 3:
            return
        hull = np.zeros((y1 - y0, x1 - x0), np.uint8)
        cv2.fillConvexPoly(hull, cv2.convexHull((flat - [x0, y0]).astype(np.float32)).astype(np.int32), 1)
        field = self.rng.normal(0, 0.07, (3, 3)).astype(np.float32)
        field += np.linspace(0.03, -self.rng.uniform(0, 0.15), 3, dtype=np.float32)[:, None]
        smooth = cv2.resize(field, (int(x1 - x0), int(y1 - y0)), interpolation=cv2.INTER_LINEAR)
        view = self.canvas[y0:y1, x0:x1]
        np.copyto(view, np.clip(view * (1 + smooth * hull)[..., None], 0, 255).astype(np.uint8))


def fixed(points: Floats) -> Image:
    """Return points in the fixed-point format of OpenCV's drawing functions, with 4 bits for the fraction."""
    return np.round(np.clip(points, -9000, 9000) * 16).astype(np.int32)


def _halved(texture: Image, frame: Floats) -> tuple[Image, Floats]:
    half = cv2.resize(texture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    return half, frame @ np.diag([2.0, 2.0, 1.0])
