"""The vocabulary of the search: symbols, LaTeX, and words that mean the same to a Lean reader.

Everything here is data. `tokenize` applies it to the corpus and to queries alike, so that
`n + m = m + n`, `$n + m = m + n$`, `add_comm` and "addition commutes" meet in the same terms.
"""

from typing import Final

from ragsolver_rag.synonyms import (
    ENGLISH_MORE,
    GROUPS_MORE,
    LATEX_MORE,
    PHRASES_MORE,
    SPELLINGS_MORE,
    SYMBOLS_MORE,
)

SYMBOLS: Final[dict[str, str]] = SYMBOLS_MORE | {
    "+": "add", "*": "mul", "-": "sub", "/": "div", "%": "mod", "^": "pow", "·": "mul",
    "×": "prod", "⬝": "mul", "•": "smul", "∘": "comp", "⁻¹": "inv", "²": "pow two",
    "³": "pow three", "√": "sqrt", "=": "eq", "==": "beq", "≠": "ne", "!=": "bne", "≍": "heq",
    "≤": "le", "<=": "le", "≥": "ge", ">=": "ge", "<": "lt", ">": "gt", "≈": "equiv",
    "≡": "mod eq", "∣": "dvd", "∤": "not dvd", "∧": "and", "/\\": "and", "∨": "or", "\\/": "or",
    "¬": "not", "!": "not", "&&": "and", "||": "or", "&&&": "and", "|||": "or", "^^^": "xor",
    "~~~": "not", "<<<": "shift left", ">>>": "shift right", "↔": "iff", "⇔": "iff",
    "→": "imp", "⇒": "imp", "->": "imp", "↦": "fun", "=>": "fun", "∀": "forall",
    "∃": "exists", "∃!": "exists unique", "∈": "mem", "∉": "not mem", "⊆": "subset",
    "⊂": "ssubset", "∩": "inter", "∪": "union", "∅": "empty", "\\": "sdiff", "∑": "sum",
    "∏": "prod", "::": "cons", "++": "append", "[]": "nil", "#[]": "empty", "<|>": "or else",
    ">>=": "bind", "<$>": "map", "<*>": "seq", "~": "perm", "<+": "sublist", "<+:": "prefix",
    "<:+": "suffix", "<:+:": "infix", "⊢": "imp", "⊤": "top", "⊥": "bot", "⊔": "sup",
    "⊓": "inf", "ℕ": "nat", "ℤ": "int", "ℚ": "rat", "ℝ": "real", "ℂ": "complex",
    "⌊": "floor", "⌈": "ceil", "∞": "infinity", "≃": "equiv", "⊕": "sum", "⋃": "union",
    "⋂": "inter", "∥": "norm", "‖": "norm", "∂": "deriv", "∫": "integral", "π": "pi",
    "?": "get",
}  # fmt: skip
"""Symbol to words; the longest symbol wins."""

LATEX: Final[dict[str, str]] = LATEX_MORE | {
    "le": "le", "leq": "le", "leqslant": "le", "ge": "ge", "geq": "ge", "geqslant": "ge",
    "lt": "lt", "gt": "gt", "ne": "ne", "neq": "ne", "in": "mem", "notin": "not mem",
    "forall": "forall", "exists": "exists", "subseteq": "subset", "subset": "ssubset",
    "cap": "inter", "cup": "union", "bigcap": "inter", "bigcup": "union", "emptyset": "empty",
    "varnothing": "empty", "setminus": "sdiff", "sum": "sum", "prod": "prod", "int": "integral",
    "infty": "infinity", "to": "imp", "rightarrow": "imp", "longrightarrow": "imp",
    "implies": "imp", "Rightarrow": "imp", "iff": "iff", "Leftrightarrow": "iff",
    "leftrightarrow": "iff", "neg": "not", "lnot": "not", "land": "and", "wedge": "and",
    "lor": "or", "vee": "or", "oplus": "xor", "mapsto": "fun", "circ": "comp", "cdot": "mul",
    "times": "mul", "div": "div", "pm": "add sub", "mid": "dvd", "nmid": "not dvd",
    "equiv": "mod eq", "cong": "equiv", "simeq": "equiv", "sqrt": "sqrt", "frac": "div",
    "dfrac": "div", "tfrac": "div", "binom": "choose", "gcd": "gcd", "lcm": "lcm", "max": "max",
    "min": "min", "bmod": "mod", "pmod": "mod", "mod": "mod", "lfloor": "floor",
    "lceil": "ceil", "log": "log", "exp": "exp", "sin": "sin", "cos": "cos", "tan": "tan",
    "top": "top", "bot": "bot", "partial": "deriv",
}  # fmt: skip
"""LaTeX command to words; a command that is not here says nothing and is dropped."""

