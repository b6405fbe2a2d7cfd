// What happened when: lanes of the roles, time by stage and by process, and the steps in words.

import { fill, h } from "./dom.js";
import { millis, number, ROLES, tick, words } from "./format.js";
import { link } from "./route.js";
import { empty, problemLink, table } from "./widgets.js";

const ZOOMS = [1, 4, 16];

export function timelinePart(where) {
  const node = h("div", {});
  let zoom = 1;
  let page = null;
  return { node, paint: (found) => { page = found; paint(); } };

  function paint() {
    const { timeline, steps } = page;
    if (!steps.length) {
      fill(node, empty("Nothing happened yet.", h("p", {}, "The problem waits for its first worker.")));
      return;
    }
    fill(node,
      h("div", { class: "row" }, h("h2", {}, "Lanes"), h("div", { class: "chips", role: "group", "aria-label": "Zoom" }, ZOOMS.map((value) =>
        h("button", { type: "button", class: "choice", "data-key": `zoom-${value}`, "aria-pressed": String(zoom === value), onclick: () => { zoom = value; paint(); } }, `${value}×`)))),
      h("p", { class: "faint" }, "A bar begins with its cause: its pale part is waiting, its full part the work that the events tell of."),
      lanes(timeline, zoom),
      h("div", { class: "two" }, shares("Time by stage", "Stage", timeline.stages, (name) => [name, h("small", { class: "faint" }, ROLES[name] ?? "")]),
        shares("Time by process", "Process", timeline.processes, (name) => h("span", { class: "mono" }, name))),
      h("h2", {}, "Steps"),
      h("ol", { class: "steps" }, steps.map((step) => line(where, step))));
  }
}

function lanes(timeline, zoom) {
  const whole = Math.max(timeline.length_ms, 1);
  const at = (ms) => `${(100 * ms) / whole}%`;
  const names = timeline.stages.map((stage) => stage.name);
  const rows = names.map((name) => h("div", { class: "lane" }, timeline.spans.filter((span) => span.lane === name).map((span) => bar(span, at, whole))));
  return h("div", { class: "lanes" },
    h("div", { class: "lane-names" }, names.map((name) => h("div", { class: `lane-name role r-${name}` }, name)), h("div", { class: "lane-name" })),
    h("div", { class: "lane-scroll", tabindex: "0", role: "region", "aria-label": "Lanes over time" },
      h("div", { class: "lane-field", style: { width: `${100 * zoom}%` } },
        ticks(whole, zoom).map((ms) => h("i", { class: "grid", style: { left: at(ms) } })), rows,
        h("div", { class: "axis" }, ticks(whole, zoom).map((ms) => h("span", { style: { left: at(ms) } }, tick(ms)))))));
}

function bar(span, at, whole) {
  const length = span.end_ms - span.start_ms;
  const work = span.work_ms ?? 0;
  const said = `${words(span.name)}${span.count > 1 ? ` × ${span.count}` : ""}, ${span.source}: ${millis(span.start_ms)} to ${millis(span.end_ms)}` +
    (span.work_ms === null ? "" : `, of it ${millis(work)} work`);
  return h("div", { class: `bar-span r-${span.lane}`, title: said, role: "img", "aria-label": said,
    style: { left: at(span.start_ms), width: `max(3px, ${(100 * length) / whole}%)` } },
  h("i", { style: { width: length ? `${(100 * work) / length}%` : "100%" } }));
}

function ticks(whole, zoom) {
  const wanted = whole / (5 * zoom);
  const power = 10 ** Math.floor(Math.log10(wanted));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((value) => value >= wanted);
  return Array.from({ length: Math.floor((whole * 0.97) / step) + 1 }, (_, place) => place * step);
}

function shares(title, what, entries, named) {
  return h("section", {}, h("h2", {}, title), table(title, [what, ["With waiting", "num"], ["Work told of", "num"], ["Events", "num"]],
    entries.map((share) => ({ cells: [named(share.name), millis(share.total_ms), share.work_ms ? millis(share.work_ms) : "", number(share.events)] })), "tight"));
}

function line(where, step) {
  const target = step.call ? { tab: "model", at: String(step.call) }
    : step.attempt && ["candidate_proposed", "verdict_issued", "proof_sketched", "attempt_critiqued"].includes(step.name) ? { tab: "attempts", at: String(step.attempt) }
      : step.name === "evidence_retrieved" ? { tab: "evidence" } : null;
  const title = target ? h("a", { href: link({ run: where.run, problem: where.problem, ...target }), "data-link": true, "data-key": `step-${step.number}` }, step.title) : step.title;
  return h("li", { class: `step ${step.tone}` },
    h("span", { class: "when mono" }, millis(step.at_ms)),
    h("i", { class: `dot r-${step.role}`, "aria-hidden": "true" }),
    h("div", { class: "told" },
      h("p", { class: "step-title" }, title),
      h("p", { class: "faint" }, h("span", { class: `role r-${step.role}` }, step.role), " ", h("span", { class: "mono" }, step.source.split("/")[1]),
        step.took_ms === null ? "" : `, ${millis(step.took_ms)} after its cause`),
      step.facts.length ? h("dl", { class: "facts" }, step.facts.map((fact) => [h("dt", {}, fact.label),
        h("dd", { class: fact.lean ? "mono" : "" }, fact.problem ? problemLink(where.run, fact.problem, fact.text) : fact.text)])) : null));
}

