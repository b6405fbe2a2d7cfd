"""The statement elaborated alone: its type, digest, view and negation, as Lean reports them."""

import hashlib
import json
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ragsolver_contracts.lean import Diagnostic, StatementView
from ragsolver_verifier.evidence import diagnostics, require_nonce
from ragsolver_verifier.header import plain_header, plain_text
from ragsolver_verifier.session import LeanSession
from ragsolver_verifier.view import read_view


@dataclass(frozen=True)
class Statement:
    """A statement under a header.

    Attributes:
        ok: whether it elaborates, as exactly one theorem, with no error.
        problem: why not: `header`, `error`, `forbidden`, `no_theorem`, `several_theorems`,
            `several_commands`, `proof`; empty when it does.
        name: full name of the theorem.
        canon: the elaborated type written out in full.
        negated: text of a theorem of the same name that states the negation.
    """

    header: str
    text: str
    ok: bool
    problem: str = ""
    name: str = ""
    canon: str = ""
    negated: str = ""
    view: StatementView | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    detail: str = ""

    @property
    def digest(self) -> str:
        """SHA-256 over header, statement and elaborated type, in hexadecimal."""
        parts = json.dumps([self.header, self.text, self.canon], ensure_ascii=False)
        return hashlib.sha256(parts.encode()).hexdigest()


def elaborate(session: LeanSession, header: str, text: str, *, timeout_s: float) -> Statement:
    """Elaborate a statement alone.

    Args:
        session: the Lean process.
        header: Lean text before it.
        text: `theorem name … : type`, ending before `:=`.
        timeout_s: seconds until the process is killed.

    Raises:
        LeanFailureError: Lean could not do it.
        LimitExceededError: it took too long or too much memory.
    """
    header, text = plain_header(header), plain_text(text)
    nonce = secrets.token_hex(16)
    request = {"op": "state", "nonce": nonce, "header": header, "statement": text}
    answer = session.ask(request, timeout_s=timeout_s)
    require_nonce(answer, nonce)
    return _read(header, text, answer)


def _read(header: str, text: str, answer: Mapping[str, Any]) -> Statement:
    in_header = answer["header"]
    if answer.get("ok") is not True:
        said = (
            *diagnostics(_errors(in_header["messages"]), "header"),
            *diagnostics(_errors(answer.get("messages", ())), "statement"),
        )
        findings = [*in_header["forbidden"], *answer.get("forbidden", ())]
        return Statement(
            header,
            text,
            ok=False,
            problem=str(answer.get("problem", "error")),
            diagnostics=said,
            detail=_detail(str(answer.get("problem", "error")), said, findings),
        )
    return Statement(
        header,
        text,
        ok=True,
        name=str(answer["name"]),
        canon=str(answer["canon"]),
        negated=str(answer["negated"]),
        view=read_view(answer["view"], type_=answer["type"], levels=answer["levels"]),
        diagnostics=diagnostics(answer["messages"], "statement"),
    )


def _errors(messages: Iterable[Any]) -> list[Any]:
    return [item for item in messages if item["severity"] == "error"]


def _detail(problem: str, said: tuple[Diagnostic, ...], findings: list[Any]) -> str:
    if said:
        return " ".join(said[0].text.split())[:300]
    if findings:
        return f"it contains the forbidden {findings[0]['what']} {findings[0]['name']}"
    return {
        "no_theorem": "it declares no theorem",
        "several_theorems": "it declares more than one theorem",
        "several_commands": "it is more than one command",
        "proof": "it brings a proof of its own; it must end before `:=`",
    }.get(problem, "it does not elaborate")
