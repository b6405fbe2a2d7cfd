"""A program that answers like the checker, and misbehaves as a candidate's text says."""

import json
from pathlib import Path

from ragsolver_verifier.session import Program
from suites.fake_repl import fake_program
from suites.scripted_lean import GOOD, STATE

_CHECKER = """#!{python}
import json, os, sys, time
good, state = json.loads(GOOD), json.loads(STATE)
answered = 0
while True:
    lines = []
    for line in sys.stdin:
        if line == "\\n":
            break
        lines.append(line)
    else:
        sys.exit()
    if answered == DIES_AFTER:
        os._exit(1)
    request = json.loads("".join(lines))
    op, answer = request["op"], dict(header_cached=answered > 0)
    if op == "state":
        answer.update(state)
    elif op == "names":
        answer.update(missing=[], missing_namespaces=[])
    else:
        if "sleep" in request["source"]:
            open(MARK, "w").write(str(os.getpid()))
            time.sleep(600)
        said = dict(good)
        if "wrong" in request["source"]:
            said.update(complete=False, declared=0)
        answer.update(statement_ok=True, statement_name="foo", canon=state["canon"])
        answer.update(result=said)
    answered += 1
    print(json.dumps(dict(answer, nonce=request["nonce"])) + "\\n", flush=True)
"""


def fake_checker(folder: Path, *, dies_after: int = -1) -> Program:
    """How to start it; its files are written to `folder`.

    A candidate that says `sleep` is never answered, and leaves the process id in `mark`.

    Args:
        folder: an empty folder.
        dies_after: it dies at the request after so many; never when negative.
    """
    program = (
        _CHECKER.replace("GOOD", repr(json.dumps(GOOD)).replace("{", "{{").replace("}", "}}"))
        .replace("STATE", repr(json.dumps(STATE)).replace("{", "{{").replace("}", "}}"))
        .replace("DIES_AFTER", str(dies_after))
        .replace("MARK", repr(str(folder / "mark")))
    )
    return fake_program(folder, program)
