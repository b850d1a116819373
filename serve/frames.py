"""Frames between the service and its workers: a JSON header and a body of bytes, over a socket.

Two lengths, the header, the body. No pickle: a worker that a hostile file has taken over can send
nothing but data.
"""

from __future__ import annotations

import asyncio
import json
import socket
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_LENGTHS = struct.Struct(">II")
MAX_FRAME = 64 * 2**20  # far above any answer; a bound on what a broken peer can make us hold


@dataclass(frozen=True, slots=True)
class Frame:
    """A message. `header["kind"]` says which."""

    header: Mapping[str, Any]
    body: bytes = b""

    @property
    def kind(self) -> str:
        return str(self.header.get("kind", ""))

    def encoded(self) -> bytes:
        header = json.dumps(self.header).encode()
        return _LENGTHS.pack(len(header), len(self.body)) + header + self.body


class PeerGone(EOFError):
    """The other end has closed, or sends what is no frame."""


def _lengths(data: bytes) -> tuple[int, int]:
    header, body = _LENGTHS.unpack(data)
    if header + body > MAX_FRAME:
        raise PeerGone("a frame too large")
    return header, body


def _exactly(sock: socket.socket, count: int) -> bytes:
    parts = bytearray()
    while len(parts) < count:
        part = sock.recv(min(count - len(parts), 2**20))
        if not part:
            raise PeerGone("closed")
        parts += part
    return bytes(parts)


def receive(sock: socket.socket) -> Frame:
    """The next frame of a blocking socket."""
    return receive_with_descriptor(sock, 0)[0]


def receive_with_descriptor(sock: socket.socket, most: int = 1) -> tuple[Frame, list[int]]:
    """The next frame, and a file descriptor that came with it."""
    descriptors: list[int] = []
    try:
        if most:
            first, descriptors, _, _ = socket.recv_fds(sock, _LENGTHS.size, most)
        else:
            first = sock.recv(_LENGTHS.size)
        if not first:
            raise PeerGone("closed")
        first += _exactly(sock, _LENGTHS.size - len(first))
        header, body = _lengths(first)
        return Frame(json.loads(_exactly(sock, header)), _exactly(sock, body)), descriptors
    except ConnectionError as error:
        raise PeerGone(str(error)) from None


async def read(reader: asyncio.StreamReader) -> Frame:
    """The next frame of a stream."""
    try:
        header, body = _lengths(await reader.readexactly(_LENGTHS.size))
        return Frame(json.loads(await reader.readexactly(header)), await reader.readexactly(body))
    except (asyncio.IncompleteReadError, ConnectionError) as error:
        raise PeerGone(str(error)) from None
