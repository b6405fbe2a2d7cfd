"""Whether an index is what its manifest says: looked at before anything is answered from it."""

from pathlib import Path

from ragsolver_rag.embed import EncoderConfig
from ragsolver_rag.facts_table import FACT_COLUMNS, VOCABULARY
from ragsolver_rag.index import IndexDamagedError
from ragsolver_rag.index_files import damage
from ragsolver_rag.index_folder import IndexManifest, tables_dir
from ragsolver_rag.index_lancedb import LanceIndex
from ragsolver_rag.index_tables import Caches
from ragsolver_rag.index_write import INDEXED_FROM, TEXT, VECTOR
from ragsolver_rag.tokenize import TEXT_VERSION


def opened_index(
    folder: Path,
    manifest: IndexManifest,
    encoder: EncoderConfig,
    *,
    whole: bool = False,
    caches: Caches = Caches(),  # noqa: B008 - immutable
) -> LanceIndex:
    """The index of a folder, opened once nothing speaks against it.

    Compared are the files with their list, the digests of small ones, and the tables with the
    manifest: rows, columns, indices, dimensions.

    Args:
        folder: of the manifest.
        manifest: as it was read.
        encoder: the one that queries will be embedded with.
        whole: compare the digest of every file.
        caches: of the opened index.

    Raises:
        IndexDamagedError: says what is wrong with it.
    """
    tables = tables_dir(folder, manifest)
    wrong = damage(tables, manifest.files, whole=whole) or _misfit(manifest, encoder)
    if not wrong:
        try:
            index = LanceIndex(tables, caches)
        except OSError as error:
            raise IndexDamagedError(f"the index at {folder} cannot be opened: {error}") from error
        wrong = _unlike(index, manifest)
    if not wrong and not (tables / f"{VOCABULARY}.lance").is_dir():
        wrong = f"table {VOCABULARY} is missing"
    if wrong:
        raise IndexDamagedError(f"the index at {folder} is damaged: {wrong}")
    return index


def _misfit(manifest: IndexManifest, encoder: EncoderConfig) -> str:
    """What of the manifest does not go with this program and its settings."""
    if manifest.text_version != TEXT_VERSION:
        return f"its terms have version {manifest.text_version} instead of {TEXT_VERSION}"
    if manifest.dimensions and manifest.encoder != encoder.pin:
        return f"its vectors are those of {manifest.encoder!r} and not of {encoder.pin!r}"
    return ""


def _unlike(index: LanceIndex, manifest: IndexManifest) -> str:
    """What of the tables is not as the manifest says."""
    about = index.about
    if about.rows != manifest.count:
        return f"it has {about.rows} declarations instead of {manifest.count}"
    if about.dimensions != manifest.dimensions:
        return f"its vectors have {about.dimensions} numbers instead of {manifest.dimensions}"
    wanted = {TEXT, "decl_name", "kind"}
    if manifest.dimensions and manifest.count >= INDEXED_FROM:
        wanted.add(VECTOR)
    missing = sorted(wanted - about.indexed)
    if missing:
        return f"column {missing[0]} has no index"
    if about.unindexed:
        return f"{about.unindexed} declarations are missing in an index"
    absent = sorted(set(FACT_COLUMNS) - about.columns)
    if absent:
        return f"column {absent[0]} is missing"
    return ""
