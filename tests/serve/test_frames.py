from __future__ import annotations

import asyncio
import os
import socket
import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from serve.frames import Frame, PeerGone, read, receive, receive_with_descriptor

JSON = st.dictionaries(st.text(), st.none() | st.integers() | st.text() | st.lists(st.text()))


@settings(deadline=None)  # a busy machine may take its time
@given(JSON, st.binary(max_size=5000))
def test_a_frame_comes_out_as_it_went_in(header: dict[str, object], body: bytes) -> None:
    here, there = socket.socketpair()
    with here, there:
        here.sendall(Frame(header, body).encoded())
        assert receive(there) == Frame(header, body)


def test_frames_follow_one_another_in_a_stream() -> None:
    async def both() -> list[Frame]:
        reader = asyncio.StreamReader()
        reader.feed_data(Frame({"a": 1}, b"x").encoded() + Frame({"b": 2}).encoded())
        return [await read(reader), await read(reader)]

    assert asyncio.run(both()) == [Frame({"a": 1}, b"x"), Frame({"b": 2})]


def test_a_descriptor_comes_with_its_frame() -> None:
    here, there = socket.socketpair()
    read_end, write_end = os.pipe()
    with here, there:
        socket.send_fds(here, [Frame({"kind": "fork"}).encoded()], [write_end])
        frame, [descriptor] = receive_with_descriptor(there)
        assert frame.kind == "fork"
        os.write(descriptor, b"through")
        assert os.read(read_end, 10) == b"through"
    for number in (read_end, write_end, descriptor):
        os.close(number)


@pytest.mark.parametrize("sent", [b"", b"\0\0", struct.pack(">II", 50, 0) + b"{"])
def test_a_peer_that_stops_is_gone(sent: bytes) -> None:
    here, there = socket.socketpair()
    with there:
        with here:
            here.sendall(sent)
        with pytest.raises(PeerGone):
            receive(there)


def test_a_frame_too_large_is_not_waited_for() -> None:
    here, there = socket.socketpair()
    with here, there:
        here.sendall(struct.pack(">II", 2**31, 2**31))
        with pytest.raises(PeerGone):
            receive(there)