BLACKBOARD: Final[dict[str, str]] = {
    "N": "nat", "Z": "int", "Q": "rat", "R": "real", "C": "complex"
}  # fmt: skip
"""Letter under `\\mathbb` to the type it names."""

_GROUPS: Final[dict[str, str]] = {
    "add": "addition adding added adds plus",
    "mul": "multiplication multiply multiplied multiplying multiplies times",
    "sub": "subtraction subtract subtracting subtracted minus",
    "div": "division dividing divided",
    "mod": "modulo remainder modulus emod",
    "pow": "power powers exponent exponentiation",
    "neg": "negation negative negated negating",
    "inv": "inverse inverses reciprocal",
    "comm": "commutative commutativity commute commutes commuting",
    "assoc": "associative associativity associate associates associating",
    "distrib": "distributive distributivity distribute distributes distributing",
    "idem": "idempotent idempotence",
    "cancel": "cancellation cancellative cancels cancelling canceling cancelled",
    "symm": "symmetric symmetry",
    "trans": "transitive transitivity",
    "antisymm": "antisymmetric antisymmetry",
    "refl": "reflexive reflexivity",
    "irrefl": "irreflexive irreflexivity",
    "asymm": "asymmetric asymmetry",
    "total": "totality",
    "inj": "injective injectivity injection",
    "surj": "surjective surjectivity surjection",
    "eq": "equal equals equality",
    "ne": "unequal distinct",
    "iff": "equivalence",
    "dvd": "divides divide divisible divisibility",
    "succ": "successor",
    "pred": "predecessor",
    "mem": "member membership contained belongs belong",
    "nat": "natural naturals",
    "int": "integer integers",
    "rat": "rational rationals",
    "bool": "boolean booleans",
    "char": "character characters",
    "fun": "function functions",
    "prop": "proposition propositions propositional",
    "and": "conjunction conj",
    "or": "disjunction disj",
    "imp": "implies implication implied imply",
    "false": "contradiction absurdity",
    "exists": "existential",
    "pos": "positive",
    "nonneg": "nonnegative",
    "abs": "absolute",
    "le": "leq",
    "ge": "geq",
    "lt": "less smaller",
    "gt": "greater larger",
    "max": "maximum maximal",
    "min": "minimum minimal",
    "append": "concatenation concatenate concatenating concatenated appending appended appends",
    "reverse": "reversal reversing reversed reverses",
    "map": "mapping mapped",
    "filter": "filtering filtered filters",
    "fold": "folding folded",
    "sort": "sorted sorting",
    "perm": "permutation permutations permute",
    "insert": "insertion inserting inserted",
    "erase": "erasing erased remove removing removed removal deletion delete deleting",
    "length": "lengths",
    "drop": "dropping dropped",
    "take": "taking taken",
    "comp": "composition compose composing composed composite",
    "id": "identity",
    "ext": "extensionality extensional",
    "congr": "congruence",
    "dec": "decidable decidability",
    "rec": "recursion recursor recursive",
    "induct": "induction inductive",
    "size": "sizes",
    "union": "unions",
    "inter": "intersection intersections",
    "subset": "subsets",
    "shift": "shifting shifted shifts",
    "monotone": "monotonic monotonicity mono",
    "log": "logarithm",
    "self": "itself",
    "even": "evenness",
    "odd": "oddness parity",
    "compare": "comparison comparing cmp",
    "zip": "zipping zipped",
    "flatten": "flattened flattening",
    "replicate": "replicated repeated repetition",
    "all": "every",
    "any": "some",
    "find": "finding found",
    "count": "counting counts",
    "head": "first",
    "last": "final",
    "get": "entry lookup access",
    "set": "update updating",
    "one": "1",
    "two": "2",
    "three": "3",
    "zero": "0",
    "unique": "uniqueness",
    "equiv": "equivalent",
    "cast": "coercion casting",
}

