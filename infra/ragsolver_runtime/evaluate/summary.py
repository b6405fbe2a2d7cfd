"""The evaluation as one value, computed from the results of its runs."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from pydantic import Field

from ragsolver_contracts.base import Model
from ragsolver_contracts.evaluation import ContaminationCheck
from ragsolver_runtime.evaluate.compare import Comparison, Rates, comparisons, rates
from ragsolver_runtime.evaluate.outcomes import COUNTED, ProblemResult, RunResult
from ragsolver_runtime.evaluate.statistics import bootstrap, pass_at_k, quantile, wilson

DIGITS = 6


class Spread(Model):
    """Quantiles of some seconds."""

    count: int
    p10: float
    p25: float
    median: float
    p75: float
    p90: float


class RetrievalResult(Model):
    """What retrieval did for one configuration."""

    proofs: int = 0
    cited: int = 0
    """Proofs that rest on at least one retrieved lemma."""
    named: int = 0
    """Proofs whose text names one."""
    retrieved: int = 0
    """Chunks that were found for proved problems."""
    used: int = 0
    precision: float | None = None
    """Lemma-use precision: used by retrieved, over proved problems."""
    rounds: int = 0
    """Look-ups after an error."""
    asked_again: int = 0
    """Samples with such a look-up."""
    proved_after: int = 0
    """Those of them that were proved in the end."""
    used_after: int = 0
    """Those of them whose proof rests on a lemma that only such a look-up found."""


class ConfigurationResult(Model):
    """One configuration over all its repetitions, contaminated problems left out."""

    name: str
    runs: tuple[str, ...]
    outcomes: dict[str, int]
    """Samples by outcome; only solved, statement_false and not_proved count as samples."""
    problems: int
    """Problems with at least one counted sample: the clusters."""
    samples: int
    proved: int
    pass_at: dict[int, float]
    """By k; over the problems with at least k counted samples."""
    wilson: tuple[float, float] | None
    """95 % interval of pass@1, with problems as units."""
    bootstrap: tuple[float, float] | None
    """95 % interval of pass@1, problems drawn again."""
    pass_at_1_with_contaminated: float | None
    retrieval: RetrievalResult
    llm_calls: int
    input_tokens: int
    output_tokens: int
    cache_tokens: int
    lost_calls: int
    cost_usd: float
    candidates: int
    verdicts: int
    candidate_failures: int
    lean_s: float
    lean_cpu_s: float
    wall_to_proof_s: Spread | None
    lean_to_proof_s: Spread | None
    errors: dict[str, int]


class EvaluationReport(Model):
    """Everything that an evaluation found; made from the traces alone."""

    evaluation_ids: tuple[str, ...]
    baseline: str
    contamination: ContaminationCheck
    excluded: tuple[str, ...]
    """Contaminated problems of the runs; they count nowhere but where it says so."""
    configurations: tuple[ConfigurationResult, ...]
    comparisons: tuple[Comparison, ...]
    only_with_retrieval: tuple[str, ...]
    """Problems proved in a run with retrieval and in none without, counted in both."""
    only_without_retrieval: tuple[str, ...]
    notes: tuple[str, ...]
    runs: tuple[RunResult, ...] = Field(repr=False)


def summarize(runs: Sequence[RunResult], baseline: str = "") -> EvaluationReport:
    """The report of some runs.

    Args:
        runs: in the order in which their configurations are shown, the baseline first.
        baseline: what the others are compared with; empty: what the runs say, else `full`, else
            the first.
    """
    check = _check(runs)
    excluded = {found.name for found in check.found}
    grouped: dict[str, list[RunResult]] = defaultdict(list)
    for run in runs:
        grouped[run.config.name].append(run)
    base = _baseline(runs, baseline, list(grouped))
    ordered = sorted(grouped, key=lambda name: name != base)
    counted = {name: rates(_clean(grouped[name], excluded)) for name in ordered}
    present = {p.name for run in runs for p in run.problems}
    with_it, without = _by_retrieval(runs, excluded)
    shared = with_it.keys() & without.keys()
    only_with = sorted(n for n in shared if with_it[n] and not without[n])
    return EvaluationReport(
        evaluation_ids=tuple(
            dict.fromkeys(r.evaluation.evaluation_id for r in runs if r.evaluation)
        ),
        baseline=base,
        contamination=check,
        excluded=tuple(sorted(excluded & present)),
        configurations=tuple(_configuration(n, grouped[n], excluded) for n in ordered),
        comparisons=tuple(comparisons(base, counted)),
        only_with_retrieval=tuple(only_with),
        only_without_retrieval=tuple(sorted(n for n in shared if without[n] and not with_it[n])),
        notes=tuple(_notes(base, grouped)),
        runs=tuple(runs),
    )


def _check(runs: Sequence[RunResult]) -> ContaminationCheck:
    """What was compared; findings of every run together."""
    checks = [run.evaluation.contamination for run in runs if run.evaluation is not None]
    if not checks:
        return ContaminationCheck(skipped="The runs were started outside of an evaluation.")
    found = {item.name: item for check in checks for item in check.found}
    ordered = tuple(found[name] for name in sorted(found))
    return checks[0].model_copy(update={"found": ordered})


def _baseline(runs: Sequence[RunResult], wanted: str, names: list[str]) -> str:
    said = [run.evaluation.baseline for run in runs if run.evaluation is not None]
    for name in (wanted, *said, "full"):
        if name in names:
            return name
    return names[0] if names else ""


def _clean(runs: Iterable[RunResult], excluded: set[str]) -> list[ProblemResult]:
    return [p for run in runs for p in run.problems if p.name not in excluded]


def _by_retrieval(
    runs: Iterable[RunResult], excluded: set[str]
) -> tuple[dict[str, bool], dict[str, bool]]:
    """Whether each problem was proved, in runs with retrieval and in runs without."""
    sides: tuple[dict[str, bool], dict[str, bool]] = ({}, {})
    for run in runs:
        side = sides[0] if run.config.retrieval.enabled else sides[1]
        for problem in run.problems:
            if problem.counted and problem.name not in excluded:
                side[problem.name] = side.get(problem.name, False) or problem.proved
    return sides


def _configuration(
    name: str, runs: Sequence[RunResult], excluded: set[str]
) -> ConfigurationResult:
    results = _clean(runs, excluded)
    found = rates(results)
    shares = [rate.share for rate in found.values()]
    one = sum(shares) / len(shares) if shares else None
    everything = [rate.share for rate in rates(_clean(runs, set())).values()]
    proofs = [p for p in results if p.proved]
    interval = bootstrap(shares)
    return ConfigurationResult(
        name=name,
        runs=tuple(run.run_id for run in runs),
        outcomes=_sums(Counter(p.outcome for p in results)),
        problems=len(found),
        samples=sum(rate.samples for rate in found.values()),
        proved=len(proofs),
        pass_at=_pass_at(found, len(runs)),
        wilson=_pair(wilson(one, len(shares))) if one is not None else None,
        bootstrap=_pair(interval) if interval is not None else None,
        pass_at_1_with_contaminated=_round(sum(everything) / len(everything))
        if everything
        else None,
        retrieval=_retrieval(results),
        llm_calls=sum(p.llm_calls for p in results),
        input_tokens=sum(p.input_tokens for p in results),
        output_tokens=sum(p.output_tokens for p in results),
        cache_tokens=sum(p.cache_tokens for p in results),
        lost_calls=sum(p.lost_calls for p in results),
        cost_usd=_round(sum(p.cost_usd for p in results)),
        candidates=sum(p.candidates for p in results),
        verdicts=sum(p.verdicts for p in results),
        candidate_failures=sum(p.candidate_failures for p in results),
        lean_s=_round(sum(p.lean_s for p in results)),
        lean_cpu_s=_round(sum(p.lean_cpu_s for p in results)),
        wall_to_proof_s=_spread(p.wall_s for p in proofs),
        lean_to_proof_s=_spread(p.lean_s for p in proofs),
        errors=_sums(sum((Counter(p.errors) for p in results), Counter[str]())),
    )


def _pass_at(found: Rates, repetitions: int) -> dict[int, float]:
    """By k = 1, 2, 4, … and the number of repetitions."""
    wanted = {1, repetitions, *(2**n for n in range(10) if 2**n <= repetitions)}
    table = {}
    for k in sorted(wanted):
        each = [pass_at_k(r.samples, r.passed, k) for r in found.values() if r.samples >= k]
        if each:
            table[k] = _round(sum(each) / len(each))
    return table


def _retrieval(results: Sequence[ProblemResult]) -> RetrievalResult:
    proofs = [p for p in results if p.proved]
    again = [p for p in results if p.re_retrievals and p.outcome in COUNTED]
    retrieved, used = sum(p.retrieved for p in proofs), sum(p.used for p in proofs)
    return RetrievalResult(
        proofs=len(proofs),
        cited=sum(p.used > 0 for p in proofs),
        named=sum(p.named > 0 for p in proofs),
        retrieved=retrieved,
        used=used,
        precision=_round(used / retrieved) if retrieved else None,
        rounds=sum(p.re_retrievals for p in again),
        asked_again=len(again),
        proved_after=sum(p.proved for p in again),
        used_after=sum(p.proved and p.used_from_re_retrieval > 0 for p in again),
    )


def _notes(base: str, grouped: dict[str, list[RunResult]]) -> Iterable[str]:
    free = {"name": "", "seed": 0}
    reference = [run.config.model_copy(update=free) for run in grouped.get(base, [])]
    for name, runs in grouped.items():
        config = runs[0].config
        if len({run.config.model_copy(update=free).model_dump_json() for run in runs}) > 1:
            yield f"{name}: its runs have different settings under one name."
        if name != base and config.model_copy(update=free) in reference:
            yield f"{name} has the settings of {base}: what differs between them is noise."
        reranked = any(p.reranked for run in runs for p in run.problems)
        if config.retrieval.enabled and config.retrieval.rerank and not reranked:
            yield f"{name}: reranking is on, but no reranker is named (retriever.reranker)."
        left = sum(not p.counted and p.outcome != "refused" for run in runs for p in run.problems)
        if left:
            yield f"{name}: {left} samples ended in infrastructure, cancellation or not at all."
    if len({run.versions.get("lean", "") for runs in grouped.values() for run in runs}) > 1:
        yield "The runs used different Lean versions."


def _spread(values: Iterable[float | None]) -> Spread | None:
    ordered = sorted(value for value in values if value is not None)
    if not ordered:
        return None
    shares = {"p10": 0.1, "p25": 0.25, "median": 0.5, "p75": 0.75, "p90": 0.9}
    found = {name: _round(quantile(ordered, share)) for name, share in shares.items()}
    return Spread(count=len(ordered), **found)


def _sums(counts: Counter[str]) -> dict[str, int]:
    return {name: counts[name] for name in sorted(counts)}


def _pair(interval: tuple[float, float]) -> tuple[float, float]:
    return _round(interval[0]), _round(interval[1])


def _round(value: float) -> float:
    return round(value, DIGITS)
