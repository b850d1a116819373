"""The shapes of v1: what the API takes and gives, as OpenAPI describes them.

Cells are keyed `"row,col"`, counted from 0, and slots as people name them (`17A`). Requests are
checked against these models; responses are made of them by the workers, which write the JSON
themselves, and the tests hold them against these models again.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

MAX_QUERIES = 256
MAX_CLUE = 500  # characters; the longest printed clues have a third of that
MAX_PATTERN = 60  # that of the vocabulary
MAX_LIMIT = 100
MAX_GUESSES = 32  # turns of a word game; the games themselves give six, or nine
MAX_HISTORY = 500  # words tried in Contexto

CellKey = Annotated[str, StringConstraints(pattern=r"^\d{1,3},\d{1,3}$")]
Letters = Annotated[str, StringConstraints(pattern=r"^[A-Z0-9]{1,16}$")]
Pattern = Annotated[
    str, StringConstraints(min_length=1, max_length=MAX_PATTERN, pattern=r"^[A-Z.]+$")
]
Clue = Annotated[str, StringConstraints(max_length=MAX_CLUE)]
Word = Annotated[str, StringConstraints(min_length=1, max_length=40)]
Share = Annotated[float, Field(ge=0, le=1)]


class Shape(BaseModel):
    """An object with just these members: a misspelt one is an error, not silence."""

    model_config = ConfigDict(extra="forbid")


class Asked(Shape):
    """Part of a request: a number in quotes is no number, and 0 is no false."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Problem(BaseModel):
    """A problem document (RFC 9457)."""

    model_config = ConfigDict(extra="allow")

    type: str = Field(examples=["urn:problem:crossword:queue-full"])
    title: str
    status: int
    detail: str
    request_id: str | None = None


class GuessQuery(Asked):
    """A clue and what is known of its answer: capital letters, '.' for unknown."""

    clue: Clue = Field(examples=["Template for a tailor"])
    pattern: Pattern = Field(examples=["P..TERN"])


class GuessRequest(Asked):
    queries: list[GuessQuery] = Field(min_length=1, max_length=MAX_QUERIES)
    limit: int = Field(10, ge=1, le=MAX_LIMIT, description="Answers for each query.")


class GuessedAnswer(Shape):
    """An answer; what the probabilities of a list lack to 1 is that of answers not listed."""

    answer: str
    probability: Share
    confidence: float
    evidence: list[str]


class GuessResponse(Shape):
    results: list[list[GuessedAnswer]] = Field(description="One list a query, best first.")
    model: str


class SolveRequest(Asked):
    """A puzzle as ipuz, with letters that are locked."""

    puzzle: dict[str, Any] = Field(description="An ipuz object (http://ipuz.org), a crossword.")
    letters: dict[CellKey, Letters] = Field(
        default={}, description="Letters to keep.", examples=[{"0,0": "A"}]
    )
    seconds: float | None = Field(None, gt=0, description="Time to solve in.")
    min_confidence: Share = Field(0.0, description="Leave blank what is less sure.")


class Candidate(Shape):
    answer: str
    probability: Share
    evidence: list[str]


class Score(Shape):
    """Shares of letters and words that are right; None where the file has no solution."""

    letters: Share
    words: Share
    perfect: bool


class SolveStatistics(Shape):
    seconds: float
    guess_seconds: float
    rounds: int
    details: dict[str, float]


class SolveResponse(Shape):
    status: Literal["solved", "partial", "timeout", "cancelled"]
    fill: dict[CellKey, str]
    cells: dict[CellKey, list[tuple[str, float]]] = Field(
        description="The likely contents of each cell with their probability, best first."
    )
    candidates: dict[str, list[Candidate]] = Field(description="By slot, best first.")
    score: Score | None
    statistics: SolveStatistics
    model: str
    notices: list[str] = Field(description="What was odd about the file.")


class SolveProgress(Shape):
    """The data of a `progress` event."""

    fill: dict[CellKey, str]
    confidence: dict[CellKey, float]
    stage: str
    fraction: float


class ExampleSummary(Shape):
    name: str
    title: str
    author: str
    width: int
    height: int
    clues: int
    rebus: bool


class ExamplesResponse(Shape):
    examples: list[ExampleSummary]


class ModelCard(Shape):
    """What the model folder says about itself."""

    name: str
    format: int
    version: str
    parts: list[str]
    split: str | None
    until: str | None
    figures: dict[str, Any]


class FormatCard(Shape):
    name: str
    about: str
    writable: bool


class Bounds(Shape):
    """What one request may ask for."""

    max_body_bytes: int
    max_cells: int
    max_queries: int
    max_seconds: float


class ModelsResponse(Shape):
    model: str = Field(description="What the responses name as their model.")
    guesser: str
    solver: str
    folder: ModelCard | None = Field(description="None: guessing from common English alone.")
    guessers: list[str]
    solvers: list[str]
    formats: list[FormatCard]
    limits: Bounds
    version: str


class Health(Shape):
    status: Literal["ok"] = "ok"


class WordleTurn(Asked):
    """A guess and its reply: digits, 0 grey, 1 yellow, 2 green. `replies` for several boards."""

    word: Word = Field(examples=["soare"])
    reply: Word | None = Field(None, examples=["00110"])
    replies: list[Word] | None = Field(None, min_length=1, max_length=8)


class WordleSuggestRequest(Asked):
    history: list[WordleTurn] = Field(default=[], max_length=MAX_GUESSES)
    count: int = Field(10, ge=1, le=100)
    hard: bool = False
    rule: Literal["standard", "naive"] = "standard"


class WordleSuggestion(Shape):
    word: str
    expected_remaining: float
    worst_remaining: int
    replies: int
    bits: float
    may_be_answer: bool
    expected_guesses: float | None


class WordleBoard(Shape):
    count: int = Field(description="Answers that remain.")
    words: list[str] = Field(description="The first 200 of them.")


class WordleSuggestResponse(Shape):
    suggestions: list[WordleSuggestion]
    boards: list[WordleBoard]


class WordleReviewRequest(Asked):
    guesses: list[Word] = Field(min_length=1, max_length=MAX_GUESSES, examples=[["crane", "sloth"]])
    answer: Word = Field(examples=["sloth"])
    hard: bool = False
    rule: Literal["standard", "naive"] = "standard"


class WordleChoice(Shape):
    word: str
    expected_remaining: float
    worst_remaining: int


class WordleReviewedTurn(Shape):
    guess: WordleChoice
    reply: str
    before: int
    remained: int
    best: WordleChoice
    skill: float
    luck: float
    fits_history: bool


class WordleStep(Shape):
    word: str
    reply: str
    remained: int


class WordleReviewResponse(Shape):
    answer: str
    solved: bool
    turns: list[WordleReviewedTurn]
    best_path: list[WordleStep]
    skill: float
    luck: float


class ContextoTurn(Asked):
    word: Word
    rank: int = Field(ge=1, le=10_000_000)


class ContextoSuggestRequest(Asked):
    history: list[ContextoTurn] = Field(default=[], max_length=MAX_HISTORY)
    refused: list[Word] = Field(
        default=[], max_length=MAX_HISTORY, description="Words that the game does not know."
    )
    count: int = Field(5, ge=1, le=50)
    strategy: Literal["bayes", "halving"] = "bayes"


class ContextoProposal(Shape):
    word: str
    probability: float | None


class ContextoSuggestResponse(Shape):
    proposals: list[ContextoProposal]
