"""NuminaMath-LEAN (huggingface.co/datasets/AI-MO/NuminaMath-LEAN, Apache 2.0 by its card).

Fields by its card: `uuid`, `problem`, `question_type`, `answer`, `author`, `formal_statement` (a
whole file, written like miniF2F), `formal_ground_truth`, `ground_truth_type`, `formal_proof`,
`rl_data`, `source`, `problem_type`, `exam`. Answer and proofs are left behind.
"""

from ragsolver_runtime.formats.layout import (
    MATHLIB,
    Converted,
    Dataset,
    Fields,
    Format,
    converted,
)

DATASET = Dataset("numinamath-lean", "NuminaMath-LEAN", "Apache-2.0")


def _recognises(fields: Fields, _file: str) -> bool:
    return {"uuid", "formal_statement"} <= fields.keys()


def _convert(fields: Fields, _file: str) -> Converted:
    return converted(
        DATASET,
        fields.get("uuid"),
        formal=fields.get("formal_statement"),
        informal=fields.get("problem"),
        split=fields.get("split", ""),
        default_header=MATHLIB,
    )


FORMAT = Format(
    name="numinamath-lean",
    about="NuminaMath-LEAN: uuid, problem, formal_statement",
    recognises=_recognises,
    convert=_convert,
    dataset=lambda _fields, _file: DATASET,
)
