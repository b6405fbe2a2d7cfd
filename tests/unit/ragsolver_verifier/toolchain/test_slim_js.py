import pytest

from ragsolver_verifier.toolchain.errors import PatchMismatch
from ragsolver_verifier.toolchain.slim_js import ALWAYS_KEPT, slim_js

SCRIPT = (
    "var a=1;var _main,_used,_unused,wasmTable;function assignWasmExports(wasmExports){"
    '_main=Module["_main"]=wasmExports["__main_argc_argv"];'
    '_used=Module["_used"]=wasmExports["used"];'
    '_unused=Module["_unused"]=wasmExports["unused"].value;'
    'wasmTable=wasmExports["__indirect_function_table"]}'
    "var wasmImports;function f(){_used();wasmTable.get(1)}"
)


def test_only_used_names_stay() -> None:
    slim = slim_js(SCRIPT)
    assert "_unused" not in slim.text
    assert "var _used,wasmTable;" in slim.text
    assert '_used=Module["_used"]=wasmExports["used"];' in slim.text
    assert slim.text.startswith("var a=1;")
    assert slim.text.endswith("wasmTable.get(1)}")


def test_the_names_to_export_are_those_read_and_those_of_the_start_up() -> None:
    assert slim_js(SCRIPT).exports == ALWAYS_KEPT | {"used"}


@pytest.mark.parametrize("lost", ["var _main,", "function assignWasmExports", "}var wasmImports"])
def test_a_script_of_another_shape_is_refused(lost: str) -> None:
    with pytest.raises(PatchMismatch):
        slim_js(SCRIPT.replace(lost, "?"))
