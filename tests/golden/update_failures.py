"""Asks Lean anew what it says of failing texts: `python tests/golden/update_failures.py`.

A difference is what Lean, or the checker program, says differently now: read it, then run this.
"""

import json
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from ragsolver_verifier.settings import VerifierSettings
from ragsolver_verifier.toolchains import installed_program, start_session
from suites.lean_failures import FAILURES, RECORDED, judge, record


def main() -> None:
    """Write the file."""
    session = start_session(installed_program(), VerifierSettings())
    try:
        records = [record(failure, judge(session, failure)) for failure in FAILURES]
    finally:
        session.close()
    lines = [json.dumps(item, ensure_ascii=False) + "\n" for item in records]
    RECORDED.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
