"""Solvers for word games: a vocabulary with a prior, evidence that changes it, and the next best
question. `wordgames.wordle`, `wordgames.wordpl` and `wordgames.contexto` are each a game on the
shared core (words, replies, posterior, strategy, simulation, plots). Nothing loads at import.
"""
