"""Declarations that Lean makes of one that is written: translations, lemmas of structures, parts.

Names follow Mathlib's attributes. What an attribute really makes depends on elaboration; these
are the names that the text tells.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from ragsolver_rag.source.attributes import Attribute
from ragsolver_rag.source.found import Found
from ragsolver_rag.source.signature import as_type, signature_end, split_signature
from ragsolver_rag.source.translate import Dictionary

_FIELD = re.compile(
    r"^[ \t]+(?:protected |private |class )*([^\W\d][\w'₀-₉]*)\s*(?=[:({\[⦃])", re.MULTILINE
)
_CONSTRUCTOR = re.compile(r"^[ \t]*\|\s*(?:protected |private )*([^\W\d][\w'₀-₉]*)", re.MULTILINE)
_ASSIGNED = re.compile(r"^[ \t]+([^\W\d][\w'₀-₉]*)(?:\s+[^\n:=|]*)?:=", re.MULTILINE)
_NOT_TRANSLATED = frozenset({"existing", "self", "none"})
_SUFFIXED = {"reassoc": "_assoc", "elementwise": "_apply"}
_PROJECTED = {"toFun": "apply", "invFun": "symm_apply", "carrier": "coe"}
_STRUCTURES = frozenset({"structure", "class"})
_MOST_VALUE = 800


def derived(
    base: Found, found: Iterable[Attribute], dictionaries: Mapping[str, Dictionary]
) -> list[Found]:
    """Declarations made of one by its attributes, translations of all of them included."""
    made: list[Found] = []
    listed = list(found)
    for attribute in listed:
        made.extend(_lemmas(base, attribute))
    for attribute in listed:
        dictionary = dictionaries.get(attribute.name)
        if dictionary is None or (attribute.words and attribute.words[0] in _NOT_TRANSLATED):
            continue
        named = attribute.target
        sources = [base, *made]
        for source in sources:
            target = named if source is base else ""
            made.append(_translated(source, attribute, target, dictionary))
    return [each for each in made if each.name != base.name]


def _lemmas(base: Found, attribute: Attribute) -> Iterator[Found]:
    name, kind = attribute.name, base.kind
    if name in _SUFFIXED:
        yield _made(base, base.name + _SUFFIXED[name], name)
    elif name == "ext" and kind in _STRUCTURES:
        yield _made(base, f"{base.name}.ext", name)
        yield _made(base, f"{base.name}.ext_iff", name)
    elif name == "ext" and base.name.rpartition(".")[2].startswith("ext"):
        yield _made(base, f"{base.name}_iff", name)
    elif name == "mk_iff":
        last = base.name.rpartition(".")[2]
        yield _made(base, _beside(base, attribute.target or f"{_small(last)}_iff"), name)
    elif name == "to_fun":
        last = base.name.rpartition(".")[2]
        yield _made(base, _beside(base, attribute.target or f"fun_{last}"), name)
    elif name in {"simps", "simps!"}:
        for part in _projections(base, attribute):
            yield _made(base, f"{base.name}_{part}", "simps")


def _projections(base: Found, attribute: Attribute) -> list[str]:
    asked = [w for w in attribute.words if re.fullmatch(r"[^\W\d][\w']*", w)]
    if asked:
        return asked
    written = (_PROJECTED.get(n, n) for n in _ASSIGNED.findall(base.value))
    return [n for n in dict.fromkeys(written) if n in _PROJECTED.values() or "_" not in n]


def _translated(source: Found, attribute: Attribute, target: str, dictionary: Dictionary) -> Found:
    if not target:
        name = dictionary.name(source.name)
    elif target.startswith("_root_."):
        name = target.removeprefix("_root_.")
    else:
        namespace = source.name.rpartition(".")[0]
        translated = dictionary.name(namespace)
        name = target if "." in target or not translated else f"{translated}.{target}"
    return replace(
        source,
        name=name,
        type=dictionary.formula(source.type),
        value=dictionary.formula(source.value),
        doc=attribute.doc,
        origin=attribute.name,
        origin_of=source.name,
        deprecated="",
        successor=(),
    )


def _made(base: Found, name: str, origin: str) -> Found:
    return replace(
        base, name=name, kind="theorem", doc="", value="", origin=origin, origin_of=base.name
    )


def parts(base: Found, code: str, docs: Mapping[int, str]) -> list[Found]:
    """Fields of a structure or constructors of an inductive type.

    Args:
        base: the structure or inductive type.
        code: its body without comments, newlines kept.
        docs: documentation by the position in the body of the code that follows it.
    """
    structure = base.kind in _STRUCTURES
    pattern = _FIELD if structure else _CONSTRUCTOR
    found = []
    for part in pattern.finditer(code):
        end = min(signature_end(code, part.end(), len(code)), _next(pattern, code, part.end()))
        said = " ".join(code[part.end() : end].split())
        found.append(
            replace(
                base,
                name=f"{base.name}.{part[1]}",
                kind="field" if structure else "ctor",
                type=as_type((), said) if split_signature(said)[1] else said or base.name,
                value="",
                doc=docs.get(_first_code(code, part.start()), ""),
                origin="field" if structure else "constructor",
                origin_of=base.name,
            )
        )
    return found


def _next(pattern: re.Pattern[str], code: str, at: int) -> int:
    following = pattern.search(code, at)
    return following.start() if following else len(code)


def _first_code(code: str, at: int) -> int:
    while at < len(code) and code[at].isspace():
        at += 1
    return at


def value_of(code: str) -> str:
    """The body of a definition, cut; lines are kept, empty ones left out."""
    lines = (line.rstrip() for line in code.splitlines())
    return "\n".join(line for line in lines if line)[:_MOST_VALUE].lstrip()


def _beside(base: Found, last: str) -> str:
    namespace = base.name.rpartition(".")[0]
    return f"{namespace}.{last}" if namespace and "." not in last else last


def _small(name: str) -> str:
    return name[:1].lower() + name[1:]
