"""WORDPL: Wordle whose clues pass a differentially private channel; every clue costs budget.

`game` has the rules, `belief` the exact posterior, `strategies` and `budget` the players,
`evaluation` the scores. The game is Oblivious' and the contest Damien Desfontaines' (2025).
"""
