"""The table of faces: what each is worth, measures, is made of, and who strikes it."""

from __future__ import annotations

from dataclasses import dataclass

from . import designs, older, portraits, strangers
from .parts import Draw


@dataclass(frozen=True)
class Face:
    """One side of one series of one denomination."""

    name: str
    value: int
    """Rupiah; 0 for what is not rupiah."""
    withdrawn: bool
    diameter: float
    """Millimetres."""
    thickness: float
    """Millimetres."""
    metal: str
    draw: Draw
    outline: str = "round"
    """round, scalloped (Rp500 1991) or cap (a crown cap)."""
    dies: int = 0
    """How many dies are cut of it; 0 for as many as usual."""


_G = designs.garuda_side
FACES: dict[str, Face] = {
    face.name: face
    for face in [
        Face("50-1971-bird", 50, True, 24, 1.7, "cupronickel", older.bird_of_paradise),
        Face("50-1971-number", 50, True, 24, 1.7, "cupronickel", older.number("50", "1971")),
        Face("50-1991-garuda", 50, True, 19.95, 1.8, "bronze",
             _G("serif-bold", tuple(range(1991, 1999)), 0.92, -0.06, 0.12, 0.68)),
        Face("50-1991-komodo", 50, True, 19.95, 1.8, "bronze", older.komodo),
        Face("100-1973-house", 100, True, 28.5, 2.0, "cupronickel", older.house_1973),
        Face("100-1973-number", 100, True, 28.5, 2.0, "cupronickel", older.number("100", "1973")),
        Face("100-1978-house", 100, True, 28.5, 2.0, "cupronickel", older.house_1978),
        Face("100-1978-wayang", 100, True, 28.5, 2.0, "cupronickel", older.wayang),
        Face("100-1991-bulls", 100, True, 22, 1.8, "bronze", older.bulls),
        Face("100-1991-garuda", 100, True, 22, 1.8, "bronze", older.garuda_1991),
        Face("50-1999-garuda", 50, False, 20, 2.0, "aluminium",
             _G("serif-bold", (1999, 2001, 2002), 0.92, -0.06, 0.13, 0.66)),
        Face("50-1999-oriole", 50, False, 20, 2.0, "aluminium", designs.oriole),
        Face("100-1999-garuda", 100, False, 23, 2.0, "aluminium",
             _G("serif-bold", (1999, 2000, 2001, 2003, 2004, 2005), 0.94, -0.05, 0.12, 0.66)),
        Face("100-1999-cockatoo", 100, False, 23, 2.0, "aluminium", designs.cockatoo),
        Face("100-2016-portrait", 100, False, 23, 2.0, "aluminium",
             designs.portrait_2016(portraits.JOHANNES, "Prof. Dr. Ir. HERMAN JOHANNES", 122)),
        Face("100-2016-number", 100, False, 23, 2.0, "aluminium", designs.number_2016("100")),
        Face("200-2003-garuda", 200, False, 25, 2.3, "aluminium",
             _G("serif-bold", (2003,), 0.96, -0.03, 0.13, 0.67)),
        Face("200-2003-starling", 200, False, 25, 2.3, "aluminium", designs.starling),
        Face("200-2016-portrait", 200, False, 25, 2.3, "aluminium",
             designs.portrait_2016(portraits.MANGUNKUSUMO, "Dr. TJIPTOMANGUNKUSUMO", 102)),
        Face("200-2016-number", 200, False, 25, 2.3, "aluminium", designs.number_2016("200")),
        Face("500-1991-garuda", 500, True, 24, 1.8, "bronze", designs.garuda_1991, "scalloped"),
        Face("500-1991-jasmine", 500, True, 24, 1.8, "bronze", designs.jasmine_1991, "scalloped"),
        Face("500-1997-garuda", 500, True, 24, 1.83, "bronze",
             _G("old-style-bold", (1997, 2000, 2001, 2002, 2003), 0.96, -0.05, 0.11, 0.7,
                radius=0.88, sweep=100)),
        Face("500-1997-jasmine", 500, True, 24, 1.83, "bronze", designs.jasmine_1997),
        Face("500-2003-garuda", 500, False, 27, 2.5, "aluminium",
             _G("serif-bold", (2003, 2008), 1.0, 0.0, 0.13, 0.69)),
        Face("500-2003-jasmine", 500, False, 27, 2.5, "aluminium", designs.jasmine_2003),
        Face("500-2016-portrait", 500, False, 27.2, 2.35, "aluminium",
             designs.portrait_2016(portraits.SIMATUPANG, "LETJEN TNI T.B. SIMATUPANG", 108)),
        Face("500-2016-number", 500, False, 27.2, 2.35, "aluminium", designs.number_2016("500")),
        Face("1000-1993-garuda", 1000, True, 26, 2.4, "bimetal", designs.garuda_1993),
        Face("1000-1993-palm", 1000, True, 26, 2.4, "bimetal", designs.palm),
        Face("1000-2010-number", 1000, False, 24.15, 1.6, "nickel", designs.number_2010),
        Face("1000-2010-angklung", 1000, False, 24.15, 1.6, "nickel", designs.angklung),
        Face("1000-2016-portrait", 1000, False, 24.1, 1.6, "nickel",
             designs.portrait_2016(portraits.PUDJA, "Mr. I GUSTI KETUT PUDJA", 96)),
        Face("1000-2016-number", 1000, False, 24.1, 1.6, "nickel", designs.number_2016("1000")),
    ]
}
"""The rupiah faces by name: value, series, side."""

OTHERS: dict[str, Face] = {
    face.name: face
    for face in [
        Face("foreign", 0, False, 23, 1.9, "any", strangers.foreign),
        Face("washer", 0, False, 22, 1.5, "steel", strangers.washer),
        Face("button", 0, False, 20, 3.0, "plastic", strangers.button),
        Face("cap", 0, False, 30, 6.0, "painted", strangers.cap, "cap"),
    ]
}
"""Coin-like things that are not rupiah; their metal, size and design are drawn by lot."""

