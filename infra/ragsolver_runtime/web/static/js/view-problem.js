// One problem: proof or state, and everything that led to it.

import { ask } from "./api.js";
import { fill, h } from "./dom.js";
import { dollars, number, plural, seconds, words } from "./format.js";
import { attemptsPart } from "./view-attempts.js";
import { eventsPart } from "./view-events.js";
import { evidencePart } from "./view-evidence.js";
import { modelPart } from "./view-model.js";
import { proofPart } from "./view-proof.js";
import { timelinePart } from "./view-timeline.js";
import { badge, chip, crumbs, problemLink, tabs, tiles } from "./widgets.js";

const PARTS = { proof: proofPart, timeline: timelinePart, attempts: attemptsPart, evidence: evidencePart, model: modelPart };

export function problemView(where) {
  const tab = where.tab || "proof";
  const top = h("div", {});
  const part = tab === "events" ? eventsPart(where) : (PARTS[tab] ?? proofPart)(where);
  const node = h("div", {}, top, h("div", { class: "part" }, part.node));
  let before = "";
  const view = {
    node, title: where.problem, seq: 0, refresh,
    wants: (line) => line.problem === where.problem || line.problem.startsWith(`${where.problem}.`),
  };

  async function refresh() {
    const [page] = await Promise.all([ask("problem", { run: where.run, problem: where.problem }), part.refresh?.()]);
    view.seq = page.seq;
    view.finished = Boolean(page.entry.outcome);
    const now = JSON.stringify(page);
    if (now === before) return;
    before = now;
    view.title = page.entry.name;
    fill(top, headline(where, page, tab));
    part.paint?.(page);
  }
  return view;
}

function headline(where, page, tab) {
  const { entry, totals } = page;
  const at = (name) => ({ run: where.run, problem: where.problem, tab: name });
  const candidates = page.attempts.reduce((sum, attempt) => sum + attempt.candidates.length, 0);
  const hits = page.findings.reduce((sum, finding) => sum + finding.hits.length, 0);
  const end = page.timeline.length_ms / 1000;
  return [
    crumbs([["Runs", {}], [where.run, { run: where.run }],
      ...page.ancestors.map((name) => [name, { run: where.run, problem: name }]), [entry.name, null]]),
    h("div", { class: "head" },
      h("h1", { class: "name" }, entry.name, " ", badge(entry.outcome, entry.stage)),
      h("p", { class: "lead" }, entry.message || waiting(entry),
        entry.file ? h("span", { class: "faint" }, ` ${entry.file.split("/").pop()}${entry.line ? `, line ${entry.line}` : ""}`) : null)),
    page.failures.length ? h("ul", { class: "notice bad" }, page.failures.map((text) => h("li", {}, text))) : null,
    page.children.length ? family(where, page) : null,
    tiles([
      ["Time", entry.elapsed_s === null ? seconds(end) : seconds(entry.elapsed_s), entry.outcome ? "" : "so far"],
      ["Attempts", number(page.attempts.length)],
      ["Candidates", number(candidates)],
      ["Retrieved", number(hits)],
      page.calls.length ? ["Model calls", number(totals.calls), page.used_calls > totals.calls ? `${page.used_calls} of ${page.budget} with children` : `of ${page.budget}`] : null,
      page.calls.length ? ["Cost", dollars(totals.cost_usd)] : null,
    ]),
    tabs("Parts of the problem", [
      ["proof", entry.outcome === "statement_false" ? "Refutation" : "Proof", { ...at("proof"), tab: "" }],
      ["timeline", "Timeline", at("timeline"), page.steps.length],
      ["attempts", "Attempts", at("attempts"), page.attempts.length],
      ["evidence", "Evidence", at("evidence"), hits],
      ["model", "Model", at("model"), page.calls.length],
      ["events", "Events", at("events"), entry.events],
    ], tab),
  ];
}

const NEXT = {
  submitted: "Submitted. Lean is asked whether it can read the statement.",
  stated: "Lean can read the statement. A plan is being made.",
  planned: "Planned. Lemmas are being looked up.",
  retrieved: "Lemmas were found. A sketch is being made.",
  proving: "Candidates are being tried.",
};

function waiting(entry) {
  return entry.outcome ? words(entry.outcome) : NEXT[entry.stage] ?? "";
}

function family(where, page) {
  return h("section", { class: "family", "aria-label": "Child problems" },
    h("h2", { class: "small" }, plural(page.children.length, "hole of a sketch", "holes of sketches"), " became problems"),
    tree(where, page.children, where.problem));
}

function tree(where, children, parent) {
  return h("ul", { class: "tree" }, children.map((child) => h("li", {},
    problemLink(where.run, child.problem_id, child.problem_id.startsWith(`${parent}.`) ? child.problem_id.slice(parent.length + 1) : child.problem_id),
    " ", badge(child.outcome), child.llm_calls ? chip(plural(child.llm_calls, "call")) : null,
    h("span", { class: "faint" }, " ", child.message),
    child.children.length ? tree(where, child.children, child.problem_id) : null)));
}
