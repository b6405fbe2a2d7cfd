"""Change the slimmed `lean.js`: look symbols up in the symbol file, and reach nothing else.

Two groups of changes. *Start-up*: the dynamic look-up `__dlsym_js` reads `syms.bin`
instead of listing the module's exports, and the passes over all exports go. *Isolation*:
the published script mounts the host's home and temporary folders, reads the host's
environment, can start programs and can evaluate JavaScript; all of that is removed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ragsolver_verifier.toolchain.errors import PatchMismatch

SYMBOL_FILE: Final = "syms.bin"

_DLSYM: Final = """\
var __symbols;
var __dlsym_js=(handle,symbol,symbolIndex)=>{
if(!__symbols){
const file=require("fs").readFileSync(require("path").join(__dirname,"syms.bin"));
const mask=file.readUInt32LE(0),crc=new Int32Array(256);
for(let i=0;i<256;i++){let c=i;for(let k=0;k<8;k++)c=c&1?c>>>1^0xEDB88320:c>>>1;crc[i]=c}
__symbols={file,mask,crc,slots:new Int32Array(file.buffer,file.byteOffset+4,4*(mask+1)),
blob:4+16*(mask+1)}}
growMemViews();
const t=__symbols,at=symbol>>>0;let h=-1,end=at,c;
while(c=HEAPU8[end]){h=t.crc[(h^c)&255]^h>>>8;end++}
h=~h;
for(let k=h&t.mask;;k=k+1&t.mask){
const value=t.slots[4*k+3];
if(value===0)break;
if(t.slots[4*k]!==h||t.slots[4*k+2]!==end-at)continue;
const from=t.blob+t.slots[4*k+1];let i=at;
while(i<end&&HEAPU8[i]===t.file[from+i-at])i++;
if(i===end)return value>0?value:-value-1}
dlSetError("Tried to lookup unknown symbol "+UTF8ToString(symbol));return 0};"""

_MERGE: Final = (
    "for(const name in wasmExports){const old=wasmImports[name];"
    "if(old===undefined||old.stub)wasmImports[name]=wasmExports[name]}"
    'wasmImports["main"]=wasmExports["__main_argc_argv"];'
)


@dataclass(frozen=True)
class _Edit:
    """Replace the text from `start` to just before `end` (or `start` itself) everywhere."""

    start: str
    end: str | None
    new: str


_EDITS: Final = (
    # Start-up.
    _Edit('mergeLibSymbols(wasmExports,"main");', None, _MERGE),
    _Edit("updateGOT(origExports);LDSO.init()", None, "LDSO.init()"),
    _Edit("functionsInTableMap=new WeakMap;updateTableMap(0,wasmTable.length)", None,
          "functionsInTableMap=new WeakMap"),
    _Edit("var tlsExports={};metadata.tlsExports", "}PThread.tlsInitFunctions.push", ""),
    _Edit("var __dlsym_js=(handle", '__dlsym_js.sig="pppp"', _DLSYM),
    # Isolation.
    _Edit('var lean_path=process.env["LEAN_PATH"]', "}else{function mkdirSafe", ""),
    _Edit("path=__filename}else", None, 'path="/lean/bin/lean"}else'),
    _Edit("eval(UTF8ToString(ptr))", None, 'abort("evaluating JavaScript is switched off")'),
    _Edit("var __emscripten_system=command=>{", "};__emscripten_system.sig",
          "var __emscripten_system=command=>{return-52"),
    _Edit('process.binding("constants")["fs"]', None, "fs.constants"),
    # The diagnostics of the package's author.
    _Edit('console.log("[DEBUG', None, 'void("[DEBUG'),
)  # fmt: skip


def patch_js(script: str) -> str:
    """Apply every change to a slimmed `lean.js`.

    Raises:
        PatchMismatch: a place that must be changed is not there: a change that is silently
            not made could leave the host reachable.
    """
    for edit in _EDITS:
        script = _apply(script, edit)
    return script


def _apply(script: str, edit: _Edit) -> str:
    if edit.start not in script:
        raise PatchMismatch(f"lean.js does not contain {edit.start!r}")
    if edit.end is None:
        return script.replace(edit.start, edit.new)
    at = script.index(edit.start)
    end = script.find(edit.end, at)
    if end < 0:
        raise PatchMismatch(f"lean.js has {edit.start!r} without {edit.end!r} after it")
    return script[:at] + edit.new + script[end:]
