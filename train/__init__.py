"""Training, apart from the inference package: a script for each part of a model folder.

`train.command` runs them all; each is runnable alone (`python -m train.tfidf --help`).
"""
