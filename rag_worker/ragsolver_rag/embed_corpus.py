"""Embedding a whole corpus: in chunks that are kept, by several processes.

Texts are sorted by length, so that a batch has little padding. Every finished chunk is a file;
what an interrupted build left is not computed again.
"""

import multiprocessing
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ragsolver_rag.embed import EncoderConfig, SentenceEncoder

CHUNK = 1024
"""Texts per file."""
_MOST_PROCESSES = 8

Embed = Callable[[Sequence[str]], npt.NDArray[np.float32]]
OnDone = Callable[[int], None]
"""Called with the number of texts that are embedded so far."""


def embed_corpus(
    texts: Sequence[str],
    folder: Path,
    config: EncoderConfig,
    *,
    processes: int = 0,
    on_done: OnDone = lambda _: None,
) -> npt.NDArray[np.float16]:
    """Vectors of all texts, shape `(len(texts), dimensions)`, rows of unit length.

    Args:
        texts: the documents; the same texts must be given when a build goes on.
        folder: where chunks are kept.
        config: the encoder.
        processes: 0 for as many as there are processors (at most 8), or one with a GPU.
        on_done: progress.

    Raises:
        ModelError: the encoder is not on this machine.
    """
    folder.mkdir(parents=True, exist_ok=True)
    chunks = _chunks(texts)
    missing = [number for number, ids in enumerate(chunks) if not _whole(folder, number, len(ids))]
    done = len(texts) - sum(len(chunks[number]) for number in missing)
    on_done(done)
    count = min(processes or _default_processes(), len(missing))
    if count == 1:
        encoder = SentenceEncoder(config)
        for number in missing:
            embed_chunk(encoder.embed, [texts[i] for i in chunks[number]], _file(folder, number))
            done += len(chunks[number])
            on_done(done)
    elif count > 1:
        with ProcessPoolExecutor(
            count, multiprocessing.get_context("spawn"), _start, (config,)
        ) as pool:
            jobs = {
                pool.submit(
                    _job, [texts[i] for i in chunks[number]], _file(folder, number)
                ): number
                for number in missing
            }
            for job in as_completed(jobs):
                job.result()
                done += len(chunks[jobs[job]])
                on_done(done)
    return _gathered(folder, chunks, len(texts))


def embed_chunk(embed: Embed, texts: Sequence[str], path: Path) -> None:
    """Embed one chunk into its file, which appears whole or not at all."""
    vectors = embed(texts).astype(np.float16)
    aside = path.with_suffix(".new")
    with aside.open("wb") as file:
        np.save(file, vectors)
    aside.replace(path)


def _chunks(texts: Sequence[str]) -> list[list[int]]:
    order = sorted(range(len(texts)), key=lambda i: (len(texts[i]), i))
    return [order[start : start + CHUNK] for start in range(0, len(order), CHUNK)]


def _file(folder: Path, number: int) -> Path:
    return folder / f"chunk-{number:05d}.npy"


def _whole(folder: Path, number: int, rows: int) -> bool:
    try:
        return bool(np.load(_file(folder, number), mmap_mode="r").shape[0] == rows)
    except (OSError, ValueError):
        return False


def _gathered(
    folder: Path, chunks: Sequence[Sequence[int]], count: int
) -> npt.NDArray[np.float16]:
    gathered: npt.NDArray[np.float16] | None = None
    for number, ids in enumerate(chunks):
        vectors = np.load(_file(folder, number))
        if gathered is None:
            gathered = np.zeros((count, vectors.shape[1]), np.float16)
        gathered[ids] = vectors
    return np.zeros((0, 0), np.float16) if gathered is None else gathered


def _default_processes() -> int:
    import torch

    if torch.cuda.is_available():
        return 1
    limited = getattr(os, "sched_getaffinity", None)  # not on every system
    processors = len(limited(0)) if limited is not None else os.cpu_count() or 1
    return min(processors, _MOST_PROCESSES)


class _Worker:
    """What one embedding process keeps between chunks."""

    encoder: SentenceEncoder | None = None


def _start(config: EncoderConfig) -> None:
    _Worker.encoder = SentenceEncoder(config)


def _job(texts: list[str], path: Path) -> int:
    if _Worker.encoder is None:
        raise RuntimeError("the process was not started by embed_corpus")
    embed_chunk(_Worker.encoder.embed, texts, path)
    return len(texts)
