"""From evidence to the verdict's status, reason and one sentence."""

from typing import NamedTuple

from ragsolver_contracts.verdict import VerdictReason, VerdictStatus
from ragsolver_verifier.axioms import SORRY, beyond_standard
from ragsolver_verifier.evidence import Evidence, Finding, Message

_TIMEOUTS = ("(deterministic) timeout", "maximum number of heartbeats")
_NOT_PLAIN = frozenset({"opaque", "axiom", "quot"})


class Outcome(NamedTuple):
    """What a verdict says."""

    status: VerdictStatus
    reason: VerdictReason | None
    detail: str


def rejected(reason: VerdictReason, detail: str) -> Outcome:
    """A rejection."""
    return Outcome(VerdictStatus.REJECTED, reason, detail)


def undecided(reason: VerdictReason, detail: str) -> Outcome:
    """Neither accepted nor rejected: a limit was reached."""
    return Outcome(VerdictStatus.INCONCLUSIVE, reason, detail)


def objection(evidence: Evidence, name: str) -> Outcome | None:
    """The first reason against acceptance; none when nothing is missing.

    The order is that of usefulness to whoever reads it: what Lean was not even asked, what it
    complained about, what is not there, what is not the same, what it rests on, what its kernel
    says.

    Args:
        evidence: the checker's answer on one candidate.
        name: full name of the theorem asked for.
    """
    errors = [message for message in evidence.messages if message.severity == "error"]
    if evidence.forbidden:
        return _forbidden(evidence.forbidden, errors)
    if errors:
        return _errors(errors)
    if evidence.declared != 1:
        return rejected(
            VerdictReason.STATEMENT_MISMATCH,
            f"declares {evidence.declared or 'no'} declaration named {name}",
        )
    if evidence.kind != "theorem":
        return rejected(VerdictReason.STATEMENT_MISMATCH, f"{name} is a {evidence.kind}")
    return _content(evidence, name) or _kernel(evidence, name)


def _content(evidence: Evidence, name: str) -> Outcome | None:
    if not evidence.type_equal:
        return rejected(
            VerdictReason.STATEMENT_MISMATCH, f"the type of {name} is not the statement's"
        )
    if SORRY in evidence.axioms:
        return rejected(VerdictReason.CONTAINS_SORRY, f"{name} rests on sorry")
    outside = [*evidence.new_axioms, *beyond_standard(evidence.axioms)]
    if outside:
        return rejected(VerdictReason.FORBIDDEN_AXIOM, f"{name} rests on {', '.join(outside)}")
    for declared in evidence.rests_on:
        if declared.kind in _NOT_PLAIN or not declared.safe:
            what = declared.kind if declared.safe else f"unsafe or partial {declared.kind}"
            return rejected(
                VerdictReason.FORBIDDEN_CONSTRUCT, f"{name} rests on the {what} {declared.name}"
            )
    return None


def _kernel(evidence: Evidence, name: str) -> Outcome | None:
    kernel = evidence.kernel
    if kernel is None:
        return rejected(VerdictReason.ELABORATION_ERROR, "the kernel did not see it")
    if kernel.failed:
        first = kernel.failed[0]
        if all(failed.error == "timeout" for failed in kernel.failed):
            return undecided(
                VerdictReason.TIMEOUT, f"the kernel ran out of heartbeats on {first.name}"
            )
        return rejected(
            VerdictReason.ELABORATION_ERROR,
            f"the kernel does not accept {first.name}: {first.error}",
        )
    if not (kernel.ok and evidence.in_kernel):
        return rejected(VerdictReason.ELABORATION_ERROR, f"the kernel did not accept {name}")
    return None


def _errors(errors: list[Message]) -> Outcome:
    texts = [" ".join(error.data.split()) for error in errors]
    if all(any(mark in text for mark in _TIMEOUTS) for text in texts):
        return undecided(VerdictReason.TIMEOUT, texts[0][:300])
    return rejected(VerdictReason.ELABORATION_ERROR, texts[0][:300])


def _forbidden(found: tuple[Finding, ...], errors: list[Message]) -> Outcome:
    """What is forbidden, and the error before it: that may be why it was read so."""
    first = found[0]
    axiom = first.what == "axiom"
    reason = VerdictReason.FORBIDDEN_AXIOM if axiom else VerdictReason.FORBIDDEN_CONSTRUCT
    text = "" if first.part == "whole" else f" of the {first.part}"
    where = f" in line {first.pos.line}{text}" if first.pos else ""
    why = ": imports belong to the header, before everything else" if _is_import(first) else ""
    before = f"; before it: {' '.join(errors[0].data.split())[:200]}" if errors else ""
    return rejected(reason, f"forbidden {first.what} {first.name}{where}{why}{before}")


def _is_import(found: Finding) -> bool:
    return found.name == "Lean.Parser.Command.import"
