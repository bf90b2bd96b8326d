"""Names for the array types the renderer passes about."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float32]
"""float32, any shape: heights, light, colours."""

Bytes: TypeAlias = npt.NDArray[np.uint8]
"""uint8, any shape: masks and finished pictures."""

Points: TypeAlias = npt.NDArray[np.float64]
"""float64 [count, 2]: positions as x, y."""
