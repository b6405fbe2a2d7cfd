"""The known layouts, and which one a record has."""

from typing import Any

from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.formats import fate, mathlibmpr, numinamath, plain, proofnet, putnambench
from ragsolver_runtime.formats.layout import Converted, Fields, Format, namespaced
from ragsolver_runtime.formats.provers import MINIF2F, PROVERS

AUTO = "auto"
"""Each record tells its layout by its fields."""

FORMATS: tuple[Format, ...] = (
    plain.FORMAT,
    putnambench.FORMAT,
    fate.FORMAT,
    numinamath.FORMAT,
    mathlibmpr.FORMAT,
    proofnet.FORMAT,
    MINIF2F,
    PROVERS,
)
"""In the order in which they are tried; what none recognises goes on as it is, to be refused."""


def format_names() -> tuple[str, ...]:
    """What `--format` takes."""
    return (AUTO, *(one.name for one in FORMATS))


def find_format(name: str) -> Format | None:
    """The layout of that name; none for `auto`.

    Raises:
        ConfigError: there is no such layout.
    """
    if name == AUTO:
        return None
    for one in FORMATS:
        if one.name == name:
            return one
    raise ConfigError(f"no format {name!r}: choose one of {', '.join(format_names())}")


def convert(record: Fields, file: str, forced: Format | None = None) -> Converted:
    """The input object of a record.

    Args:
        record: the JSON object.
        file: name of its file.
        forced: the layout that it is read in; none: the one that recognises it.
    """
    for one in (forced,) if forced is not None else FORMATS:
        if forced is not None or one.recognises(record, file):
            return one.convert(record, file)
    name = record.get("name")
    return Converted(dict(record), name if isinstance(name, str) else "")


def labelled(fields: dict[str, Any], file: str, forced: Format | None) -> Converted:
    """The input object of a problem that a `.lean`, `.txt` or `.md` file holds.

    Args:
        fields: the input object, named after the file or the theorem.
        file: name of the file.
        forced: the layout whose dataset it belongs to; none: of no dataset.
    """
    name = str(fields.get("name", ""))
    dataset = forced.dataset(fields, file) if forced is not None else None
    if dataset is None:
        return Converted(fields, name)
    source = {"dataset": dataset.title, "licence": dataset.licence}
    return Converted(fields | {"name": namespaced(dataset, name), "source": source}, name)
