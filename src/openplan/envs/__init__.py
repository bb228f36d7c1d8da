"""Environments for programs that learn: many matches at once, PettingZoo, Gymnasium, OpenSpiel.

    >>> from openplan.envs import VectorEnv
    >>> env = VectorEnv("human-resources", 64, seed=7)
    >>> env.observations.shape, env.masks.shape
    ((64, 1812), (64, 772))
    >>> for _ in range(1000):
    ...     env.step(env.sample())
    >>> env.finished > 500, env.cut
    (True, 0)

A decision is one step of a move; which numbers mean what is in docs/reference. What an observation
holds is what its seat may know and nothing else.
"""

try:
    import numpy as np  # noqa: F401 (all that is here needs it)
except ImportError as error:
    raise ImportError("openplan.envs needs NumPy: pip install 'openplan[envs]'") from error

from openplan.envs.setting import Setting, setting
from openplan.envs.vector import VectorEnv

__all__ = ["Setting", "VectorEnv", "setting"]
