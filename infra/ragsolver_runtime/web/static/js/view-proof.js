// The statement, the proof with what it cites, and what is doubted.

import { fill, h } from "./dom.js";
import { plural, words } from "./format.js";
import { code, lean } from "./lean.js";
import { chip, copier, empty, fold } from "./widgets.js";

const LEVELS = [
  ["used_in_proof", "Used in the proof", "among the constants of the proof term, or named in its text"],
  ["used_in_sketch", "Used in the sketch", "named by the generator"],
  ["consulted", "Consulted", "shown in a prompt or tried"],
];
const FIRST = 12;

export function proofPart() {
  const node = h("div", { class: "split" });
  return { node, paint: (page) => fill(node, h("div", { class: "main" }, statement(page), doubts(page), proof(page)), cited(page)) };
}

function statement(page) {
  const asked = page.statements.find((item) => item.number === 0);
  const chosen = page.statements.find((item) => item.chosen) ?? asked;
  return h("section", {},
    h("h2", {}, "Statement"),
    page.informal ? h("p", { class: "prose" }, page.informal) : null,
    chosen?.text ? [chosen.written_by_machine ? h("p", { class: "faint" }, `Written by a model (statement ${chosen.number}).`) : null,
      code(chosen.text, "Lean statement")] : null,
    chosen?.header && chosen.statable ? fold(chosen.compatibility ? "Read under the core-Lean header, without Mathlib" : "Header", () => code(chosen.header, "Header")) : null,
    chosen?.elaborated ? fold("As Lean reads it", () => code(chosen.elaborated, "Elaborated statement")) : null,
    !page.informal && !chosen?.text ? h("p", { class: "faint" }, "No statement was read from the input.") : null,
    page.hints.length ? h("p", {}, "Hints: ", page.hints.map((hint) => [h("code", {}, hint), " "])) : null);
}

/** What speaks against the statement, with the evidence for it. */
function doubts(page) {
  const items = [];
  if (page.proof?.negated) items.push(["This statement is false as given: Lean accepts the proof of its negation below.", ""]);
  for (const note of page.notes) items.push([note, ""]);
  for (const attempt of page.attempts.filter((one) => one.error === "statement_problem")) {
    items.push([`After attempt ${attempt.attempt} the critic doubts the statement: ${attempt.advice}`, ""]);
  }
  for (const one of page.statements) {
    if (one.number && !one.chosen) {
      items.push([`Machine-written statement ${one.number} was not taken: ${one.faithful === false ? one.judgement : one.detail || words(one.reason)}`, one.text, one.issues]);
    } else if (!one.number && one.checked && !one.statable && page.informal === "") {
      items.push([`Lean cannot read the statement: ${words(one.reason)}. ${one.detail}`, "", one.diagnostics.map((said) => said.text)]);
    } else if (one.number && one.chosen && one.judgement) {
      items.push([`A machine wrote this statement; the critic finds it ${one.faithful ? "faithful" : "not faithful"}: ${one.judgement}`, "", one.issues]);
    }
  }
  if (!items.length) return null;
  return h("section", { class: "notice warn", "aria-label": "What is doubted" }, h("h2", { class: "small" }, "About this statement"),
    h("ul", {}, items.map(([text, source, more]) => h("li", {}, text,
      more?.length ? h("ul", {}, more.map((item) => h("li", {}, item))) : null,
      source ? code(source, "Machine-written statement") : null))));
}

function proof(page) {
  const { proof: found, entry } = page;
  if (!found) {
    const text = entry.outcome ? { refused: "It was refused, so nothing was tried.", cancelled: "It was cancelled." }[entry.outcome] ?? "No candidate was accepted."
      : "No proof yet. The page changes as soon as there is one.";
    return h("section", {}, h("h2", {}, "Proof"), empty(text, page.attempts.length ? h("p", {}, "What was tried stands under Attempts.") : null));
  }
  const names = new Map(page.cited.map((one) => [one.id, one]));
  const facts = [
    ["Found by", found.strategy], ["In", `attempt ${found.attempt}, candidate ${found.candidate}`],
    ["Axioms", found.axioms.join(", ") || "none"], ["Lean", `${found.toolchain.lean_version}, ${found.mathlib ? "with" : "without"} Mathlib`],
    ["Stands", found.tier], ["Isolation", found.isolation.layers.map(words).join(", ") || "none recorded"],
    ["Known kernel holes", String(found.toolchain.advisories.length || "none")],
  ];
  return h("section", {},
    h("div", { class: "row" }, h("h2", {}, found.negated ? "Refutation" : "Proof"), copier(found.source, "Lean text")),
    code(found.pieces.map((piece) => (piece.cited ? mention(piece.text, names.get(piece.cited)) : lean(piece.text))), "Proof in Lean", "proof"),
    h("dl", { class: "pairs" }, facts.map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
    found.constants.length ? fold(`Rests on ${plural(found.constants.length, "constant")}`, () => h("p", { class: "names" }, found.constants.map((name) => [h("code", {}, name), " "]))) : null);
}

/** A cited name in the proof's text: leads to its source, and shows its signature. */
function mention(text, one) {
  const said = [one.label, one.signature, one.module].filter(Boolean).join("\n");
  const attributes = { class: `mention ${one.level}`, title: said, "data-cited": one.id };
  return one.url ? h("a", { ...attributes, href: one.url }, text) : h("span", { ...attributes, tabindex: "0" }, text);
}

function cited(page) {
  if (!page.cited.length) {
    return h("aside", { class: "side", "aria-label": "Citations" }, h("h2", {}, "Citations"),
      h("p", { class: "faint" }, page.entry.outcome ? "Nothing that was retrieved is cited." : "Citations are settled when the problem ends. What was found so far stands under Evidence."));
  }
  return h("aside", { class: "side", "aria-label": "Citations" }, h("h2", {}, "Citations"),
    page.proof && page.retrieved ? h("p", { class: "faint" }, `The proof rests on ${page.used} of ${page.retrieved} retrieved passages.`) : null,
    LEVELS.map(([level, title, meaning]) => {
      const items = page.cited.filter((one) => one.level === level);
      if (!items.length) return null;
      return h("section", { class: `level ${level}` },
        h("h3", { title: meaning }, h("i", { class: "swatch", "aria-hidden": "true" }), title, h("span", { class: "count" }, items.length)),
        h("ul", { class: "cites" }, items.slice(0, FIRST).map(citation)),
        items.length > FIRST ? fold(`${items.length - FIRST} more`, () => h("ul", { class: "cites" }, items.slice(FIRST).map(citation))) : null);
    }));
}

/** A signature without the name, which stands above it. */
function bare(one) {
  return one.signature.startsWith(`${one.label} : `) ? one.signature.slice(one.label.length + 3) : one.signature;
}

export function citation(one) {
  return h("li", { id: `cite-${one.id}`, title: one.signature || null },
    h("span", { class: "cite-id" }, one.id),
    h("div", {}, one.url ? h("a", { href: one.url, class: "mono" }, one.label) : h("span", { class: "mono" }, one.label),
      one.named ? chip("named in the text") : null, one.found_by ? chip(`found by ${one.found_by}`) : null,
      one.signature ? h("p", { class: "signature mono" }, bare(one)) : null,
      h("p", { class: "faint" }, one.module || [one.document, one.pages ? `pages ${one.pages}` : ""].filter(Boolean).join(", "))));
}
