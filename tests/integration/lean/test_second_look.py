"""What is forbidden by syntax would be found out without that rule, too.

The checker runs here with its rule on constructs loosened, so that what it forbids reaches the
elaborator: then the kernel's second look, the axioms and the type of the statement must tell.
"""

import pytest

from ragsolver_contracts.candidate import CheckLimits
from ragsolver_runtime.paths import resource_dir
from ragsolver_verifier.check import Question, check
from ragsolver_verifier.session import LeanProcess, Program
from ragsolver_verifier.statement import elaborate
from ragsolver_verifier.toolchain.flatten import flatten
from ragsolver_verifier.toolchain.locate import require
from ragsolver_verifier.toolchain.repl_layout import repl_layout
from suites.lean_specimens import ROOT, read

pytestmark = [pytest.mark.connected, pytest.mark.timeout(400)]

LOOSER = {
    "allowedOptionRoots : List Name := [": "allowedOptionRoots : List Name := [`debug, `warn, ",
    "def allowedCommands : List Name := [": (
        "def allowedCommands : List Name := [`Lean.Parser.Command.macro_rules, "
        "`Lean.guardMsgsCmd, "
    ),
    "`Lean.Parser.Command.macro_rules,\n": "\n",
    "`Lean.Parser.Term.quot]": "`nothing]",
}
SAID = {
    "skip_kernel": ("rejected", "elaboration_error"),
    "skip_kernel_in_term": ("rejected", "elaboration_error"),
    "skip_kernel_in_tactic": ("rejected", "elaboration_error"),
    "local_macro": ("rejected", "statement_mismatch"),
    "warn_sorry_off": ("rejected", "contains_sorry"),
    "by_as_sorry": ("rejected", "contains_sorry"),
    "guard_msgs_warning": ("rejected", "contains_sorry"),
}


@pytest.fixture(scope="module")
def looser(embedded, tmp_path_factory):
    folder = tmp_path_factory.mktemp("looser")
    text = flatten(resource_dir("lean_project") / "Checker.lean")
    for old, new in LOOSER.items():
        assert old in text, f"the checker no longer has {old!r}"
        text = text.replace(old, new)
    source = folder / "Checker.lean"
    source.write_text(text, encoding="utf-8")
    layout = repl_layout(require(), source, folder=folder / "repl")
    loosened = Program(layout.local_repl_path, layout.lake_path, embedded.toolchain)
    with LeanProcess(loosened, memory_mb=4_000) as session:
        session.ask({"op": "names", "header": "", "nonce": "warm"}, timeout_s=300)
        yield session


@pytest.mark.parametrize("name", SAID)
def test_it_is_found_out_all_the_same(looser, name):
    specimen = read(ROOT / "zoo" / f"{name}.lean")
    statement = elaborate(looser, specimen.header, specimen.statement, timeout_s=60)
    limits = CheckLimits(timeout_s=60.0)
    verdict = check(looser, Question(statement), specimen.candidate, limits)
    assert (verdict.status.value, verdict.reason and verdict.reason.value) == SAID[name]
    if name.startswith("skip_kernel"):
        assert "the kernel does not accept" in verdict.detail
