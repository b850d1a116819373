from __future__ import annotations

import pytest

from wordgames.errors import UnknownNameError
from wordgames.strategy import Registry


def test_an_unknown_name_lists_the_known_ones() -> None:
    names: Registry[object] = Registry("strategy", {"one": dict, "two": list})
    with pytest.raises(UnknownNameError, match=r"no strategy called 'three'.*one, two"):
        names.create("three")


def test_entries_load_when_asked_for_and_can_be_added() -> None:
    names: Registry[object] = Registry("thing", {"broken": "no.such.module:thing"})
    names.register("counter", "collections:Counter")
    assert names.names() == ["broken", "counter"]
    assert names.create("counter", "aab") == {"a": 2, "b": 1}
    with pytest.raises(ModuleNotFoundError):
        names.create("broken")
