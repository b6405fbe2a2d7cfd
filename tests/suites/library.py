"""A little library of declarations, its corpus folder, and an encoder that needs no model."""

import hashlib
import json
from pathlib import Path

import numpy as np

from ragsolver_rag.corpus import CorpusManifest, Declaration
from ragsolver_rag.rows import declaration_rows
from ragsolver_rag.tokenize import words

TYPES = {
    "Nat.add_comm": "∀ (n m : Nat), n + m = m + n",
    "Nat.add_assoc": "∀ (n m k : Nat), n + m + k = n + (m + k)",
    "Nat.add_right_comm": "∀ (n m k : Nat), n + m + k = n + k + m",
    "Nat.mul_comm": "∀ (n m : Nat), n * m = m * n",
    "Int.add_comm": "∀ (a b : Int), a + b = b + a",
    "Int.le_antisymm": "∀ {a b : Int}, a ≤ b → b ≤ a → a = b",
    "Nat.gcd_comm": "∀ (m n : Nat), m.gcd n = n.gcd m",
    "Nat.gcd_dvd_left": "∀ (m n : Nat), m.gcd n ∣ m",
    "List.length_append": "∀ {as bs : List α}, (as ++ bs).length = as.length + bs.length",
    "List.reverse_reverse": "∀ {α : Type u_1} (as : List α), as.reverse.reverse = as",
    "not_or": "∀ {p q : Prop}, ¬(p ∨ q) ↔ ¬p ∧ ¬q",
    "Classical.em": "∀ (p : Prop), p ∨ ¬p",
}
"""Theorems by name."""


def declarations() -> list[Declaration]:
    """The library: theorems, one definition, one declaration that Lean made."""
    theorems = [
        Declaration(
            name=name,
            kind="theorem",
            module=f"Init.{name.partition('.')[0]}",
            type=text,
            constants=tuple(c for c in ("Nat", "Int", "List", "Eq") if c in text),
        )
        for name, text in TYPES.items()
    ]
    definition = Declaration(
        name="Nat.gcd", kind="def", module="Init.Nat", type="Nat → Nat → Nat", doc="The gcd."
    )
    generated = Declaration(name="Nat.gcd.eq_1", kind="theorem", module="Init.Nat", type="True")
    return [*theorems, definition, generated]


def manifest(**changes: object) -> CorpusManifest:
    """A manifest that could be that of the library."""
    values: dict[str, object] = {
        "corpus": "embedded",
        "lean_version": "4.0.0",
        "lean_commit": "0123456789abcdef",
        "toolchain_digest": "aa" * 32,
        "count": 14,
        "sha256": "bc" * 32,
    }
    return CorpusManifest.model_validate({**values, **changes})


def rows():
    """What an index keeps of the library."""
    kept = [d for d in declarations() if d.name != "Nat.gcd.eq_1"]
    return declaration_rows(kept, manifest())


def write_corpus(folder: Path) -> Path:
    """The library as an exporter writes it."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = "".join(d.model_dump_json() + "\n" for d in declarations())
    (folder / "declarations.jsonl").write_text(lines, encoding="utf-8")
    sha256 = hashlib.sha256(lines.encode()).hexdigest()
    said = manifest(sha256=sha256).model_dump_json()
    (folder / "manifest.json").write_text(said, encoding="utf-8")
    return folder


def embed(texts) -> np.ndarray:
    """Unit vectors of hashed words: texts with words in common are near each other."""
    vectors = np.full((len(texts), 64), 1e-3, np.float32)
    for row, text in enumerate(texts):
        for word in words(text):
            place = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=4).digest())
            vectors[row, place % 64] += 1.0
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


class WordEncoder:
    """An encoder by `embed`, which counts how often it is asked."""

    def __init__(self):
        self.asked = 0

    def embed_queries(self, texts):
        self.asked += len(texts)
        return list(embed(texts))


class WordModel:
    """Stands in for a model of sentence-transformers."""

    def encode(self, texts, **_):
        return 3.0 * embed(texts)


def read_json(path: Path):
    """A JSON file."""
    return json.loads(path.read_text(encoding="utf-8"))
