"""The report folder: the same traces give the same JSON and CSV, byte for byte."""

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path

from ragsolver_runtime.evaluate.outcomes import RunResult
from ragsolver_runtime.evaluate.summary import ConfigurationResult, EvaluationReport, Spread
from ragsolver_runtime.evaluate.tables import report_markdown

JSON = "evaluation.json"

_PROBLEM_COLUMNS = (
    "name", "outcome", "strategy", "attempts", "candidates", "candidate_failures", "verdicts",
    "retrieved", "used", "named", "re_retrievals", "used_from_re_retrieval", "llm_calls",
    "input_tokens", "output_tokens", "cache_tokens", "lost_calls", "cost_usd", "wall_s",
    "lean_s", "lean_cpu_s",
)  # fmt: skip


def write_files(report: EvaluationReport, folder: Path) -> list[Path]:
    """Write JSON, CSV and Markdown; returns the files.

    Args:
        report: what was found.
        folder: made if missing.
    """
    folder.mkdir(parents=True, exist_ok=True)
    texts = {
        JSON: report.model_dump_json(indent=1) + "\n",
        "configurations.csv": _table(_configurations(report)),
        "problems.csv": _table(_problems(report)),
        "errors.csv": _table(_errors(report.configurations)),
        "evaluation.md": report_markdown(report),
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    return [folder / name for name in texts]


Row = dict[str, object]


def _configurations(report: EvaluationReport) -> Iterable[Row]:
    compared = {item.name: item for item in report.comparisons}
    for one in report.configurations:
        against = compared.get(one.name)
        low, high = one.wilson or (None, None)
        yield {
            "configuration": one.name,
            "runs": len(one.runs),
            "problems": one.problems,
            "samples": one.samples,
            "proved": one.proved,
            "pass_at_1": one.pass_at.get(1),
            "wilson_low": low,
            "wilson_high": high,
            "pass_at_1_with_contaminated": one.pass_at_1_with_contaminated,
            "infrastructure": one.outcomes.get("infrastructure", 0),
            "difference": against.difference if against else None,
            "p_value": against.p_value if against else None,
            "p_holm": against.p_holm if against else None,
            **one.retrieval.model_dump(),
            "llm_calls": one.llm_calls,
            "input_tokens": one.input_tokens,
            "output_tokens": one.output_tokens,
            "cache_tokens": one.cache_tokens,
            "lost_calls": one.lost_calls,
            "cost_usd": one.cost_usd,
            "candidates": one.candidates,
            "candidate_failures": one.candidate_failures,
            "lean_s": one.lean_s,
            "lean_cpu_s": one.lean_cpu_s,
            **_quantiles("wall_to_proof", one.wall_to_proof_s),
            **_quantiles("lean_to_proof", one.lean_to_proof_s),
        }


def _quantiles(name: str, spread: Spread | None) -> Row:
    return {
        f"{name}_{field}": getattr(spread, field) if spread is not None else None
        for field in Spread.model_fields
        if field != "count"
    }


def _problems(report: EvaluationReport) -> Iterable[Row]:
    excluded = set(report.excluded)
    for run in report.runs:
        for problem in run.problems:
            yield {
                "configuration": run.config.name,
                "repetition": _repetition(run),
                "run": run.run_id,
                **{column: getattr(problem, column) for column in _PROBLEM_COLUMNS},
                "contaminated": problem.name in excluded,
            }


def _repetition(run: RunResult) -> int:
    return run.evaluation.repetition if run.evaluation is not None else 1


def _errors(configurations: Sequence[ConfigurationResult]) -> Iterable[Row]:
    for one in configurations:
        for name, count in one.errors.items():
            yield {"configuration": one.name, "error_class": name, "verdicts": count}


def _table(rows: Iterable[Row]) -> str:
    text = io.StringIO()
    writer: csv.DictWriter[str] | None = None
    for row in rows:
        if writer is None:
            writer = csv.DictWriter(text, list(row), lineterminator="\n")
            writer.writeheader()
        writer.writerow(row)
    return text.getvalue()
