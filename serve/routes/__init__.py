"""The routes, a module a subject; each has a `router`."""
