r"""ProofNet in Lean 4, in its three layouts.

- ProofNet# (huggingface.co/datasets/PAug/ProofNetSharp, MIT by its card): `id` (`Book|exercise`),
  `nl_statement`, `nl_proof`, `lean4_src_header`, `lean4_formalization` ending in `:=`.
- ProofNet-Verified (github.com/marcusm117/ProofNet-Verified, Apache 2.0 by its README): `name`,
  `header`, `helper` (definitions), `informal_stmt`, `formal_stmt`, `informal_proof`,
  `formal_proof`. The unaudited ProofNet lies beside it in the same fields; the file's name tells.
- ProofNet-lean4 (github.com/rahul3613/ProofNet-lean4, MIT by its LICENSE): `name`, `source` (a
  `.lean` file), `header`, `formal_statement`, `formal_proof`, `informal_stmt`, which goes on with
  `\begin{proof}`, and `informal_proof`.
"""

from ragsolver_runtime.formats.layout import (
    MATHLIB,
    Converted,
    Dataset,
    Fields,
    Format,
    converted,
)

SHARP = Dataset("proofnet-sharp", "ProofNet#", "MIT")
VERIFIED = Dataset("proofnet-verified", "ProofNet-Verified", "Apache-2.0")
UNAUDITED = Dataset("proofnet", "ProofNet", "Apache-2.0")
LEAN4 = Dataset("proofnet-lean4", "ProofNet-lean4", "MIT")


def _recognises(fields: Fields, _file: str) -> bool:
    source = fields.get("source")
    of_lean4 = {"informal_stmt", "formal_statement"} <= fields.keys()
    return (
        "lean4_formalization" in fields
        or {"formal_stmt", "informal_stmt"} <= fields.keys()
        or (of_lean4 and isinstance(source, str) and source.endswith(".lean"))
    )


def _dataset(fields: Fields, file: str) -> Dataset:
    if "formal_stmt" in fields:
        return VERIFIED if "verified" in file.lower() else UNAUDITED
    return SHARP if "lean4_formalization" in fields or "source" not in fields else LEAN4


def _convert(fields: Fields, file: str) -> Converted:
    dataset = _dataset(fields, file)
    if dataset is SHARP:
        return converted(
            dataset,
            fields.get("id"),
            formal=fields.get("lean4_formalization"),
            informal=fields.get("nl_statement"),
            header=fields.get("lean4_src_header", ""),
            split=fields.get("split", ""),
            default_header=MATHLIB,
        )
    formal = fields.get("formal_stmt", fields.get("formal_statement"))
    helper = fields.get("helper")
    if isinstance(helper, str) and isinstance(formal, str):
        formal = f"{helper}\n\n{formal}"
    return converted(
        dataset,
        fields.get("name"),
        formal=formal,
        informal=fields.get("informal_stmt"),
        header=fields.get("header", ""),
        split=fields.get("split", ""),
        default_header=MATHLIB,
    )


FORMAT = Format(
    name="proofnet",
    about="ProofNet#, ProofNet-Verified, ProofNet-lean4",
    recognises=_recognises,
    convert=_convert,
    dataset=_dataset,
)
