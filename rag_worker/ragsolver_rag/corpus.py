"""The formal corpus: the declarations of one Lean toolchain or project, as exported by Lean.

A corpus is a folder `<cache>/corpora/<id>/` with `declarations.jsonl` (one declaration per line)
and `manifest.json`, which is written last and says from which toolchain the lines come. Whoever
can make a corpus offers it through the entry point group `ragsolver.corpora`: a function that
makes the folder where it is missing, tells how far it is, and returns its path. So this package
knows no Lean, and the Lean package knows no index.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ragsolver_runtime.paths import cache_dir

ENTRY_POINTS = "ragsolver.corpora"

EXPORTER = "lean exporter"
"""Parser of a corpus that Lean itself wrote."""

OnCount = Callable[[int], None]
"""Called now and then with the number of declarations so far."""


class CorpusError(Exception):
    """A corpus is missing, unreadable or not what its manifest says."""


class Declaration(BaseModel):
    """One Lean declaration. Fields that are not known here are ignored."""

    model_config = ConfigDict(frozen=True)

    name: str = Field(min_length=1)
    kind: str
    """`theorem`, `def`, `instance`, `inductive`, `structure`, `class`, `ctor`, `axiom`, …"""
    module: str
    type: str
    """Pretty-printed type."""
    value: str = ""
    doc: str | None = None
    dependencies: tuple[str, ...] = ()
    constants: tuple[str, ...] = ()
    """Constants in the type."""
    informal: str = ""
    """What it says in words, where a corpus brings that."""
    note: str = ""
    """What the documentation of its module says of it."""
    context: str = ""
    """Titles of the module and of the part of it in which the declaration stands."""
    origin: str = ""
    """What made it, where no person wrote it: `to_additive`, `simps`, `field`, …"""
    origin_of: str = ""
    """The declaration that it was made of."""
    deprecated: str = ""
    """Date since which it is, or `yes`; empty: it is not."""
    successor: str = ""
    """The declaration that stands for a deprecated one, or for an alias."""
    mentions: int | None = None
    """How often the library names it; none: not counted."""
    docs_url: str = ""


class CorpusManifest(BaseModel):
    """Where a corpus comes from. Fields that are not known here are ignored."""

    model_config = ConfigDict(frozen=True)

    corpus: str
    lean_version: str
    lean_commit: str
    toolchain_digest: str
    """Digest by which the verifier knows the same toolchain."""
    count: int = Field(ge=1)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    """Digest of `declarations.jsonl`."""
    title: str = ""
    """Name of the library, where it is not that of a toolchain."""
    license: str = ""
    """SPDX identifier; empty: not known."""
    parser: str = EXPORTER
    """What made the lines."""
    parser_version: str = ""

    @property
    def tag(self) -> str:
        """Readable version of the corpus: `lean4-core 4.28.0-pre 38f3c0c4`."""
        if self.title:
            lean = f" Lean {self.lean_version}" if self.lean_version else ""
            return f"{self.title}{lean} {self.sha256[:8]}"
        label = "lean4-core" if self.corpus == "embedded" else self.corpus
        return f"{label} {self.lean_version} {self.lean_commit[:8]}"


class Exclusions(BaseModel):
    """Which declarations are not worth a place in the index."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    generated: bool = True
    """Leave out what Lean generates itself: equation lemmas, recursors, injectivity, …"""
    kinds: tuple[str, ...] = ("rec", "quot")
    """Kinds left out."""
    modules: tuple[str, ...] = (r"(^|\.)Internal(\.|$)", r"(^|\.)Impl(\.|$)")
    """Regular expressions; a module in which one is found is left out."""


_GENERATED = re.compile(
    r"(^|\.)(eq_\d+|eq_def|eq_unfold|match_\d+|sizeOf_spec|injEq|inj|noConfusion\w*|rec\w*|casesOn|"
    r"below\w*|brecOn\w*|binductionOn|ndrec\w*|ctorIdx|ctorElim\w*|toCtorIdx|induct_unfolding|"
    r"fun_cases\w*|_\w+|proof_\d+|mutual_induct\w*|instDecidableEq\w*|repr\w*✝|elim\w*✝)(\.|$)"
)
_AUXILIARY = re.compile(r"(^|\.)(_|«_|term_|«term|inst[A-Z]\w*$)|✝")


