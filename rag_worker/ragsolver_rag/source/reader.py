"""One Lean file read as text: its declarations with full names, signatures and documentation.

No toolchain runs, so macros are not expanded and nothing is elaborated: what a text does not
tell, such as an implicit argument of another file, is not in the result.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping

from ragsolver_rag.source.attributes import Attribute, attributes
from ragsolver_rag.source.derived import derived, parts, value_of
from ragsolver_rag.source.found import FileFound, Found
from ragsolver_rag.source.masking import Comment, Masked, mask
from ragsolver_rag.source.module_docs import bullets, last_heading, title
from ragsolver_rag.source.scopes import Scopes
from ragsolver_rag.source.signature import (
    IDENTIFIER,
    as_type,
    closing_at,
    in_use,
    instance_name,
    signature_end,
    variables_of,
)
from ragsolver_rag.source.translate import Dictionary

_KEYWORDS = (
    r"theorem|lemma|def|abbrev|structure|class\s+inductive|class|inductive|coinductive|"
    r"instance|opaque|axiom|irreducible_def|alias|proof_wanted"
)
_MODIFIERS = (
    r"(?:(?:private|protected|public|noncomputable|unsafe|partial|nonrec|scoped|local|meta)\s+)*"
)
_DECLARATION = re.compile(rf"(?P<modifiers>{_MODIFIERS})(?P<keyword>{_KEYWORDS})(?![\w'.])")
_COMMAND = re.compile(
    rf"{_MODIFIERS}(?P<command>namespace|section|end|variable|open|mutual|attribute)\b"
)
_PREFIX = re.compile(r"(?:open|set_option|variable|omit|include|attribute|universe|unseal)\b")
_IN = re.compile(r"\sin(?=\s)")
_STARTS = re.compile(r"^(?=\S)", re.MULTILINE)
_INDENTED = re.compile(
    rf"^[ \t]+(?={_MODIFIERS}(?:theorem|lemma|def|abbrev|structure|class|inductive|instance|"
    r"namespace|section|end|variable|mutual|@\[)\b)",
    re.MULTILINE,
)
_CONTINUES = re.compile(r"[)\]}⟩|·]|(?:where|termination_by|decreasing_by|deriving)\b")
_NAME = re.compile(
    r"\s+((?:«[^»]*»|[^\s:({\[⦃⟨|,«])(?:«[^»]*»|[^\s:({\[⦃⟨|,«])*?)"
    r"(?=\.\{|[\s:({\[⦃⟨|]|$)"
)
_UNIVERSES = re.compile(r"\.\{[^}]*\}")
_PRIORITY = re.compile(r"\s*\(priority\s*:?=[^)]*\)")
_ALIAS = re.compile(r"\s*(?:⟨(?P<several>[^⟩]*)⟩|(?P<one>[^\s:]+))\s*:=\s*(?P<of>[^\s(]+)")
_KINDS = {
    "lemma": "theorem", "irreducible_def": "def", "coinductive": "inductive", "abbrev": "def",
    "proof_wanted": "theorem",
}  # fmt: skip
_WITH_BODY = frozenset({"def", "instance", "structure", "class", "inductive"})
_BODY_SAID = 300


def read_file(source: str, module: str, dictionaries: Mapping[str, Dictionary]) -> FileFound:
    """Everything that one file declares.

    Args:
        source: its text.
        module: its module name, such as `Mathlib.Order.Lattice`.
        dictionaries: by attribute; see `translate.read_dictionaries`.
    """
    return _Reader(source, module, dictionaries).read()


class _Reader:
    def __init__(self, source: str, module: str, dictionaries: Mapping[str, Dictionary]) -> None:
        self._source = source
        self._masked: Masked = mask(source)
        self._code = self._masked.code
        self._dictionaries = dictionaries
        self._found = FileFound(module)
        self._scopes = Scopes()
        self._starts = _command_starts(self._code)
        self._doc_ends = [doc.end for doc in self._masked.docs]
        self._headings = [
            (doc.start, heading)
            for doc in self._masked.module_docs
            if (heading := last_heading(doc.text))
        ]
        self._attributed: dict[str, list[str]] = {}
        self._in_attributes: list[tuple[int, int]] = []

    def read(self) -> FileFound:
        whole = "\n\n".join(doc.text for doc in self._masked.module_docs)
        self._found.title, self._found.bullets = title(whole), bullets(whole)
        self._found.mentions = dict(Counter(IDENTIFIER.findall(self._code)))
        at = 0
        while (place := bisect_right(self._starts, at - 1)) < len(self._starts):
            at = self._command(self._starts[place])
        self._apply_attributed()
        return self._found

    def _command(self, start: int) -> int:
        """Read one command; position from which to look for the next one."""
        at, said, local = self._prefixes(start)
        limit = self._next_start(at)
        declaration = _DECLARATION.match(self._code, at)
        if declaration is not None:
            end = self._body_end(at)
            self._declaration(declaration, start, end, said, local)
            return max(end, at + 1)
        command = _COMMAND.match(self._code, at)
        if command is not None:
            self._scope(command["command"], command.end(), limit)
        return max(limit, at + 1)

    def _prefixes(self, start: int) -> tuple[int, str, str]:
        """Where the command behind `@[…]` and `… in` begins; attributes; variables of `… in`."""
        at = start
        said: list[str] = []
        local: list[str] = []
        self._in_attributes = []
        while True:
            if self._code.startswith("@[", at):
                end = closing_at(self._code, at + 1)
                said.append(self._source[at + 2 : end - 1])
                self._in_attributes.append((at, end))
            else:
                prefix = _PREFIX.match(self._code, at)
                limit = self._next_start(at)
                inner = _IN.search(self._code, at, limit) if prefix else None
                if inner is None:
                    return at, ", ".join(said), " ".join(local)
                end = inner.end()
                if prefix is not None and prefix[0] == "variable":
                    local.append(self._code[at:end])
            at = _skip_blanks(self._code, end)

    def _scope(self, command: str, at: int, limit: int) -> None:
        text = self._code[at:limit]
        first = text.split("\n", 1)[0].split()
        if command == "namespace":
            self._scopes.enter("namespace", first[0] if first else "")
        elif command in {"section", "mutual"}:
            self._scopes.enter("section" if command == "section" else "mutual", "".join(first[:1]))
        elif command == "end":
            self._scopes.leave(first[0] if first else "")
        elif command == "variable":
            self._scopes.declare(variables_of(text))
        elif command == "open":
            self._scopes.open([w for w in text.split() if IDENTIFIER.fullmatch(w)])
        elif command == "attribute" and text.lstrip().startswith("["):
            opening = at + text.index("[")
            end = closing_at(self._code, opening)
            said = self._source[opening + 1 : end - 1]
            for name in self._code[end:limit].split():
                for full in self._scopes.candidates(name):
                    self._attributed.setdefault(full, []).append(said)

    def _declaration(
        self, found: re.Match[str], start: int, end: int, said: str, local: str
    ) -> None:
        keyword = " ".join(found["keyword"].split())
        kind = _KINDS.get(keyword, keyword.removesuffix(" inductive"))
        doc = self._doc_before(start, found.start())
        if "private" in found["modifiers"]:
            self._found.left_out += 1
            return
        listed = attributes(said)
        if keyword == "alias":
            self._alias(found, end, doc, listed)
            return
        written, at = self._written_name(keyword, found.end(), end)
        if not written and keyword != "instance":
            return
        ends = signature_end(self._code, at, end)
        signature = " ".join(self._code[at:ends].split())
        variables = [*self._scopes.variables, *variables_of(local)]
        body = self._code[ends:end] if kind in _WITH_BODY else ""
        name = written or instance_name(signature, variables, self._scopes.namespace)
        if not name:
            return
        deprecated, successor = self._deprecation(listed)
        base = Found(
            name=self._scopes.qualified(name),
            kind=kind,
            module=self._found.module,
            type=as_type(in_use(variables, f"{signature} {body[:_BODY_SAID]}"), signature),
            line=self._code.count("\n", 0, found.start()) + 1,
            value=value_of(body),
            doc=doc,
            origin="" if written else "auto_named",
            heading=self._heading(start),
            deprecated=deprecated,
            successor=successor,
        )
        self._keep(base, listed)
        if kind in {"structure", "class", "inductive"}:
            docs = {_skip_blanks(body, d.end - ends): d.text for d in self._docs_within(ends, end)}
            self._found.declarations.extend(parts(base, body, docs))

    def _written_name(self, keyword: str, at: int, end: int) -> tuple[str, int]:
        """The name after a keyword, empty where there is none, and where the signature begins."""
        if keyword == "instance" and (priority := _PRIORITY.match(self._code, at, end)):
            at = priority.end()
        named = _NAME.match(self._code, at, end)
        if named is None:
            return "", at
        universes = _UNIVERSES.match(self._code, named.end(), end)
        return named[1], universes.end() if universes else named.end()

    def _alias(self, found: re.Match[str], end: int, doc: str, listed: list[Attribute]) -> None:
        alias = _ALIAS.match(self._code, found.end(), end)
        if alias is None:
            return
        several = (alias["several"] or alias["one"]).split(",")
        target = self._scopes.candidates(alias["of"])
        deprecated, _ = self._deprecation(listed)
        for name in filter(None, (n.strip() for n in several)):
            if name == "_":
                continue
            base = Found(
                name=self._scopes.qualified(name),
                kind="theorem",
                module=self._found.module,
                type="",
                line=self._code.count("\n", 0, found.start()) + 1,
                doc=doc,
                origin="alias",
                origin_of=target[0],
                heading=self._heading(found.start()),
                deprecated=deprecated,
                successor=target,
            )
            self._keep(base, listed)

    def _keep(self, base: Found, listed: list[Attribute]) -> None:
        self._found.declarations.append(base)
        self._found.declarations.extend(derived(base, listed, self._dictionaries))

    def _deprecation(self, listed: list[Attribute]) -> tuple[str, tuple[str, ...]]:
        """Since when it is deprecated, if so, and what may stand for it."""
        for attribute in listed:
            if attribute.name == "deprecated":
                target = attribute.target
                successor = self._scopes.candidates(target) if target else ()
                return attribute.since or "yes", successor
        return "", ()

    def _apply_attributed(self) -> None:
        """What `attribute [reassoc] name` and its like make."""
        for base in list(self._found.declarations):
            for said in self._attributed.get(base.name, ()):
                made = derived(base, attributes(said), self._dictionaries)
                self._found.declarations.extend(made)

    def _doc_before(self, start: int, end: int) -> str:
        """The documentation of a declaration; that of what an attribute makes is not its own."""
        place = bisect_right(self._doc_ends, end) - 1
        while place >= 0 and any(
            a <= self._masked.docs[place].start < b for a, b in self._in_attributes
        ):
            place -= 1
        if place < 0:
            return ""
        doc = self._masked.docs[place]
        near = doc.start >= start or not self._code[doc.end : start].strip()
        return doc.text if near else ""

    def _docs_within(self, start: int, end: int) -> list[Comment]:
        return [d for d in self._masked.docs if start <= d.start and d.end <= end]

    def _heading(self, at: int) -> str:
        place = bisect_right(self._headings, (at, "")) - 1
        return self._headings[place][1] if place >= 0 else ""

    def _next_start(self, at: int) -> int:
        place = bisect_right(self._starts, at)
        return self._starts[place] if place < len(self._starts) else len(self._code)

    def _body_end(self, at: int) -> int:
        """Where the next command begins; a closing bracket or `where` goes on with this one."""
        place = bisect_right(self._starts, at)
        while place < len(self._starts) and _CONTINUES.match(self._code, self._starts[place]):
            place += 1
        return self._starts[place] if place < len(self._starts) else len(self._code)


def _command_starts(code: str) -> list[int]:
    """Positions at which a command may begin.

    A command stands at the start of a line. Where most declarations of a file are indented,
    indented keywords begin commands too.
    """
    starts = [found.start() for found in _STARTS.finditer(code)]
    plain = sum(1 for at in starts if _DECLARATION.match(code, at))
    indented = [found.end() for found in _INDENTED.finditer(code)]
    if len(indented) > plain:
        starts = sorted({*starts, *indented})
    return starts


def _skip_blanks(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at
