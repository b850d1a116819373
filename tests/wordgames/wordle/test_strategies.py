"""One suite over every registered strategy, then what is particular to each."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from wordgames.errors import DataError, InputError
from wordgames.wordle import STRATEGIES, Wordle, evaluate
from wordgames.wordle.bruteforce import figures
from wordgames.wordle.learned import Model, read_model, shipped_model
from wordgames.wordle.lookahead import Lookahead
from wordgames.wordle.matches import Matches
from wordgames.wordle.score import Score, parse_threshold_map, threshold
from wordgames.wordle.training import TrainingSettings, train
from wordgames.words import vocabulary

LIST = "cat bat rat cot car dog dot tar art act hat hot oat god cog dag tag rag rot rod".split()  # noqa: SIM905
NAMES = STRATEGIES.names()


def tiny(**options: object) -> Wordle:
    return Wordle(vocabulary(LIST), **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("rule", ["standard", "naive"])
def test_every_answer_is_found(name: str, hard: bool, rule: str) -> None:
    game = tiny(hard=hard, rule=rule)
    result = evaluate(STRATEGIES.create(name, game))
    assert sorted(result.turns) == sorted(LIST)
    assert result.complete
    assert result.summary.distribution.get(1, 0) <= 1


@pytest.mark.parametrize("name", NAMES)
def test_the_choice_heads_the_ranking_and_is_allowed(name: str) -> None:
    game = tiny(hard=True)
    strategy = STRATEGIES.create(name, game)
    position = game.replay([("cat", "002")])
    ranked = strategy.ranked(position, 3)
    assert ranked[0].guess == strategy.choose(position)
    assert [entry.cost for entry in ranked] == sorted(entry.cost for entry in ranked)
    assert all(entry.guess in position.allowed for entry in ranked)
    assert len({entry.guess for entry in ranked}) == len(ranked)


@pytest.mark.parametrize("name", NAMES)
def test_one_remaining_word_is_guessed(name: str) -> None:
    game = tiny()
    position = game.replay([("cat", "022"), ("bat", "022"), ("rat", "022"), ("hat", "022")])
    assert game.vocabulary.words[STRATEGIES.create(name, game).choose(position)] == "oat"


@pytest.mark.parametrize("name", NAMES)
def test_a_strategy_depends_on_the_position_alone(name: str) -> None:
    game = tiny()
    strategy = STRATEGIES.create(name, game)
    position = game.replay([("dog", "020")])
    first = strategy.choose(position)
    strategy.choose(game.start())
    assert strategy.choose(position) == first
    assert STRATEGIES.create(name, game).choose(position) == first


def test_figures_agree_with_counting() -> None:
    game = tiny()
    start = game.start()
    table = figures(game, start.allowed, start.remaining)
    for guess in start.allowed:
        sizes = np.array([len(group) for _, group in game.split(start.remaining, int(guess))])
        shares = sizes / sizes.sum()
        expected = (sizes**2).sum() / sizes.sum(), sizes.max(), len(sizes)
        assert tuple(table[guess, :3]) == pytest.approx(expected)
        assert table[guess, 3] == pytest.approx(-(shares * np.log2(shares)).sum())


def least_total(game: Wordle, remaining: tuple[int, ...], left: int) -> float:
    """The optimum by trying everything."""
    if not remaining:
        return 0
    if left == 0:
        return float("inf")
    best = float("inf")
    for guess in range(len(game.vocabulary.words)):
        groups = game.split(np.array(remaining, np.int32), guess)
        if len(groups) == 1 and groups[0][0] != game.all_green:
            continue
        total = float(len(remaining))
        for pattern, group in groups:
            if pattern != game.all_green:
                total += least_total(game, tuple(int(k) for k in group), left - 1)
        best = min(best, total)
    return best


@pytest.mark.parametrize("words", [LIST[:8], LIST[6:15], LIST[11:]])
def test_lookahead_is_optimal_on_lists_small_enough_to_try_everything(words: list[str]) -> None:
    game = Wordle(vocabulary(words))
    result = evaluate(Lookahead(game, top_k=len(words)))
    assert result.summary.total == least_total(game, tuple(range(len(words))), 6)


def test_lookahead_finds_all_in_the_turns_there_are_if_it_can() -> None:
    game = tiny(turns=4)
    assert evaluate(Lookahead(game, top_k=len(LIST))).summary.worst <= 4


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3", {0: 3}),
        ("0:3,1:4", {0: 3, 1: 4}),
        ("{0: 3, 1: 3, }", {0: 3, 1: 3}),
        ('{"2": 5}', {2: 5}),
    ],
)
def test_threshold_maps_can_be_written_in_several_ways(text: str, expected: dict[int, int]) -> None:
    assert parse_threshold_map(text) == expected


@pytest.mark.parametrize("text", ["", "x", "0:", "1:2:3", "-1", "{0: -3}"])
def test_a_malformed_threshold_map_says_how_to_write_one(text: str) -> None:
    with pytest.raises(InputError, match="0:3,1:4"):
        parse_threshold_map(text)


def test_a_threshold_holds_until_the_next_one_named() -> None:
    thresholds = {1: 3, 3: 7}
    assert [threshold(thresholds, turn) for turn in range(5)] == [3, 3, 3, 7, 7]


def test_score_guesses_among_the_answers_below_the_threshold() -> None:
    game = tiny()
    position = game.replay([("cat", "022")])  # bat, hat, oat, rat
    low, high = Score(game, threshold_map={0: 3}), Score(game, threshold_map={0: 5})
    assert set(low.candidates(position)) == set(position.allowed)
    answers = {game.vocabulary.words[k] for k in high.candidates(position)}
    assert answers == {"bat", "hat", "oat", "rat"}


def test_repeated_letters_match_only_words_with_as_many_copies() -> None:
    game = Wordle(vocabulary(["eerie", "crepe", "tread", "sheet"]))
    letters, places = Matches(game).shares(
        game.start().remaining, np.array([game.vocabulary.index("eerie")], np.int32)
    )
    # e, second e, r, i, third e; crepe and sheet have two.
    assert letters[0] == pytest.approx([1, 3 / 4, 3 / 4, 1 / 4, 1 / 4])
    assert places[0] == pytest.approx([1 / 4, 1 / 4, 1 / 4, 1 / 4, 2 / 4])


def test_positional_looks_for_new_letters_first() -> None:
    game = Wordle(vocabulary(["aab", "aac", "aad", "xyz"]))
    position = game.replay([("aab", "220")])
    strategy = STRATEGIES.create("positional", game)
    costs = strategy.costs(position, position.allowed)  # type: ignore[attr-defined]
    # After one guess an `a` counts a quarter of its share, new letters all of it.
    assert costs[game.vocabulary.index("aac")] == pytest.approx(-(0.75 / 4 + 0.75 / 4 + 0.25))


def test_training_learns_and_its_model_can_be_read(tmp_path: Path) -> None:
    game = Wordle()
    settings = TrainingSettings(positions=40, guesses_per_position=60)
    document = train(game, settings)
    assert document["held_out"]["correlation"] > 0.9
    path = tmp_path / "model.json"
    path.write_text(json.dumps(document))
    inputs = np.tile(np.array(document["means"]), (2, 1))
    assert (read_model(path).eliminated(inputs) < 1).all()


@pytest.mark.parametrize(
    "change",
    [
        {"format": 2},
        {"layers": []},
        {"means": [1]},
        {"scales": None},
        {"layers": [{"weights": []}]},
    ],
)
def test_a_damaged_model_is_refused(tmp_path: Path, change: dict[str, object]) -> None:
    shipped = Path("wordgames/lists/wordle-learned.json")
    document = json.loads((Path(__file__).parents[3] / shipped).read_text())
    with pytest.raises(DataError):
        Model({**document, **change})
    with pytest.raises(DataError, match="cannot read model"):
        read_model(tmp_path / "none.json")


def test_the_shipped_model_ranks_openers_like_the_brute_force() -> None:
    game = Wordle()
    start = game.start()
    guesses = start.allowed[::40]
    predicted = STRATEGIES.create("learned", game, model=shipped_model()).costs(  # type: ignore[attr-defined]
        start, guesses
    )
    actual = figures(game, guesses, start.remaining)[:, 0]
    assert np.corrcoef(predicted, actual)[0, 1] > 0.95
