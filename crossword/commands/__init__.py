"""The commands of `crossword`, a module each; heavy packages are imported inside them only."""
