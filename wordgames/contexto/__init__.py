"""Contexto: the hidden word is found from ranks of meaning; rank 1 is the word.

`model` holds what the solver knows (vectors, prior, likelihood), `bayes` and `halving` are the
strategies, `solver.proposals` is the call a web service makes, `judge` stands in for the game.
"""
