"""The layout that provers exchange, and miniF2F in it, first version and second.

Fields: `name` or `id`, `split`, `formal_statement`, `header`, words as `informal_statement`,
`informal_stmt`, `informal_prefix` or `natural_language_statement`. Beside them stand
`informal_proof`, `formal_proof`, `goal`, `answer` and the like, which are left behind.

miniF2F v2 (github.com/roozbeh-yz/miniF2F_v2) comes as `miniF2F_v2s` and `miniF2F_v2c`, JSON and
JSON lines, statements ending in `:= by`; in v2c an answer may be left open before the statement.
No licence is stated there. The first version in Lean 4 (github.com/yangky11/miniF2F-lean4, file
LICENSE) is under MIT.
"""

import re

from ragsolver_runtime.formats.layout import Converted, Dataset, Fields, Format, converted

_WORDS = (
    "informal_statement", "informal_stmt", "informal_prefix", "natural_language_statement",
)  # fmt: skip
_LEFT_BEHIND = frozenset(
    {
        "answer", "category", "comment", "formal_ground_truth", "formal_proof", "goal", "id",
        "informal_answer", "informal_proof", "informal_solution", "lean4_proof", "proof",
        "solution", "tags",
    }
)  # fmt: skip
_TAKEN = frozenset({"name", "split", "formal_statement", "header", *_WORDS})

V1 = Dataset("minif2f", "miniF2F", "MIT")
V2S = Dataset("minif2f-v2s", "miniF2F-v2s")
V2C = Dataset("minif2f-v2c", "miniF2F-v2c")

_VERSION = re.compile(r"v2[sc]")


def _recognises(fields: Fields, _file: str) -> bool:
    known = fields.keys() <= _TAKEN | _LEFT_BEHIND
    return known and "formal_statement" in fields and bool({"name", "id"} & fields.keys())


def _convert(fields: Fields, file: str, dataset: Dataset | None = None) -> Converted:
    return converted(
        dataset,
        fields.get("name", fields.get("id")),
        formal=fields.get("formal_statement"),
        informal=next((fields[key] for key in _WORDS if key in fields), None),
        header=fields.get("header", ""),
        split=fields.get("split", ""),
    )


def _version(_fields: Fields, file: str) -> Dataset:
    found = _VERSION.search(file.lower())
    return {"v2s": V2S, "v2c": V2C}.get(found[0] if found else "", V1)


PROVERS = Format(
    name="provers",
    about="as plain, with informal_prefix or informal_stmt, goal, and proofs that are dropped",
    recognises=_recognises,
    convert=_convert,
    dataset=lambda _fields, _file: None,
)
MINIF2F = Format(
    name="minif2f",
    about="miniF2F v1, v2s and v2c, told apart by the file's name",
    recognises=lambda fields, file: "minif2f" in file.lower() and _recognises(fields, file),
    convert=lambda fields, file: _convert(fields, file, _version(fields, file)),
    dataset=_version,
)
