"""The pictures that the networks learn from: the same for the same seed, and true."""

from __future__ import annotations

import importlib
import importlib.util
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.vision.conftest import PHOTOS, drawn
from vision import rectify
from vision.games.tiny_towns import CUBES, LABELS, SHAPE
from vision.lattice import CLOSE
from vision.training import __main__ as steps
from vision.training import cloths, crowd, dataset, decoys, looks, paint, phone, pieces, renders, villagers
from vision.training.drawing import camera
from vision.training.phone import Plate, photographed
from vision.training.pictures import picture, plate
from vision.training.pieces import Floats, Image
from vision.training.scene import CARDBOARD, OFF, Scene, Town, overlap
from vision.training.studio import Staged, StagedCrowd

MODELS = Path(rectify.__file__).parent / "model"


def test_the_same_seed_draws_the_same_picture() -> None:
    shelf = paint.shelf(3, 2, 2)
    one, two = (picture(np.random.default_rng(11), shelf) for _ in range(2))
    assert np.array_equal(one.image, two.image)
    assert [t.grid for t in one.towns] == [t.grid for t in two.towns]


@pytest.mark.parametrize("label", LABELS[1:])
@pytest.mark.parametrize("lying", [False, True])
def test_every_face_of_a_piece_looks_outwards_and_it_stands_on_the_ground(label: str, lying: bool) -> None:
    stands_and_is_closed(
        pieces.make(np.random.default_rng(1), label, (0, 0, 0), 0.4, lying and not label.startswith("cube"))
    )


@pytest.mark.parametrize("kind", range(len(villagers.ANIMALS)))
def test_every_face_of_an_animal_looks_outwards_and_it_stands_on_the_ground(kind: int) -> None:
    for seed in range(4):  # both ways round
        stands_and_is_closed(villagers.carved(np.random.default_rng(seed), kind, np.zeros(3), np.zeros(3)))


def stands_and_is_closed(solid: pieces.Solid) -> None:
    low = min(face[:, 2].min() for face in solid.faces)
    assert low == pytest.approx(0, abs=1e-6)
    volume = 0.0
    for face, normal in zip(solid.faces, solid.normals, strict=True):
        around = np.cross(face[1:-1] - face[0], face[2:] - face[0]).sum(axis=0) / 2
        assert np.linalg.norm(normal) == pytest.approx(1, abs=1e-3)
        volume += abs(around @ normal) * (face[0] @ normal) / 3
    assert 0.005 < volume < 0.2  # cubic squares: only a closed surface that faces outwards gives its volume


def test_the_camera_sees_the_board_clockwise() -> None:
    lens = camera(np.random.default_rng(2), (800, 600), 0.6, 40)
    corners = lens.see(np.array([(0, 0, 0), (0, 4, 0), (4, 4, 0), (4, 0, 0)], float))
    assert cv2.contourArea(corners.astype(np.float32), True) > 0


class Desk:
    """Takes down what would be rendered."""

    def __init__(self) -> None:
        self.scene: dict[str, Any] = {}

    def texture(self, image: Image) -> str:
        return f"{image.shape[1]} x {image.shape[0]}"

    def render(self, scene: dict[str, Any]) -> Image:
        self.scene = scene
        return np.zeros((*scene["size"][::-1], 3), np.uint8)


def as_blender_sees(scene: dict[str, Any], points: Floats) -> Floats:
    """Its camera looks along its own -z, y up; the lens is given in widths of the picture."""
    seen = (points - scene["eye"]) @ np.array(scene["axes"]).T
    wide, high = scene["size"]
    flat = seen[:, :2] / -seen[:, 2:] * scene["lens"] * wide
    placed: Floats = flat * [1, -1] + [wide / 2, high / 2]
    return placed


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_blender_is_told_of_the_scene_that_the_truth_speaks_of(seed: int) -> None:
    desk, rng = Desk(), np.random.default_rng(seed)
    size = (400, 300)
    stage = Staged(desk, rng, size, camera(rng, size, 0.8, 50), paint.shelf(3, 2, 2))
    stage.table()
    spin = stage.board((0.0, 0.0), 0.0)
    stage.build((0.0, 0.0), spin, stage.towns[0], 1.0)
    stage.shadows()
    stage.stand()
    ground, board = desk.scene["sheets"]
    corners = np.array(board["corners"])
    clockwise = as_blender_sees(desk.scene, corners[[0, 3, 2, 1]])
    assert clockwise == pytest.approx(stage.towns[0].corners, abs=0.01)
    assert board["uv"] == [[0, 1], [1, 1], [1, 0], [0, 0]]
    assert all(z == pytest.approx(CARDBOARD * -1) for *_, z in ground["corners"])
    assert len(desk.scene["solids"]) == 1 + 16 + sum(map(len, stage.towns[0].on_top.values()))
    for solid in desk.scene["solids"][1:]:
        points = np.array([point for face in solid["faces"] for point in face])
        assert as_blender_sees(desk.scene, points) == pytest.approx(stage.camera.see(points), abs=0.01)


