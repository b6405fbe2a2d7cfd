"""MathlibMPR, of LeanSearch v2 (arXiv 2605.13137; Apache 2.0 as distributed).

A JSON array with `id`, `pr`, `formal_main_result`, `NL_main_result`, `formal_statement` (a whole
file: narrow imports, `open`, `namespace`, `variable`, one documented `theorem` or `lemma` that
ends in `:= sorry`) and `premise_group`, the lemmas of the published proof, which are left behind.
"""

from ragsolver_runtime.formats.layout import Converted, Dataset, Fields, Format, converted

DATASET = Dataset("mathlibmpr", "MathlibMPR", "Apache-2.0")


def _recognises(fields: Fields, _file: str) -> bool:
    return {"id", "formal_statement", "NL_main_result"} <= fields.keys()


def _convert(fields: Fields, _file: str) -> Converted:
    return converted(
        DATASET,
        fields.get("id"),
        formal=fields.get("formal_statement"),
        informal=fields.get("NL_main_result"),
        split=fields.get("split", ""),
    )


FORMAT = Format(
    name="mathlibmpr",
    about="MathlibMPR: id, formal_statement, NL_main_result",
    recognises=_recognises,
    convert=_convert,
    dataset=lambda _fields, _file: DATASET,
)
