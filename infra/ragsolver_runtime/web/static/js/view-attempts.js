// Attempts: sketch, candidates with their verdicts, critique.

import { ask } from "./api.js";
import { fill, h } from "./dom.js";
import { millis, plural, words } from "./format.js";
import { code, lean } from "./lean.js";
import { go } from "./route.js";
import { badge, chip, empty, fold, problemLink } from "./widgets.js";

const STATUS = { accepted: "good", rejected: "plain", inconclusive: "warn", failed: "bad", open: "open", "not needed": "calm" };

export function attemptsPart(where) {
  const node = h("div", {});
  const opened = new Set((where.at || "").split(",").filter(Boolean));
  const cards = new Map(); // attempts that a reader opened or closed

  function paint(page) {
    if (!page.attempts.length) {
      fill(node, empty("No attempt yet.", h("p", {}, page.entry.outcome ? "The problem ended before anything was tried." : "The problem waits for a plan and for lemmas.")));
      return;
    }
    fill(node, page.attempts.map((attempt) => card(where, attempt, opened, cards)));
  }
  return { node, paint };
}

function card(where, attempt, opened, cards) {
  const counts = {};
  for (const line of attempt.candidates) counts[line.status] = (counts[line.status] ?? 0) + 1;
  const said = Object.entries(counts).map(([name, count]) => `${count} ${name}`).join(", ");
  const named = opened.has(String(attempt.attempt)) || [...opened].some((key) => key.startsWith(`${attempt.attempt}.`));
  const open = cards.get(attempt.attempt) ?? (attempt.candidates.length <= 12 || named);
  return h("section", { class: "card attempt", "aria-label": `Attempt ${attempt.attempt}` },
    h("header", { class: "row" },
      h("h2", {}, `Attempt ${attempt.attempt}`),
      h("p", {}, chip(attempt.stage ? `stage ${attempt.stage}` : "a model's sketch"), attempt.engine ? chip(attempt.engine === "llm" ? "language model" : attempt.engine) : null,
        attempt.negated ? chip("tries the negation", "warn") : null)),
    attempt.reason ? h("p", { class: "faint" }, attempt.reason) : null,
    attempt.text ? h("p", { class: "sketch" }, attempt.text) : null,
    attempt.proof ? fold("Sketch in Lean", () => code(attempt.proof, "Sketch in Lean"), { open: false, key: `sketch-${attempt.attempt}` }) : null,
    attempt.used.length ? h("p", { class: "faint" }, `Cites ${attempt.used.join(", ")}; ${attempt.offered} offered.`) : null,
    attempt.holes.some((hole) => hole.child) ? holes(where, attempt) : null,
    attempt.candidates.length ? fold(`${plural(attempt.candidates.length, "candidate")}${said ? `: ${said}` : ""}`,
      () => h("ul", { class: "candidates" }, attempt.candidates.map((line) => candidate(where, attempt.attempt, line, opened))),
      { open, key: `attempt-${attempt.attempt}`, onopen: (now) => cards.set(attempt.attempt, now) }) : h("p", { class: "faint" }, "No candidate yet."),
    attempt.route ? h("p", { class: "critique" }, h("strong", {}, "Critique: "), words(attempt.error), ", then ", words(attempt.route), ". ", attempt.advice,
      attempt.missing.length ? [" Missing: ", attempt.missing.map((name) => [h("code", {}, name), " "])] : null) : null);
}

function holes(where, attempt) {
  return h("ul", { class: "tree" }, attempt.holes.map((hole) => h("li", {}, problemLink(where.run, hole.child, hole.hole), " ", badge(hole.outcome),
    code(hole.statement, `Hole ${hole.hole}`))));
}

function candidate(where, attempt, line, opened) {
  const key = `${attempt}.${line.candidate}`;
  const head = h("span", { class: "candidate-head" },
    h("span", { class: "mono faint" }, key),
    h("span", { class: `badge ${STATUS[line.status] ?? "calm"}` }, line.reason ? words(line.reason) : line.status),
    h("span", { class: "mono proof-line" }, line.proof.replaceAll(/\s+/g, " ")),
    h("span", { class: "faint" }, line.elapsed_ms ? millis(line.elapsed_ms) : ""));
  return h("li", { id: `c-${key}` }, fold(head, () => detail(where, attempt, line.candidate), {
    open: opened.has(key), key: `c-${key}`,
    onopen: (open) => {
      if (open) opened.add(key);
      else opened.delete(key);
      where.at = [...opened].filter((item) => item.includes(".")).join(",");
      go(where, { replace: true, quiet: true });
    },
  }));
}

async function detail(where, attempt, candidate) {
  const found = await ask("candidate", { run: where.run, problem: where.problem, attempt, candidate });
  const { line, diagnostics } = found;
  const placed = new Set(found.texts.flatMap((text) => text.lines.flat().map((piece) => piece.message).filter((number) => number !== null)));
  return h("div", { class: "candidate" },
    h("p", { class: "faint" }, `${line.strategy}`, line.judged_by ? `, judged by ${line.judged_by}` : "", found.cpu_ms ? `, ${millis(found.cpu_ms)} CPU` : "",
      found.memory_mb ? `, ${Math.round(found.memory_mb)} MiB` : "", found.isolation ? `, ${words(found.isolation)}` : ""),
    line.detail && !diagnostics.length ? h("p", {}, line.detail) : null,
    found.texts.map((text) => marked(text, diagnostics)),
    diagnostics.length ? h("ol", { class: "diagnostics", start: "1" }, diagnostics.map((said, number) => h("li", { value: number + 1, class: said.severity },
      h("span", { class: "faint" }, placed.has(number) ? `${said.severity}, ${said.part} line ${said.start.line}` : `${said.severity}, in the ${said.part}`),
      h("pre", {}, said.text)))) : line.status === "accepted" ? h("p", { class: "notice good" }, line.detail) : null,
    found.goals.length ? fold(plural(found.goals.length, "goal left"), () => found.goals.map((goal) => code(goal, "Goal")), { open: !diagnostics.length }) : null,
    found.source ? fold("The whole text that Lean checked", () => code(found.source, "Whole text")) : null);
}

/** A candidate's text with Lean's messages where they belong. */
function marked(text, diagnostics) {
  const rows = text.lines.map((pieces, row) => {
    const here = [...new Set(pieces.map((piece) => piece.message).filter((number) => number !== null))].filter((number) => diagnostics[number].start.line === row + 1);
    return [
      h("span", { class: "ln", "aria-hidden": "true" }, row + 1),
      h("span", { class: "lt" }, pieces.map((piece) => (piece.message === null ? lean(piece.text)
        : h("mark", { class: `d-${diagnostics[piece.message].severity}`, title: diagnostics[piece.message].text }, lean(piece.text)))),
      here.map((number) => h("span", { class: `note d-${diagnostics[number].severity}` }, `${number + 1}`))),
      "\n",
    ];
  });
  return h("div", {}, text.part === "proof" ? null : h("p", { class: "faint" }, words(text.part)), code(rows, `Candidate: ${text.part}`, "numbered"));
}