@pytest.mark.parametrize("seed", range(8))
def test_villagers_stand_in_nothing_and_change_no_square(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scene = Scene(rng, (400, 300), camera(rng, (400, 300), 0.8, 50), paint.shelf(3, 2, 2))
    standing = scene.build((0.0, 0.0), scene.board((0.0, 0.0), 0.0), town := scene.towns[0], 0.7)
    before = (list(town.grid), {at: list(cubes) for at, cubes in town.on_top.items()})
    villagers.come(scene, (0.0, 0.0), np.eye(3), town, standing)
    assert before == (town.grid, town.on_top)
    came = [solid for solid in scene.solids if solid.label == "villager"]
    assert len(came) <= villagers.MOST
    assert not any(overlap(animal, piece) for animal in came for piece in standing.values())
    squares = [tuple(int(v) for v in animal.base[:2]) for animal in came]
    assert len(set(squares)) == len(squares), "one on a square"


def test_a_tower_is_one_grey_building_of_several_discs_each_on_the_one_before() -> None:
    towers = 0
    for seed in range(30):
        rng = np.random.default_rng(seed)
        scene = Scene(rng, (400, 300), camera(rng, (400, 300), 0.8, 50), paint.shelf(3, 2, 2))
        standing = scene.build((0.0, 0.0), scene.board((0.0, 0.0), 0.0), town := scene.towns[0], 1.0)
        villagers.come(scene, (0.0, 0.0), np.eye(3), town, standing)
        discs = [solid for solid in scene.solids if solid.label == "well"]
        upper = [disc for disc in discs if disc.base[2] > 0]
        assert town.grid.count("well") == len(discs) - len(upper)
        for disc in upper:
            below = scene.solids[next(at for at, one in enumerate(scene.solids) if one is disc) - 1]
            assert below.label == "well"
            assert disc.base[2] == pytest.approx(max(face[:, 2].max() for face in below.faces))
        towers += bool(upper)
    assert towers > 0


@pytest.mark.parametrize("seed", range(4))
def test_a_table_full_of_boards_has_them_side_by_side(seed: int) -> None:
    taken = plate(np.random.default_rng(seed), paint.shelf(3, 2, 2), sizes=[(400, 300)], full=1.0)
    shapes = [town.corners.astype(np.float32) for town in taken.towns]
    assert len(shapes) > 1
    for index, one in enumerate(shapes):
        for other in shapes[:index]:
            assert cv2.intersectConvexConvex(one, other)[0] < 0.02 * cv2.contourArea(one)


def test_material_for_training_has_the_shapes_the_networks_take() -> None:
    into: dict[str, list[Any]] = {kind: [] for kind in dataset.KINDS}
    rng = np.random.default_rng(4)
    for seed in (1, 2, 3):
        dataset.cut(rng, drawn(seed), into)
    assert len(into["patches"]) == len(into["labels"]) == len(into["tops"]) > 0
    assert all(board.shape == (16, rectify.PATCH, rectify.PATCH, 4) for board in into["patches"])


def test_squares_under_a_hand_or_outside_the_picture_have_no_label() -> None:
    taken, rng = drawn(1), np.random.default_rng(4)
    town = taken.towns[0]
    town.hidden[5] = 0.9
    _, labels, tops = dataset.squares_of(rng, taken.image, town)
    assert labels[5] == dataset.UNSEEN
    assert labels[4] == LABELS.index(town.grid[4])
    assert len(tops) == 16 and all(len(counts) == len(CUBES) for counts in tops)
    half = taken.image[:, : int(town.corners[:, 0].mean())]
    _, labels, _ = dataset.squares_of(rng, half, town)
    assert 4 <= labels.count(dataset.UNSEEN) <= 14


def test_the_networks_are_small() -> None:
    assert sum(file.stat().st_size for file in MODELS.glob("*.onnx")) < 8_000_000


def test_photos_are_made_with_a_truth_that_can_be_evaluated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["photos", str(tmp_path), "--count", "1", "--seed", "5"])
    importlib.import_module("vision.training.photos").main()
    truth = json.loads((tmp_path / "truth.json").read_text())
    assert sorted(truth) == ["00.jpg"]
    assert set(json.loads((PHOTOS / "truth.json").read_text())["00.jpg"]) == set(truth["00.jpg"])


