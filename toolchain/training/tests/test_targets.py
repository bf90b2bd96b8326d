"""What the classifier is told to say of each face."""

import pytest

torch = pytest.importorskip("torch")

from training.faces import read_faces  # noqa: E402
from training.train_classifier import EAGLE_SIDES, soft_targets  # noqa: E402


def test_targets_are_probabilities_and_every_face_is_most_likely_itself() -> None:
    target = soft_targets(read_faces())
    assert torch.allclose(target.sum(dim=1), torch.ones(len(target)))
    assert target.argmax(dim=1).tolist() == list(range(len(target)))


def test_faces_that_differ_in_size_alone_are_not_told_apart_surely_enough_to_be_named() -> None:
    faces = read_faces()
    names = [face.name for face in faces]
    target = soft_targets(faces)
    for alike in EAGLE_SIDES:
        for name in alike:
            assert name in names
            assert target[names.index(name), names.index(name)] < 0.8
