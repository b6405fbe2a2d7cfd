"""PutnamBench (github.com/trishullab/PutnamBench).

`informal/putnam.json` has `problem_name`, `informal_statement`, `informal_solution` ("None." where
there is none) and `tags`; tables made of `lean4/src` add `formal_statement` and `split`. In about
half of the statements `abbrev …_solution : … := sorry` leaves the answer open, and a comment after
it gives it away. The repository's script `rewrite_solutions.py` writes the variant in which the
answers stand in the statements.

The Lean part is under Apache 2.0 (lean4/LICENSE); the words are printed there with permission of
the MAA, which is no licence, so a record without a formal statement has none.
"""

from ragsolver_runtime.formats.layout import (
    MATHLIB,
    Converted,
    Dataset,
    Fields,
    Format,
    converted,
    present,
)

LEAN = Dataset("putnam", "PutnamBench", "Apache-2.0")
WORDS = Dataset("putnam", "PutnamBench")


def _recognises(fields: Fields, _file: str) -> bool:
    return {"problem_name", "informal_statement"} <= fields.keys()


def _dataset(fields: Fields, _file: str) -> Dataset:
    return LEAN if present(fields.get("formal_statement")) else WORDS


def _convert(fields: Fields, file: str) -> Converted:
    return converted(
        _dataset(fields, file),
        fields.get("problem_name", fields.get("name")),
        formal=fields.get("formal_statement"),
        informal=fields.get("informal_statement"),
        header=fields.get("header", ""),
        split=fields.get("split", ""),
        default_header=MATHLIB,
    )


FORMAT = Format(
    name="putnambench",
    about="PutnamBench: problem_name, formal_statement, informal_statement",
    recognises=_recognises,
    convert=_convert,
    dataset=_dataset,
)