@pytest.mark.parametrize("label", LABELS[1:])
@pytest.mark.parametrize("way", [0.0, 1.0, 2.5, 5.0])
def test_a_leaning_piece_stands_on_an_edge_and_keeps_its_shape(label: str, way: float) -> None:
    upright = pieces.make(np.random.default_rng(1), label, (1.5, 2.5, 0), 0.4)
    towards = np.array([np.cos(way), np.sin(way)])
    tilted = pieces.leaned(upright, towards, 0.4)
    before, after = np.vstack(upright.faces), np.vstack(tilted.faces)
    assert after[:, 2].min() == pytest.approx(0, abs=1e-9)
    assert (after[:, :2] @ towards).max() > (before[:, :2] @ towards).max()
    assert np.linalg.norm(after[0] - after, axis=1) == pytest.approx(np.linalg.norm(before[0] - before, axis=1))
    for face, normal in zip(tilted.faces, tilted.normals, strict=True):
        assert (face - face[0]) @ normal == pytest.approx(np.zeros(len(face)), abs=1e-6)


def test_pieces_stand_on_their_own_squares_and_some_lean_on_a_neighbour() -> None:
    leaning, shelf = 0, paint.shelf(3, 2, 2)
    for seed in range(20):
        rng, size = np.random.default_rng(seed), (400, 300)
        scene = Scene(rng, size, camera(rng, size, 0.8, 50), shelf)
        spin = scene.board((0.0, 0.0), 0.0)
        scene.build((0.0, 0.0), spin, scene.towns[0], 1.0)
        town = scene.towns[0]
        on_ground = [solid for solid in scene.solids if solid.base[2] == 0]
        assert len(on_ground) == 16
        for index, solid in enumerate(on_ground):
            assert solid.label == town.grid[index]
            off = solid.base[:2] - np.array(divmod(index, 4)) - 0.5
            assert np.abs(off).max() <= OFF
            leaning += bool(0.01 < abs(solid.normals[-1, 2]) < 0.99)  # its front is neither upright nor level
    assert leaning > 0


def spotted() -> Plate:
    """A black plate whose one board has a white spot on each corner."""
    corners = np.array([(120, 90), (300, 100), (330, 260), (90, 250)], float)
    image = np.zeros((360, 420, 3), np.uint8)
    for x, y in corners.astype(int):
        cv2.circle(image, (int(x), int(y)), 9, (255, 255, 255), -1)
    return Plate(image, [Town(corners, ["empty"] * 16)], 1.0, 0.1)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("change", [phone._turned, phone._cropped])
def test_corners_go_where_turning_and_cutting_take_them(change: Any, seed: int) -> None:
    plate = spotted()
    image = change(np.random.default_rng(seed), plate.image, plate.towns)
    high, wide = image.shape[:2]
    for x, y in plate.towns[0].corners:
        if 6 < x < wide - 6 and 6 < y < high - 6:
            assert image[int(y), int(x)].min() > 200


