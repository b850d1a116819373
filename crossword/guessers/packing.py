"""Compiling where sixteen neighbouring sums are to become one vector, written out one by one.

LLVM packs them when it is let (superword-level parallelism, Larsen and Amarasinghe 2000); numba
doesn't let it unless told for all there is, so it is told for one function and while that one is
compiled. Sums keep their order, so nothing here allows for another: reordered ones are not packed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from threading import Lock
from typing import Any

import numba

_SETTINGS: Any = numba.config
_COMPILING = Lock()  # so that nobody puts numba's setting back too early


def packed(signature: Any) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A kernel of loops in parallel, compiled for the types told when it is first called."""

    def decorate(kernel: Callable[..., None]) -> Callable[..., None]:
        @cache
        def compiled() -> Callable[..., None]:
            with _COMPILING:
                before = _SETTINGS.SLP_VECTORIZE
                _SETTINGS.SLP_VECTORIZE = 1
                try:
                    found: Callable[..., None] = numba.njit(
                        signature, parallel=True, cache=True, nogil=True
                    )(kernel)
                finally:
                    _SETTINGS.SLP_VECTORIZE = before
            return found

        return lambda *arrays: compiled()(*arrays)

    return decorate
