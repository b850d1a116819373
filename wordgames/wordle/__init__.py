"""Wordle in any alphabet, for programs:

    from wordgames.wordle import Wordle, review, suggest
    game = Wordle()                                   # the classic lists, standard replies
    advice = suggest(game, [("soare", "00110")])      # best guesses, and what remains
    report = review(game, ["soare", "clint"], "wince")

Reply digits: 0 grey, 1 yellow, 2 green.
"""

from wordgames.wordle.boards import simulate_boards
from wordgames.wordle.evaluation import Evaluation, evaluate
from wordgames.wordle.game import Position, Wordle
from wordgames.wordle.openers import Opener, openers
from wordgames.wordle.review import Review, review
from wordgames.wordle.strategies import STRATEGIES, WordleStrategy
from wordgames.wordle.suggestions import Advice, Suggestion, suggest, suggest_for_boards

__all__ = [
    "STRATEGIES",
    "Advice",
    "Evaluation",
    "Opener",
    "Position",
    "Review",
    "Suggestion",
    "Wordle",
    "WordleStrategy",
    "evaluate",
    "openers",
    "review",
    "simulate_boards",
    "suggest",
    "suggest_for_boards",
]
