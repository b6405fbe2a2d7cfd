"""Positions in the assembled text as positions in the candidate's own."""

from ragsolver_contracts.lean import Position
from ragsolver_verifier.assemble import Assembled
from ragsolver_verifier.evidence import Evidence, Finding, Hole, Message


def in_own_text(evidence: Evidence, assembled: Assembled) -> Evidence:
    """The same evidence with every position counted in the part of the text that it is in."""
    return evidence.model_copy(
        update={
            "messages": tuple(_message(item, assembled) for item in evidence.messages),
            "sorries": tuple(_hole(item, assembled) for item in evidence.sorries),
            "forbidden": tuple(_finding(item, assembled) for item in evidence.forbidden),
        }
    )


def _message(message: Message, assembled: Assembled) -> Message:
    part, start = assembled.own(message.pos)
    end: Position | None = None
    if message.end_pos is not None:
        ends_in, place = assembled.own(message.end_pos)
        end = place if ends_in == part else None
    return message.model_copy(update={"part": part, "pos": start, "end_pos": end})


def _hole(hole: Hole, assembled: Assembled) -> Hole:
    if hole.pos is None or hole.end_pos is None:
        return hole
    part, start = assembled.own(hole.pos)
    _, end = assembled.own(hole.end_pos)
    return hole.model_copy(update={"part": part, "pos": start, "end_pos": end})


def _finding(finding: Finding, assembled: Assembled) -> Finding:
    if finding.pos is None:
        return finding
    part, start = assembled.own(finding.pos)
    return finding.model_copy(update={"part": part, "pos": start})
