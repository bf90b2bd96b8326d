"""A physically based renderer of rupiah coins.

Designs are height maps struck from vector shapes (`designs`), lit as metal (`metal`,
`coin`), laid on a tray and photographed (`scene`). Everything is drawn by lot from one
seeded generator: the same seed gives the same picture on the same library versions.
"""

from .coin import OUTLINE, render_coin
from .faces import FACES, OTHERS, Face
from .metal import LightRig
from .scene import Lying, Scene, Tray, Truth, render_scene, scatter

__all__ = [
    "FACES",
    "OTHERS",
    "OUTLINE",
    "Face",
    "LightRig",
    "Lying",
    "Scene",
    "Tray",
    "Truth",
    "render_coin",
    "render_scene",
    "scatter",
]