def is_generated(name: str) -> bool:
    """Whether Lean, and not a person, wrote the declaration of that name."""
    return bool(_GENERATED.search(name) or _AUXILIARY.search(name))


def select(declarations: Iterable[Declaration], exclusions: Exclusions) -> list[Declaration]:
    """Declarations worth indexing, each name once, in the order given."""
    unwanted = [re.compile(pattern) for pattern in exclusions.modules]
    kept: dict[str, Declaration] = {}
    for declaration in declarations:
        if declaration.kind in exclusions.kinds or declaration.name in kept:
            continue
        if exclusions.generated and is_generated(declaration.name):
            continue
        if any(pattern.search(declaration.module) for pattern in unwanted):
            continue
        kept[declaration.name] = declaration
    return list(kept.values())


def read_manifest(folder: Path) -> CorpusManifest:
    """The manifest of a corpus folder.

    Raises:
        CorpusError: it is missing (the export did not finish) or malformed.
    """
    path = folder / "manifest.json"
    try:
        return CorpusManifest.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        raise CorpusError(f"no corpus at {folder}: {path.name} is missing") from None
    except ValidationError as error:
        raise CorpusError(f"{path} is not a corpus manifest: {error}") from error


def read_declarations(folder: Path) -> Iterator[Declaration]:
    """The declarations of a corpus folder, in file order.

    Raises:
        CorpusError: the file is missing or a line is not a declaration; says which line.
    """
    path = folder / "declarations.jsonl"
    try:
        with path.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                try:
                    fields: dict[str, Any] = json.loads(line)
                    yield Declaration.model_validate(fields)
                except ValueError as error:
                    raise CorpusError(f"{path}, line {number}: {error}") from error
    except FileNotFoundError:
        raise CorpusError(f"no corpus at {folder}: {path.name} is missing") from None


def write_corpus(
    folder: Path, declarations: Iterable[dict[str, Any]], manifest: dict[str, Any]
) -> CorpusManifest:
    """Write a corpus folder; whoever reads it meanwhile sees the old one or none.

    Args:
        folder: made if missing.
        declarations: fields of `Declaration`, one mapping each.
        manifest: fields of `CorpusManifest` but `count` and `sha256`.

    Raises:
        CorpusError: there is no declaration.
    """
    folder.mkdir(parents=True, exist_ok=True)
    aside = folder / ".declarations.new"
    seen, count = hashlib.sha256(), 0
    with aside.open("wb") as file:
        for fields in declarations:
            line = (json.dumps(fields, ensure_ascii=False) + "\n").encode()
            seen.update(line)
            file.write(line)
            count += 1
    if not count:
        aside.unlink()
        raise CorpusError("no declaration is left: name another source, or exclude less")
    written = CorpusManifest.model_validate(
        {**manifest, "count": count, "sha256": seen.hexdigest()}
    )
    (folder / "manifest.json").unlink(missing_ok=True)
    aside.replace(folder / "declarations.jsonl")
    aside.write_text(written.model_dump_json(indent=1) + "\n", "utf-8")
    aside.replace(folder / "manifest.json")
    return written


def corpus_dir(corpus: str) -> Path:
    """Folder of a corpus in the cache, whether it exists or not."""
    return cache_dir() / "corpora" / corpus


def make_corpus(corpus: str, on_count: OnCount = lambda _: None) -> Path:
    """Folder of a corpus, exported first where it is missing or its toolchain changed.

    Args:
        corpus: its name.
        on_count: called with the number of declarations exported so far.

    Raises:
        CorpusError: nothing installed can make this corpus, or making it failed.
    """
    folder = corpus_dir(corpus)
    found = list(entry_points(group=ENTRY_POINTS, name=corpus))
    if found:
        try:
            export: Callable[[OnCount], Path] = found[0].load()
        except ImportError:
            found = []  # the package that makes it is not installed
    if found:
        try:
            return export(on_count)
        except Exception as error:
            raise CorpusError(f"the corpus {corpus!r} cannot be exported: {error}") from error
    if (folder / "manifest.json").is_file():
        return folder
    raise CorpusError(
        f"nothing installed can export the corpus {corpus!r} and {folder} does not exist: "
        "install ragsolver[verifier], copy the folder there, or set retriever.corpus"
    )
