import pytest

from ragsolver_verifier.toolchain.errors import PatchMismatch
from ragsolver_verifier.toolchain.patch_js import patch_js

PARTS = {
    "merge": 'mergeLibSymbols(wasmExports,"main");',
    "got": "updateGOT(origExports);LDSO.init();",
    "map": "functionsInTableMap=new WeakMap;updateTableMap(0,wasmTable.length)",
    "tls": ";var tlsExports={};metadata.tlsExports.forEach(f)}PThread.tlsInitFunctions.push(w)",
    "dlsym": ';var __dlsym_js=(handle,s,i)=>{scan()};__dlsym_js.sig="pppp";',
    "mount": 'if(isNode){var lean_path=process.env["LEAN_PATH"];'
    'FS.mount(NODEFS,{root:"/home"},"/home");FS.chdir(cwd)}else{function mkdirSafe(p){}}',
    "self": 'if(isNode){path=__filename}else{path="x"}',
    "eval": "var run=ptr=>{eval(UTF8ToString(ptr))};",
    "system": "var __emscripten_system=command=>{spawnSync(command)};__emscripten_system.sig=1;",
    "binding": 'var flags=process.binding("constants")["fs"];',
    "debug": 'console.log("[DEBUG:A] hello");',
}


def test_nothing_of_the_host_stays_reachable() -> None:
    patched = patch_js("".join(PARTS.values()))
    for forbidden in ("process.env", 'root:"/home"', "eval(", "spawnSync", "chdir", "__filename"):
        assert forbidden not in patched
    assert 'void("[DEBUG:A] hello")' in patched
    assert '__dlsym_js.sig="pppp"' in patched
    assert "syms.bin" in patched
    assert "scan()" not in patched


@pytest.mark.parametrize("lost", PARTS)
def test_a_change_that_cannot_be_made_is_an_error(lost: str) -> None:
    script = "".join(text for name, text in PARTS.items() if name != lost)
    with pytest.raises(PatchMismatch, match=r"lean\.js"):
        patch_js(script)
