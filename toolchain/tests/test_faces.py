"""The renderer's table of faces and the training's speak of the same coins."""

from __future__ import annotations

from renderer import FACES
from training.faces import FOREIGN, NOT_A_COIN, read_faces


def test_the_renderer_draws_every_face_told_apart_at_its_value_and_size() -> None:
    told_apart = {
        face.name: (face.value, face.withdrawn, face.diameter)
        for face in read_faces()
        if face.kind not in (FOREIGN, NOT_A_COIN)
    }
    drawn = {face.name: (face.value, face.withdrawn, face.diameter) for face in FACES.values()}
    assert drawn == told_apart
