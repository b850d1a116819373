"""Everything that can go wrong for a player, as one tree; each message is one line that says
what to do. The command line prints the message alone, never a trace.

    WordGameError
    ├── InputError            what a person typed
    │   ├── UnknownWordError      a word that is not in the list (with the nearest ones)
    │   ├── ReplyError            a reply of the wrong length or with unknown signs
    │   ├── ImpossibleHistoryError  replies that no word fits, and which ones disagree
    │   └── UnknownNameError      a strategy, rule or alphabet nobody registered
    └── DataError             a word list or model file that cannot be read
"""

from __future__ import annotations


class WordGameError(Exception):
    """Any error whose message is meant for the player."""


class InputError(WordGameError, ValueError):
    """What a person typed cannot be used."""


class UnknownWordError(InputError):
    """A word is not in the vocabulary."""


class ReplyError(InputError):
    """A reply has the wrong length or unknown signs."""


class ImpossibleHistoryError(InputError):
    """No word fits all replies."""


class UnknownNameError(InputError):
    """A name is not registered; the message lists those that are."""


class DataError(WordGameError):
    """A file cannot be read, or does not hold what it should."""
