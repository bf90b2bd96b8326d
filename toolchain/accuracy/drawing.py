"""Draws misses onto photographs, and the reliability curve."""

from __future__ import annotations

from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from accuracy.score import RIGHT, PictureScore, value_name
from accuracy.statistics import Bin
from training.labels import read_picture

_COLOURS = {
    "right": (0, 190, 0),
    "wrong": (235, 0, 0),
    "unsure": (255, 160, 0),
    "missed": (200, 0, 255),
}
_INVENTED = (0, 170, 255)


def draw_faults(data: Path, scores: list[PictureScore], folder: Path) -> list[Path]:
    """One annotated picture for every photograph with a fault; the files written."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.png"):
        old.unlink()
    written = []
    for picture in scores:
        if not picture.faulty:
            continue
        image = Image.fromarray(read_picture(data / picture.truth.name))
        scale = min(1.0, 1600 / max(image.size))
        image = image.resize((round(image.width * scale), round(image.height * scale)))
        draw = ImageDraw.Draw(image)
        font = ImageFont.load_default(max(12, image.width // 60))
        line = max(2, image.width // 400)
        for coin in picture.coins:
            truth = coin.truth
            box = [truth.left, truth.top, truth.left + truth.width, truth.top + truth.height]
            colour = _COLOURS[coin.outcome]
            draw.ellipse([v * scale for v in box], outline=colour, width=line)
            label = value_name(truth.value, truth.face.withdrawn)
            if coin.outcome != RIGHT:
                said = coin.outcome
                if coin.found is not None:
                    find = coin.found
                    said = f"{value_name(find.value, find.withdrawn)} {find.confidence:.2f}"
                label = f"{truth.face.name} -> {said}"
            draw.text((box[0] * scale, truth.centre[1] * scale), label, colour, font)
        for find in picture.invented:
            x, y, r = find.x * scale, find.y * scale, find.diameter / 2 * scale
            draw.ellipse((x - r, y - r, x + r, y + r), outline=_INVENTED, width=line)
            draw.text((x - r, y), f"invented {find.value}", _INVENTED, font)
        head = f"total {picture.total}, truth {picture.truth.total}"
        draw.text((4, 4), head, _COLOURS["right" if picture.exact else "wrong"], font)
        path = folder / (picture.truth.name.replace("/", "_").rsplit(".", 1)[0] + ".png")
        image.save(path)
        written.append(path)
    return written


def draw_reliability(bins: list[Bin], path: Path) -> None:
    """The reliability curve: share right over confidence, with the number of coins."""
    side, edge = 480, 48
    image = Image.new("RGB", (side + 2 * edge, side + 2 * edge), "white")
    draw = ImageDraw.Draw(image)
    font = ImageFont.load_default(14)

    def point(confidence: float, share: float) -> tuple[float, float]:
        return edge + confidence * side, edge + (1 - share) * side

    for step in range(11):
        share = step / 10
        draw.line([point(0, share), point(1, share)], (228, 228, 228))
        draw.line([point(share, 0), point(share, 1)], (228, 228, 228))
        if step % 2 == 0:
            draw.text((8, point(0, share)[1] - 8), f"{share:.1f}", "black", font)
            draw.text((point(share, 0)[0] - 8, edge + side + 8), f"{share:.1f}", "black", font)
    draw.line([point(0, 0), point(1, 1)], (150, 150, 150), 2)
    corners = [point(b.confidence, b.right / b.count) for b in bins]
    if len(corners) > 1:
        draw.line(corners, (0, 90, 200), 3)
    for b, (x, y) in zip(bins, corners, strict=True):
        draw.ellipse((x - 5, y - 5, x + 5, y + 5), (0, 90, 200))
        draw.text((x + 7, y + 4), str(b.count), (90, 90, 90), font)
    draw.text((edge, 12), "share right over confidence; numbers are coins", "black", font)
    path.parent.mkdir(parents=True, exist_ok=True)
    image.save(path)
