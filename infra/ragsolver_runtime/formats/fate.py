"""FATE-M, FATE-H and FATE-X (github.com/frenzymath, one repository each).

A JSON array with `id` (a number), `formal_statement` (a whole file: imports, definitions, one
documented theorem, ending in `:= by` with or without `sorry`), `informal_statement`, `source`
(`FATE-M`, …); some add `version`, `tag`, `declaration`. MIT (file LICENSE of each).
"""

import re

from ragsolver_runtime.formats.layout import (
    MATHLIB,
    Converted,
    Dataset,
    Fields,
    Format,
    converted,
)

_LETTER = re.compile(r"FATE-?([MHX])\b", re.IGNORECASE)
_LICENCE = "MIT"


def _recognises(fields: Fields, _file: str) -> bool:
    source = fields.get("source")
    return (
        {"id", "formal_statement"} <= fields.keys()
        and isinstance(source, str)
        and _LETTER.match(source) is not None
    )


def _dataset(fields: Fields, file: str) -> Dataset:
    found = _LETTER.search(f"{fields.get('source', '')} {file}")
    if found is None:
        return Dataset("fate", "FATE", _LICENCE)
    letter = found[1].upper()
    return Dataset(f"fate-{letter.lower()}", f"FATE-{letter}", _LICENCE)


def _convert(fields: Fields, file: str) -> Converted:
    return converted(
        _dataset(fields, file),
        fields.get("id"),
        formal=fields.get("formal_statement"),
        informal=fields.get("informal_statement"),
        split=fields.get("split", ""),
        default_header=MATHLIB,
    )


FORMAT = Format(
    name="fate",
    about="FATE-M, FATE-H, FATE-X: id, formal_statement, informal_statement, source",
    recognises=_recognises,
    convert=_convert,
    dataset=_dataset,
)
