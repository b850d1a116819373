"""Puzzles of our own, and corpora: collections of puzzles as one dataset of clues and answers.

`load_corpus` reads collections (cached on disk), joins those that overlap, and gives a Hugging
Face dataset; `splits` cuts it into what may be trained on and what is kept to be tested on.
"""