def test_squares_beyond_the_cut_are_told_to_be_hidden() -> None:
    hidden = 0
    for seed in range(30):
        plate = spotted()
        image = phone._cropped(np.random.default_rng(seed), plate.image, plate.towns)
        town, size = plate.towns[0], np.array(image.shape[1::-1])
        middles = (
            rectify.plane_of(town.corners, SHAPE) @ np.array([(i % 4 + 0.5, i // 4 + 0.5, 1) for i in range(16)]).T
        )
        outside = ~((middles[:2] / middles[2] > 0).all(0) & (middles[:2].T / middles[2][:, None] < size).all(1))
        assert all(town.hidden[i] == 1 for i in np.flatnonzero(outside))
        hidden += sum(outside)
    assert hidden > 0


def test_a_plate_is_kept_and_photographed_anew_each_time(tmp_path: Path) -> None:
    taken = plate(np.random.default_rng(21), paint.shelf(3, 2, 2))
    taken.towns[0].on_top[3] = ["cube_wheat"]
    taken.towns[0].hidden[5] = 0.75
    taken.towns.append(Town(taken.towns[0].corners + 9, [], is_decoy=True))
    corners = [town.corners.copy() for town in taken.towns]
    renders.save(taken, tmp_path / "0001-00000")
    kept = renders.load(tmp_path / "0001-00000.json")
    assert np.array_equal(kept.image, taken.image)
    for one, two in zip(kept.towns, taken.towns, strict=True):
        assert np.array_equal(one.corners, two.corners)
        assert (one.grid, one.on_top, one.hidden) == (two.grid, two.on_top, two.hidden)
    assert [town.is_decoy for town in kept.towns] == [town.is_decoy for town in taken.towns]
    assert (kept.shrink, kept.blur) == (taken.shrink, taken.blur)
    first, second = (photographed(np.random.default_rng(seed), kept) for seed in (1, 2))
    assert first.image.shape != second.image.shape or not np.array_equal(first.image, second.image)
    assert all(np.array_equal(town.corners, old) for town, old in zip(kept.towns, corners, strict=True))


class Painter:
    """A studio that draws, so that the renders' book-keeping can be tried without Blender."""

    made = 0

    def __enter__(self) -> Painter:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing to stop."""

    def plate(self, *_: object) -> Plate:
        Painter.made += 1
        return Plate(spotted().image, spotted().towns, 0.5, 1.0)


def test_rendering_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(renders, "Studio", Painter)
    monkeypatch.setattr(paint, "shelf", lambda _: {})
    monkeypatch.setattr(Painter, "made", 0)
    assert [done for _, done in renders.render(tmp_path, 7, 4)] == [1, 2, 3, 4]
    (tmp_path / "0007-00002.json").unlink()
    assert [stem.name for stem, _ in renders.render(tmp_path, 7, 5)] == ["0007-00002", "0007-00004"]
    assert Painter.made == 6
    assert [words.stem for words in renders.plates(tmp_path, aside=False)] == [f"0007-0000{k}" for k in range(5)]
    assert renders.plates(tmp_path, aside=True) == []


def test_crowded_tables_are_rendered_on_demand_and_decoys_are_no_boards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Crowded(Painter):
        def crowded_plate(self, *_: object) -> Plate:
            board = spotted().towns[0]
            return Plate(spotted().image, [board, Town(board.corners, [], is_decoy=True)], 0.8, 0.6)

    monkeypatch.setattr(renders, "Studio", Crowded)
    monkeypatch.setattr(paint, "shelf", lambda _: {})
    assert [done for _, done in renders.render(tmp_path, 7, 2, crowded=True)] == [1, 2]
    assert renders.load(tmp_path / "0007-00000.json").towns[1].is_decoy


@pytest.mark.parametrize("seed", range(3))
def test_a_table_to_learn_pieces_from_has_several_boards(seed: int) -> None:
    laid = crowd.plate(np.random.default_rng(seed), paint.shelf(3, 2, 2), least=2)
    assert sum(not town.is_decoy for town in laid.towns) >= 2


def test_blinds_throw_bars_of_shade() -> None:
    barred = crowd.blinds(np.random.default_rng(4), np.full((120, 160, 3), 200, np.uint8))
    assert barred.max() > 180 and barred.min() < 170
    along = barred[60, :, 1].astype(int) - int(barred[..., 1].mean())
    down = barred[:, 80, 1].astype(int) - int(barred[..., 1].mean())
    assert max((np.diff(np.sign(line)) != 0).sum() for line in (along, down)) >= 3


def test_material_and_photos_come_from_plates_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in (8, 9, 10):
        renders.save(plate(np.random.default_rng(number + 14), paint.shelf(3, 2, 2)), tmp_path / f"0001-000{number:02}")
    taken = []

    def noted(rng: np.random.Generator, plate: Plate, harsh: bool = True) -> phone.Picture:
        taken.append(plate)
        return photographed(rng, plate, harsh)

    for module, more in (("dataset", ["--times", "2"]), ("photos", ["--count", "5"])):
        out = tmp_path / module
        monkeypatch.setattr(f"vision.training.{module}.photographed", noted)
        monkeypatch.setattr("sys.argv", [module, str(out), "--plates", str(tmp_path), *more])
        importlib.import_module(f"vision.training.{module}").main()
    (file,) = (tmp_path / "dataset").glob("*.npz")
    assert np.load(file)["labels"].shape[1:] == (16,)
    assert len(taken) == 4 + 1  # 8 and 10 twice each for learning; 9 is set aside
    assert sorted(json.loads((tmp_path / "photos" / "truth.json").read_text())) == ["00.jpg"]  # 9 is set aside


@pytest.mark.parametrize("seed", range(6))
def test_a_crowded_table_has_its_boards_apart_and_says_what_only_looks_like_one(seed: int) -> None:
    taken = crowd.crowd(np.random.default_rng(seed), paint.shelf(3, 2, 2))
    boards = [town for town in taken.towns if not town.is_decoy]
    assert taken.towns[: len(boards)] == boards
    shapes = [town.corners.astype(np.float32) for town in boards]
    for index, one in enumerate(shapes):
        assert cv2.isContourConvex(one)
        for other in shapes[:index]:
            assert cv2.intersectConvexConvex(one, other)[0] < 0.05 * cv2.contourArea(one)


def test_crowded_photos_are_evaluable_and_go_on_where_they_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for first in ("0", "2"):
        words = ["photos", str(tmp_path), "--count", "2", "--crowded", "1", "--from", first]
        monkeypatch.setattr("sys.argv", words)
        importlib.import_module("vision.training.photos").main()
    truth = json.loads((tmp_path / "truth.json").read_text())
    assert sorted(truth) == [f"0{number}.jpg" for number in range(4)]
    assert any("decoys" in words for words in truth.values())
    rng = np.random.default_rng(1)
    for name, words in truth.items():
        image = np.asarray(cv2.imread(str(tmp_path / name)), np.uint8)
        look, corners = looks.whole(rng, image, words, 512)
        assert look.shape == (512, 512, 3) and len(corners) == len(words["boards"])
        for near, _ in looks.close(rng, image, words):
            assert near.shape == (CLOSE, CLOSE, 3)


def test_a_messenger_moves_the_corners_with_the_picture() -> None:
    plate = spotted()
    large = cv2.resize(plate.image, None, fx=3, fy=3)
    towns = [Town(town.corners * 3, town.grid) for town in plate.towns]
    sent = crowd.messaged(np.random.default_rng(2), phone.Picture(np.asarray(large, np.uint8), towns))
    high, wide = sent.image.shape[:2]
    assert wide < 1260
    inside = [(x, y) for x, y in sent.towns[0].corners if 9 < x < wide - 9 and 9 < y < high - 9]
    assert inside and all(sent.image[int(y), int(x)].min() > 150 for x, y in inside)


def test_satin_brightens_some_squares_and_leaves_the_others() -> None:
    art = np.full((paint.BOARD_SIDE, paint.BOARD_SIDE, 3), 90, np.uint8)
    assert np.array_equal(crowd.satin(np.random.default_rng(1), art, 0.0), art)
    mirrored = crowd.satin(np.random.default_rng(1), art, 0.3)
    assert mirrored.max() > 130 and (mirrored >= art).all()
    assert (mirrored == art).mean() > 0.3


UNLEARNED = [kind for kinds in cloths.UNLEARNED.values() for kind in kinds]


@pytest.mark.parametrize("kind", [*cloths.KINDS, *UNLEARNED, cloths.cloth])
def test_cloths_fill_a_table(kind: Any) -> None:
    assert kind(np.random.default_rng(1)).shape == (paint.TABLE_SIDE, paint.TABLE_SIDE, 3)


@pytest.mark.parametrize("seed", range(20))
def test_no_decoy_is_a_board_of_ours(seed: int) -> None:
    """A grid of four by four has marks or several fills, which no plot of soil has."""
    art = decoys.grid(np.random.default_rng(seed))
    cells = (np.array(art.shape[:2]) / decoys.UNIT).astype(int)
    if tuple(cells) == (4, 4):
        middles = art[decoys.UNIT // 2 :: decoys.UNIT, decoys.UNIT // 2 :: decoys.UNIT].reshape(-1, 3).astype(int)
        assert np.ptp(middles, axis=0).max() > 20


def test_a_crowded_table_is_rendered_with_its_cloth_and_its_boards() -> None:
    boards = 0
    for seed in range(4):
        told = Desk()

        def staged(rng: np.random.Generator, size: tuple[int, int], lens: Any, shelf: Any, by: Desk = told) -> Any:
            return StagedCrowd(by, rng, size, lens, shelf)

        taken = crowd.crowd(np.random.default_rng(seed), paint.shelf(3, 2, 2), staged, [(400, 300)])
        here = [town for town in taken.towns if not town.is_decoy]
        assert len(told.scene["sheets"]) >= 1 + len(here)
        boards += len(here)
    assert boards > 0


@pytest.mark.parametrize("step", steps.STEPS)
def test_every_command_of_a_step_is_one_that_there_is(step: str, tmp_path: Path) -> None:
    for module, *words in steps.commands(step, tmp_path, 5):
        found = importlib.util.find_spec(module)
        assert found is not None and found.origin is not None
        learning = importlib.util.find_spec("vision.training.learning")
        assert learning is not None and learning.origin is not None
        source = "".join(Path(file).read_text("utf-8") for file in (found.origin, learning.origin))
        for word in words:
            assert "{" not in word
            assert not word.startswith("--") or f'"{word}"' in source