CANONICAL: Final[dict[str, str]] = {
    word: head
    for groups in (GROUPS_MORE, _GROUPS)
    for head, words in groups.items()
    for word in (head, *words.split())
}
"""Word to the abbreviation that Lean names use."""

PHRASES: Final[dict[tuple[str, ...], tuple[str, ...]]] = PHRASES_MORE | {
    ("less", "than", "or", "equal", "to"): ("le",),
    ("less", "than", "or", "equal"): ("le",),
    ("greater", "than", "or", "equal", "to"): ("ge",),
    ("greater", "than", "or", "equal"): ("ge",),
    ("less", "or", "equal"): ("le",),
    ("at", "most"): ("le",),
    ("at", "least"): ("ge",),
    ("less", "than"): ("lt",),
    ("greater", "than"): ("gt",),
    ("not", "equal"): ("ne",),
    ("if", "and", "only", "if"): ("iff",),
    ("greatest", "common", "divisor"): ("gcd",),
    ("least", "common", "multiple"): ("lcm",),
    ("natural", "number"): ("nat",),
    ("natural", "numbers"): ("nat",),
    ("absolute", "value"): ("abs",),
    ("square", "root"): ("sqrt",),
    ("bit", "vector"): ("bitvec",),
    ("bit", "vectors"): ("bitvec",),
    ("bit", "vec"): ("bitvec",),
    ("excluded", "middle"): ("em",),
    ("double", "negation"): ("not", "not"),
    ("de", "morgan"): ("not",),
    ("greater", "equal"): ("ge",),
    ("less", "equal"): ("le",),
    ("smaller", "than"): ("lt",),
    ("larger", "than"): ("gt",),
    ("itself",): ("self",),
    ("exclusive", "or"): ("xor",),
    ("empty", "list"): ("list", "nil"),
    ("well", "founded"): ("wf",),
}
"""Several words to the terms that they stand for; never to more terms than words."""

SPELLINGS: Final[dict[str, str]] = SPELLINGS_MORE | {"bitvector": "bitvec", "bitvectors": "bitvec"}
"""Single words written in another way in Lean names."""

_STOP = (
    "a an the is are be been being was were to by with then that this these those it its as at "
    "which have has had we there let such under over into so do does thus hence holds hold when "
    "where from on forall"
)
STOP: Final = frozenset(_STOP.split())
"""Words that say nothing about a declaration, in either language."""

_CONNECTIVES = (
    "and or of in all every any some if for than only both either each same result numbers "
    "number two one first value values given gives give get element elements"
)
CONNECTIVES: Final = frozenset(_CONNECTIVES.split())
"""Words that carry meaning in a Lean name but mostly glue in an English sentence."""

ENGLISH: Final[dict[str, str]] = ENGLISH_MORE | {
    "add": "addition", "mul": "multiplication", "sub": "subtraction", "div": "division",
    "mod": "remainder", "pow": "power", "neg": "negation", "inv": "inverse",
    "comm": "commutative", "assoc": "associative", "distrib": "distributive",
    "symm": "symmetric", "trans": "transitive", "antisymm": "antisymmetric",
    "refl": "reflexive", "irrefl": "irreflexive", "inj": "injective", "surj": "surjective",
    "eq": "equals", "ne": "not equal", "iff": "if and only if", "dvd": "divides",
    "le": "less than or equal", "lt": "less than", "ge": "greater than or equal",
    "gt": "greater than", "succ": "successor", "pred": "predecessor", "mem": "member",
    "nat": "natural number", "int": "integer", "rat": "rational", "bool": "boolean",
    "char": "character", "pos": "positive", "nonneg": "nonnegative", "abs": "absolute value",
    "max": "maximum", "min": "minimum", "perm": "permutation", "comp": "composition",
    "id": "identity", "ext": "extensionality", "congr": "congruence", "imp": "implies",
    "em": "excluded middle", "lcm": "least common multiple", "gcd": "greatest common divisor",
    "sqrt": "square root", "self": "itself", "cancel": "cancellation", "fun": "function",
    "inter": "intersection", "bitvec": "bit vector", "wf": "well founded", "dec": "decidable",
    "cons": "cons", "nil": "empty list", "prop": "proposition", "not": "not",
}  # fmt: skip
"""Term to the English that an encoder has read, for texts that are embedded."""
