"""Pictures of coloured shapes, each drawn from a seed."""

import io
import math
import random
from dataclasses import dataclass
from types import MappingProxyType

from PIL import Image, ImageDraw

WIDTH, HEIGHT = 320, 240
# Drawn larger and averaged, for smooth edges that every Pillow draws alike.
_ENLARGED = 4
_MARGIN = 8
_ATTEMPTS = 60
_SMALL, _LARGE = (14, 20), (32, 44)
_SHADE = 10
_RING_WIDTH = 0.45
_STAR_WAIST = 0.45
_CORNERS = MappingProxyType({"circle": 72, "square": 4, "triangle": 3, "star": 10})

COLOURS = {
    "red": (214, 40, 48),
    "orange": (240, 124, 24),
    "yellow": (244, 214, 34),
    "green": (46, 150, 70),
    "blue": (38, 92, 196),
    "purple": (130, 62, 160),
}
KINDS = tuple(_CORNERS)
_GROUNDS = {
    "white": (250, 250, 250),
    "cream": (248, 240, 222),
    "pale grey": (226, 228, 232),
    "pale blue": (222, 234, 246),
    "pale pink": (248, 228, 232),
}

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Shape:
    """One thing in a picture; its radius is that of the circle around it."""

    kind: str
    colour: str
    x: float
    y: float
    radius: float
    is_hollow: bool = False


@dataclass(frozen=True, slots=True)
class Scene:
    """What is in a picture; a model never sees this."""

    shapes: tuple[Shape, ...]
    ground: str
    grain: int

    @property
    def alt_text(self) -> str:
        """Return what the picture is, without what a question could ask."""
        return f"Coloured shapes on a {self.ground} ground"


def make_scene(
    dice: random.Random, *, most: int = 6, hollow_share: float = 0.0, gap: float = 6.0
) -> Scene:
    """Throw a scene whose shapes do not touch.

    Args:
        dice: Decides everything; the same dice give the same scene.
        most: How many shapes there are at most; there are two at least.
        hollow_share: Which part of the shapes is a ring, a frame or an outline.
        gap: How many pixels stay free between two shapes.
    """
    wanted = dice.randint(2, most)
    shapes: list[Shape] = []
    for _ in range(_ATTEMPTS):
        if len(shapes) == wanted:
            break
        radius = dice.uniform(*dice.choice((_SMALL, _LARGE)))
        edge = radius + _MARGIN
        x, y = dice.uniform(edge, WIDTH - edge), dice.uniform(edge, HEIGHT - edge)
        shape = Shape(
            kind=dice.choice(KINDS),
            colour=dice.choice(list(COLOURS)),
            x=x,
            y=y,
            radius=radius,
            is_hollow=dice.random() < hollow_share,
        )
        if all(math.hypot(one.x - x, one.y - y) >= one.radius + radius + gap for one in shapes):
            shapes.append(shape)
    return Scene(tuple(shapes), dice.choice(list(_GROUNDS)), dice.randrange(2**32))


def draw(scene: Scene) -> bytes:
    """Return the picture as PNG; the same scene gives the same pixels."""
    dice = random.Random(scene.grain)  # noqa: S311 - drawn data, not a secret
    ground = _GROUNDS[scene.ground]
    picture = Image.new("RGB", (WIDTH * _ENLARGED, HEIGHT * _ENLARGED), ground)
    pen = ImageDraw.Draw(picture)
    for shape in scene.shapes:
        colour = _shaded(COLOURS[shape.colour], dice)
        outline = _outline(shape, turn=dice.uniform(-0.2, 0.2))
        pen.polygon([(x * _ENLARGED, y * _ENLARGED) for x, y in outline], fill=colour)
        if shape.is_hollow:
            inner = [
                (
                    (shape.x + (x - shape.x) * _RING_WIDTH) * _ENLARGED,
                    (shape.y + (y - shape.y) * _RING_WIDTH) * _ENLARGED,
                )
                for x, y in outline
            ]
            pen.polygon(inner, fill=ground)
    written = io.BytesIO()
    picture.reduce(_ENLARGED).save(written, format="PNG")
    return written.getvalue()


def _shaded(colour: tuple[int, int, int], dice: random.Random) -> tuple[int, int, int]:
    red, green, blue = (min(255, max(0, part + dice.randint(-_SHADE, _SHADE))) for part in colour)
    return red, green, blue


def _outline(shape: Shape, *, turn: float) -> list[Point]:
    """Return the corners of a shape; a circle has many."""
    corners = _CORNERS[shape.kind]
    # A star's corners lie in turn far out and near its middle.
    radii = (1.0, _STAR_WAIST if shape.kind == "star" else 1.0)
    # A square lies on its side, the others stand on a point's opposite.
    start = turn - math.pi / 2 + (math.pi / 4 if shape.kind == "square" else 0)
    reach = [shape.radius * radii[k % 2] for k in range(corners)]
    angles = [start + k * math.tau / corners for k in range(corners)]
    return [
        (shape.x + far * math.cos(angle), shape.y + far * math.sin(angle))
        for far, angle in zip(reach, angles, strict=True)
    ]
