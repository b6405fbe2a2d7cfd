"""Take one example of each event from a trace: `python tests/contract/update_examples.py TRACE`.

Of each event the shortest one in the trace is kept. Events that the trace lacks keep the example
that is there.
"""

import json
import sys
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).parents[2] / "contracts" / "examples" / "v1"


def main(trace: Path) -> None:
    shortest: dict[str, tuple[int, dict[str, Any]]] = {}
    for line in trace.read_text(encoding="utf-8").splitlines():
        event = json.loads(line).get("event")
        if event is None:  # the closing line
            continue
        name = event["type"].split(".")[1]
        if name not in shortest or len(line) < shortest[name][0]:
            shortest[name] = (len(line), event)
    for name, (_, event) in sorted(shortest.items()):
        text = json.dumps(event, indent=2, ensure_ascii=False) + "\n"
        (EXAMPLES / f"{name}.json").write_text(text, encoding="utf-8")
    sys.stdout.write(f"{len(shortest)} examples from {trace}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
