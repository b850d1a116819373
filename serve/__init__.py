"""The HTTP service: FastAPI in front, worker processes behind, no state of its own.

`app.create_app(settings)` makes the ASGI application, `server.run(settings)` serves it. The way of
a request: middleware → routes → pool (queue) → worker (jobs), and back as JSON bytes.
"""
