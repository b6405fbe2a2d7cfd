"""Which published statements core Lean can state: exactly the listed ones."""

import json
from pathlib import Path

import pytest

from ragsolver_verifier.header import (
    compatibility_header,
    imports_mathlib,
    lookup_header,
    opened_namespaces,
)
from ragsolver_verifier.statement import elaborate

pytestmark = [pytest.mark.connected, pytest.mark.timeout(600)]

BENCH = Path(__file__).resolve().parents[4] / "shared" / "bench"


@pytest.fixture(scope="module")
def published():
    problems, core = BENCH / "minif2f_valid.jsonl", BENCH / "minif2f_valid_core.txt"
    if not (problems.is_file() and core.is_file()):
        pytest.skip("the published problem files are not beside the checkout")
    lines = problems.read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines], set(core.read_text(encoding="utf-8").split())


def test_exactly_the_core_statements_elaborate(session, published):
    problems, core = published
    header = problems[0]["header"]
    assert imports_mathlib(header)
    asked = {
        "op": "names",
        "nonce": "n",
        "header": lookup_header(header),
        "namespaces": list(opened_namespaces(header)),
    }
    missing = session.ask(asked, timeout_s=120)["missing_namespaces"]
    made = compatibility_header(header, frozenset(missing))
    stated = set()
    for problem in problems:
        text = problem["formal_statement"]
        statement = elaborate(session, made, text[: text.rindex(":=")].rstrip(), timeout_s=60)
        assert statement.ok or statement.detail
        if statement.ok:
            stated.add(problem["name"])
    assert stated == core
