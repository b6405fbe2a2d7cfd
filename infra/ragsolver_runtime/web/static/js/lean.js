// Lean text in colour: keywords, tactics, numbers and comments; nothing is understood.

import { h } from "./dom.js";

const KEYWORDS = new Set(
  ("theorem lemma example def abbrev instance structure inductive where namespace section end open import " +
    "set_option notation by fun have show from let in if then else match with do at using variable " +
    "sorry noncomputable private protected deriving universe forall exists calc termination_by decreasing_by").split(" "),
);
const TACTICS = new Set(
  ("intro intros exact apply refine simp simp_all omega decide grind rfl rw rewrite cases rcases obtain induction " +
    "constructor exists use ring linarith nlinarith norm_num norm_cast push_cast positivity contradiction exfalso " +
    "by_cases split subst unfold first repeat all_goals any_goals try done revert generalize specialize ext funext " +
    "congr left right assumption trivial native_decide bv_decide ac_rfl").split(" "),
);
const TOKEN = /(--[^\n]*|\/-[\s\S]*?-\/)|("(?:[^"\\]|\\.)*")|([\p{L}_][\p{L}\p{N}_'!?.₀-₉]*)|(\b\d+\b)/gu;

/** Children for one stretch of Lean text. */
export function lean(text) {
  const children = [];
  let at = 0;
  for (const found of text.matchAll(TOKEN)) {
    const kind = found[1] ? "com" : found[2] ? "str" : found[4] ? "num"
      : KEYWORDS.has(found[3]) ? "kw" : TACTICS.has(found[3]) ? "tac" : "";
    if (!kind) continue;
    if (found.index > at) children.push(text.slice(at, found.index));
    children.push(h("span", { class: `l-${kind}` }, found[0]));
    at = found.index + found[0].length;
  }
  if (at < text.length) children.push(text.slice(at));
  return children;
}

/** A block of Lean text that scrolls by itself and can be reached with the keyboard. */
export function code(children, label, extra = "") {
  return h("pre", { class: `code ${extra}`, tabindex: "0", role: "region", "aria-label": label },
    h("code", {}, typeof children === "string" ? lean(children) : children));
}
